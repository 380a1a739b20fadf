package dev.leasehold.engine.internal.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.store.ClockStatement;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.TestClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

/** Which commands to the database count as failed. */
class ObservedStoreHealthTest {

    private static final long SECOND = 1_000_000_000;
    private static final GuardedTransaction TRANSACTION =
            new GuardedTransaction(new ClockStatement("a#1", 16, 17, 0L, Set.of(), Map.of(), null), List.of(), false);

    private final TestClock clock = new TestClock(TestClock.Z);
    private final ScriptedStore behind = new ScriptedStore();
    private final StoreHealth storeHealth = new StoreHealth(clock, 10 * SECOND);
    private final ObservedStore store =
            new ObservedStore("billing", behind, clock, storeHealth, EngineMetrics.NONE, () -> {}, () -> {});

    static Stream<Named<Consumer<LeaseStore>>> reads() {
        return Stream.of(
                Named.of("read", store -> store.read(Set.of("nightly"), "a#1")),
                Named.of("page", store -> store.page(null, 5, "a#1")),
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
        behind.onRead(ScriptedStore.failing(new LeaseUnavailableException("scripted outage", null)));
        assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(store::survey);
    }

    /** A thread that posts a task for the one that sends it must see that this thread waits for the database. */
    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandCountsAsUnansweredAsLongAsItRuns(Method command) throws Exception {
        AtomicReference<@Nullable Boolean> unanswered = new AtomicReference<>();
        LeaseStore database = (LeaseStore) Proxy.newProxyInstance(
                LeaseStore.class.getClassLoader(), new Class<?>[] {LeaseStore.class}, (proxy, method, arguments) -> {
                    unanswered.set(storeHealth.isUnanswered());
                    throw new LeaseUnavailableException("scripted outage", null);
                });
        LeaseStore observed =
                new ObservedStore("billing", database, clock, storeHealth, EngineMetrics.NONE, () -> {}, () -> {});

        assertThatExceptionOfType(InvocationTargetException.class)
                .isThrownBy(() -> command.invoke(observed, argumentsOf(command)));

        assertThat(unanswered).hasValue(true);
        assertThat(storeHealth.isUnanswered()).isFalse();
    }

    /** All that is sent while the engine runs, and not on a thread of its own. */
    static Stream<Method> commands() {
        return Stream.of(LeaseStore.class.getMethods())
                .filter(method -> !Set.of("open", "servers", "driverSession", "changes", "close")
                        .contains(method.getName()));
    }

    private static Object[] argumentsOf(Method command) {
        return Stream.of(command.getParameterTypes())
                .map(type -> {
                    if (type == int.class) {
                        return (Object) 5;
                    } else if (type == long.class) {
                        return (Object) 5L;
                    } else if (type == String.class) {
                        return "a";
                    } else if (type == Set.class) {
                        return Set.of("a");
                    } else if (type == ClockWrite.class) {
                        return new ClockWrite.Barrier("a#1");
                    } else if (type == GuardedTransaction.class) {
                        return TRANSACTION;
                    } else if (type == OccurrenceRecord.class) {
                        return new OccurrenceRecord(new Tenure("n", "a", "h", 1), "o", Instant.EPOCH);
                    } else {
                        return type == BooleanSupplier.class ? (BooleanSupplier) () -> true : List.of();
                    }
                })
                .toArray();
    }

    @ParameterizedTest
    @MethodSource("reads")
    void readThatThrowsIsTroubleUntilOneOfAnyKindGoesWell(Consumer<LeaseStore> read) {
        behind.onRead(ScriptedStore.failing(new LeaseUnavailableException("scripted outage", null)));

        assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> read.accept(store));
        assertThat(storeHealth.failure()).endsWith("scripted outage");

        read.accept(store);
        assertThat(storeHealth.failure()).isNull();
    }

    @Test
    void unexpectedFailureIsTroubleToo() {
        behind.onRead(ScriptedStore.failing(new IllegalStateException("scripted")));

        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(store::survey);

        assertThat(storeHealth.failure()).endsWith("scripted");
    }

    @ParameterizedTest
    @MethodSource("writes")
    void everyKindOfWriteIsWatched(Consumer<LeaseStore> write) {
        everyWriteEndsAs(ScriptedStore.unavailable());
        write.accept(store);
        assertThat(storeHealth.failure()).endsWith("scripted outage");

        everyWriteEndsAs(WriteOutcome.APPLIED);
        write.accept(store);
        assertThat(storeHealth.failure()).isNull();
    }

    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "FAILED", "UNKNOWN"})
    void noAnswerAndARefusedCommandAreTrouble(Verdict verdict) {
        behind.onClockWrite(() -> outcome(verdict));

        store.writeClock(new ClockWrite.Barrier("a#1"));

        assertThat(storeHealth.failure()).endsWith("scripted trouble");
    }

    @ParameterizedTest
    @EnumSource(
            names = {"UNAVAILABLE", "FAILED", "UNKNOWN"},
            mode = Mode.EXCLUDE)
    void everyNoIsAnAnswer(Verdict verdict) {
        behind.onClockWrite(() -> outcome(verdict));

        store.writeClock(new ClockWrite.Barrier("a#1"));

        assertThat(storeHealth.failure()).isNull();
        assertThat(storeHealth.unansweredNanos()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            names = {"UNAVAILABLE", "FAILED", "UNKNOWN", "MISSED"},
            mode = Mode.EXCLUDE)
    void troubleIsOverWithTheNextAnswer(Verdict verdict) {
        readInVain();
        behind.onClockWrite(() -> outcome(verdict));

        store.writeClock(new ClockWrite.Barrier("a#1"));

        assertThat(storeHealth.failure()).isNull();
    }

    /** Every write misses a clock document that is gone; what is read next tells whether it is. */
    @ParameterizedTest
    @MethodSource("writes")
    void guardThatDidNotHoldDoesNotSayThatAllIsWellAgain(Consumer<LeaseStore> write) {
        readInVain();
        everyWriteEndsAs(WriteOutcome.MISSED);

        write.accept(store);
        assertThat(storeHealth.failure()).endsWith("scripted outage");
        assertThat(storeHealth.unansweredNanos()).isZero();

        store.survey();
        assertThat(storeHealth.failure()).isNull();
    }

    @Test
    void troubleIsCountedFromItsFirstFailureAndToldWithItsLast() {
        readInVain();
        clock.advance(7 * SECOND);
        behind.onClockWrite(ScriptedStore::unknown);
        store.writeClock(new ClockWrite.Barrier("a#1"));
        clock.advance(5 * SECOND);

        assertThat(storeHealth.failure())
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

        assertThat(storeHealth.failure()).contains(" 1 s");
    }

    @Test
    void troubleIsCountedByElapsedTimeAlone() {
        readInVain();
        clock.stepWall(3600 * SECOND);
        clock.stepMonotonic(2 * SECOND);

        assertThat(storeHealth.failure()).contains(" 2 s");
    }

    @Test
    void idleTransactionsThatMayNotBeListedAreNoTrouble() {
        behind.onIdleTransactions(
                ScriptedStore.failing(new LeaseUnavailableException("scripted refusal of the listing", null)));

        assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(store::idleTransactions);

        assertThat(storeHealth.failure()).isNull();
    }

    @Test
    void writeIsUnderWayUntilItHasEnded() {
        behind.onClockWrite(() -> {
            clock.advance(3 * SECOND);
            assertThat(storeHealth.unansweredNanos()).isEqualTo(3 * SECOND);
            return WriteOutcome.APPLIED;
        });

        store.writeClock(new ClockWrite.Barrier("a#1"));

        assertThat(storeHealth.unansweredNanos()).isZero();
    }
}
