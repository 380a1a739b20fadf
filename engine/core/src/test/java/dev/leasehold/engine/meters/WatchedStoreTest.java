package dev.leasehold.engine.meters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.byhand.HandClock;
import dev.leasehold.engine.byhand.ScriptedStore;
import dev.leasehold.engine.store.ClockStatement;
import dev.leasehold.engine.store.ClockWrite;
import dev.leasehold.engine.store.GuardedTransaction;
import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.store.WriteOutcome;
import dev.leasehold.engine.store.WriteOutcome.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

/** Which dealings with the database went well, and which did not. */
class WatchedStoreTest {

    private static final long SECOND = 1_000_000_000;
    private static final GuardedTransaction TRANSACTION =
            new GuardedTransaction(new ClockStatement("a#1", 16, 17, 0L, Set.of(), Map.of(), null), List.of());

    private final HandClock clock = new HandClock(HandClock.Z);
    private final ScriptedStore behind = new ScriptedStore();
    private final Dealings dealings = new Dealings(clock, 10 * SECOND);
    private final WatchedStore store = new WatchedStore(behind, dealings);

    static Stream<Named<Consumer<LeaseStore>>> reads() {
        return Stream.of(
                Named.of("read", store -> store.read(Set.of("nightly"), "a#1")),
                Named.of("page", store -> store.page(null, 5, "a#1")),
                Named.of("writers", LeaseStore::writers),
                Named.of("survey", LeaseStore::survey));
    }

    static Stream<Named<Consumer<LeaseStore>>> writes() {
        return Stream.of(
                Named.of("commit", store -> store.commit(TRANSACTION, () -> true)),
                Named.of("commitAgain", LeaseStore::commitAgain),
                Named.of("writeClock", store -> store.writeClock(new ClockWrite.Barrier("a#1"))),
                Named.of("writeLeases", store -> store.writeLeases("a#1", List.of())));
    }

    private void everyWriteEndsAs(WriteOutcome outcome) {
        behind.onCommit((transaction, mayCommit) -> outcome);
        behind.onCommitAgain(() -> outcome);
        behind.onClockWrite(() -> outcome);
        behind.onLeaseWrites(writes -> outcome);
    }

    private static WriteOutcome outcome(Verdict verdict) {
        return new WriteOutcome(verdict, new LeaseContentionException("scripted trouble", null));
    }

    private void readInVain() {
        behind.onRead(() -> {
            throw new LeaseUnavailableException("scripted outage", null);
        });
        assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(store::writers);
    }

    @Test
    void allIsWellBeforeTheFirstDealing() {
        assertThat(dealings.trouble()).isNull();
    }

    @ParameterizedTest
    @MethodSource("reads")
    void readThatThrowsIsTroubleUntilOneOfAnyKindGoesWell(Consumer<LeaseStore> read) {
        behind.onRead(() -> {
            throw new LeaseUnavailableException("scripted outage", null);
        });

        assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> read.accept(store));
        assertThat(dealings.trouble()).endsWith("scripted outage");

        read.accept(store);
        assertThat(dealings.trouble()).isNull();
    }

    @Test
    void unexpectedFailureIsTroubleToo() {
        behind.onRead(() -> {
            throw new IllegalStateException("scripted");
        });

        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(store::survey);

        assertThat(dealings.trouble()).endsWith("scripted");
    }

    @ParameterizedTest
    @MethodSource("writes")
    void everyKindOfWriteIsWatched(Consumer<LeaseStore> write) {
        everyWriteEndsAs(ScriptedStore.unavailable());
        write.accept(store);
        assertThat(dealings.trouble()).endsWith("scripted outage");

        everyWriteEndsAs(WriteOutcome.APPLIED);
        write.accept(store);
        assertThat(dealings.trouble()).isNull();
    }

    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "FAILED", "UNKNOWN"})
    void noAnswerAndARefusedCommandAreTrouble(Verdict verdict) {
        behind.onClockWrite(() -> outcome(verdict));

        store.writeClock(new ClockWrite.Barrier("a#1"));

        assertThat(dealings.trouble()).endsWith("scripted trouble");
    }

    @ParameterizedTest
    @EnumSource(
            names = {"UNAVAILABLE", "FAILED", "UNKNOWN"},
            mode = Mode.EXCLUDE)
    void everyNoIsAnAnswer(Verdict verdict) {
        behind.onClockWrite(() -> outcome(verdict));

        store.writeClock(new ClockWrite.Barrier("a#1"));

        assertThat(dealings.trouble()).isNull();
        assertThat(dealings.unansweredNanos()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            names = {"UNAVAILABLE", "FAILED", "UNKNOWN", "MISSED"},
            mode = Mode.EXCLUDE)
    void troubleIsOverWithTheNextAnswer(Verdict verdict) {
        readInVain();
        behind.onClockWrite(() -> outcome(verdict));

        store.writeClock(new ClockWrite.Barrier("a#1"));

        assertThat(dealings.trouble()).isNull();
    }

    /** Every write misses a clock document that is gone; what is read next tells whether it is. */
    @ParameterizedTest
    @MethodSource("writes")
    void guardThatDidNotHoldDoesNotSayThatAllIsWellAgain(Consumer<LeaseStore> write) {
        readInVain();
        everyWriteEndsAs(WriteOutcome.MISSED);

        write.accept(store);
        assertThat(dealings.trouble()).endsWith("scripted outage");
        assertThat(dealings.unansweredNanos()).isZero();

        store.survey();
        assertThat(dealings.trouble()).isNull();
    }

    @Test
    void troubleIsCountedFromItsFirstFailureAndToldWithItsLast() {
        readInVain();
        clock.advance(7 * SECOND);
        behind.onClockWrite(ScriptedStore::unknown);
        store.writeClock(new ClockWrite.Barrier("a#1"));
        clock.advance(5 * SECOND);

        assertThat(dealings.trouble())
                .contains(" 12 s")
                .endsWith("scripted loss of the answer")
                .doesNotContain("outage");
    }

    @Test
    void troubleThatCameBackIsCountedAnew() {
        readInVain();
        clock.advance(60 * SECOND);
        store.survey();
        readInVain();
        clock.advance(SECOND);

        assertThat(dealings.trouble()).contains(" 1 s");
    }

    @Test
    void troubleIsCountedByElapsedTimeAlone() {
        readInVain();
        clock.stepWall(3600 * SECOND);
        clock.stepMonotonic(2 * SECOND);

        assertThat(dealings.trouble()).contains(" 2 s");
    }

    @Test
    void idleTransactionsThatMayNotBeListedAreNoTrouble() {
        behind.onIdleTransactions(() -> {
            throw new LeaseUnavailableException("scripted refusal of the listing", null);
        });

        assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(store::idleTransactions);

        assertThat(dealings.trouble()).isNull();
    }

    @ParameterizedTest
    @MethodSource("reads")
    void readIsUnderWayUntilItHasEnded(Consumer<LeaseStore> read) {
        behind.onRead(() -> {
            clock.advance(3 * SECOND);
            assertThat(dealings.unansweredNanos()).isEqualTo(3 * SECOND);
            throw new LeaseUnavailableException("scripted outage", null);
        });

        assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> read.accept(store));

        assertThat(dealings.unansweredNanos()).isZero();
    }

    @Test
    void whatIsAskedAboutIdleTransactionsIsUnderWayUntilItHasEnded() {
        Runnable slowly = () -> {
            clock.advance(3 * SECOND);
            assertThat(dealings.unansweredNanos()).isEqualTo(3 * SECOND);
        };
        behind.onIdleTransactions(slowly);
        behind.onEndTransactions(slowly);

        store.idleTransactions();
        assertThat(dealings.unansweredNanos()).isZero();

        store.endTransactions(List.of());
        assertThat(dealings.unansweredNanos()).isZero();
    }

    @Test
    void writeIsUnderWayUntilItHasEnded() {
        behind.onClockWrite(() -> {
            clock.advance(3 * SECOND);
            assertThat(dealings.unansweredNanos()).isEqualTo(3 * SECOND);
            return WriteOutcome.APPLIED;
        });

        store.writeClock(new ClockWrite.Barrier("a#1"));

        assertThat(dealings.unansweredNanos()).isZero();
    }
}
