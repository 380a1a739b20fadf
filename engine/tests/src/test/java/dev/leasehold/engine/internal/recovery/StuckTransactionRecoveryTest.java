package dev.leasehold.engine.internal.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.metrics.EngineEvent.ClockBlocked;
import dev.leasehold.engine.internal.metrics.EngineEvent.StuckTransactionEnded;
import dev.leasehold.engine.internal.metrics.RecordedMetrics;
import dev.leasehold.engine.internal.store.ClockStatement;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.StampClock;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.SteppedRuntime;
import dev.leasehold.engine.world.TestClock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When an engine takes the clock document for blocked, and what it does then. */
class StuckTransactionRecoveryTest {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long GIVEN_UP = 1_050 * MILLI;
    private static final UUID STUCK = new UUID(7, 7);

    private final TestClock clock = new TestClock(TestClock.Z);
    private final ScriptedStore bare = new ScriptedStore();
    private final RecordedMetrics meters = new RecordedMetrics();
    private final SteppedRuntime runtime = new SteppedRuntime(clock);
    private final RecoveringStore store =
            new RecoveringStore("billing", bare, runtime.startThread("by hand"), new StampClock(clock), meters);
    private final LogCapture log = new LogCapture();

    @BeforeEach
    void aTransactionIsStuck() {
        bare.put(new WriterEntry.Sound("dead#1", 1, null, null, STUCK));
        bare.rests(STUCK, clock::monotonicNanos);
    }

    @AfterEach
    void everyLineNamesAWriter() {
        log.close();
        assertThat(log.lines()).allSatisfy(line -> {
            assertThat(line.getFormattedMessage()).matches("namespace 'billing', writer '(a|dead)#1': .+");
            assertThat(line.getThrowableProxy()).isNull();
        });
    }

    private void read() {
        store.read(Set.of(), "a#1");
    }

    /** The server gives the next write of the clock document alone up after a time. */
    private void givesUpTheNextAfter(long nanos) {
        bare.onClockWrite(() -> {
            clock.advance(nanos);
            return ScriptedStore.conflict();
        });
    }

    private void waitsInVain(long nanos) {
        givesUpTheNextAfter(nanos);
        assertThat(writesClock()).isEqualTo(Verdict.CONFLICT);
    }

    private Verdict commits(Map<String, Long> evicted, boolean clockApart) {
        ClockStatement clock = new ClockStatement("a#1", 0, 1, null, Set.of(), evicted, null);
        return store.commit(new GuardedTransaction(clock, List.of(), clockApart), () -> true)
                .verdict();
    }

    private Verdict writesClock() {
        return store.writeClock(new ClockWrite.Barrier("a#1")).verdict();
    }

    private void conflictsAt(long nanosLater) {
        clock.advance(nanosLater);
        bare.onCommit((transaction, mayCommit) -> ScriptedStore.conflict());
        assertThat(commits(Map.of(), false)).isEqualTo(Verdict.CONFLICT);
    }

    /** As many as it takes but for one, at once. */
    private void conflictsBegin() {
        conflictsAt(0);
        conflictsAt(0);
        conflictsAt(0);
    }

    private List<String> warnings() {
        return log.messages(Level.WARN);
    }

    @Test
    @DisplayName("ST-1: writes that waited for a second while ticks stood still end what rested between two listings")
    void aSecondWithoutProgressEndsWhatIsStuck() {
        read();
        waitsInVain(GIVEN_UP);
        assertThat(bare.ended()).as("how long it rests is not known yet").isEmpty();

        waitsInVain(GIVEN_UP);

        assertThat(bare.ended()).containsExactly(STUCK);
        assertThat(warnings()).singleElement().asString().contains("billing", "dead#1");
        assertThat(meters.events())
                .containsExactly(new ClockBlocked(), new ClockBlocked(), new StuckTransactionEnded());
    }

    @Test
    void lessThanASecondIsNotEnough() {
        read();

        waitsInVain(SECOND - 1);
        assertThat(bare.ended()).isEmpty();

        waitsInVain(SECOND);
        assertThat(bare.ended()).isEmpty();

        waitsInVain(1);
        assertThat(bare.ended()).as("all waits together").containsExactly(STUCK);
    }

    @Test
    @DisplayName("ST-2: while ticks grows no transaction is ended, for however long this engine gets no turn")
    void progressOfOthersMeansPatience() {
        read();

        for (int i = 0; i < 10; i++) {
            bare.tick();
            waitsInVain(SECOND);
        }

        assertThat(bare.ended()).isEmpty();
        assertThat(warnings()).isEmpty();
    }

    @Test
    void ticksThatWereNotSeenBeforeTheWaitProveNothing() {
        waitsInVain(GIVEN_UP);
        assertThat(meters.events()).isEmpty();

        waitsInVain(GIVEN_UP);
        assertThat(meters.events()).contains(new ClockBlocked());
    }

    @Test
    void aLongIdleNamespaceIsNotABlockedOne() {
        read();
        clock.advance(3_600 * SECOND);

        waitsInVain(SECOND / 2);

        assertThat(bare.ended()).isEmpty();
    }

    @Test
    void aWriteThatGotThroughBeginsTheCountAnew() {
        read();
        waitsInVain(SECOND / 2);
        assertThat(writesClock()).isEqualTo(Verdict.APPLIED);
        read();

        waitsInVain(SECOND / 2);

        assertThat(bare.ended()).isEmpty();
    }

    @Test
    @DisplayName("A lost answer and a slow read, as in a fail-over, are no sign of a blocked clock document")
    void aFailOverIsNotABlockedClock() {
        read();
        bare.onClockWrite(ScriptedStore::unknown);
        bare.onRead(() -> clock.advance(5 * SECOND));

        assertThat(writesClock()).isEqualTo(Verdict.UNKNOWN);

        assertThat(bare.ended()).isEmpty();
        assertThat(meters.events()).isEmpty();
    }

    @Test
    @DisplayName("An outage explains why writes were in vain: after it the count begins anew")
    void anOutageBeginsTheCountAnew() {
        read();
        bare.onClockWrite(ScriptedStore::unknown, ScriptedStore::unavailable, ScriptedStore::unknown);
        writesClock();
        clock.advance(5 * SECOND);
        writesClock();
        writesClock();
        assertThat(meters.events()).as("could not be sent").isEmpty();

        bare.onClockWrite(ScriptedStore::unknown, ScriptedStore::unknown);
        bare.onRead(ScriptedStore.failing(new LeaseUnavailableException("no primary", null)));
        writesClock();
        clock.advance(5 * SECOND);
        writesClock();

        assertThat(meters.events()).as("could not be read").isEmpty();
        assertThat(bare.ended()).isEmpty();
    }

    @Test
    @DisplayName("Conflicts that do not end are probed by a write of the clock document alone")
    void endlessConflictsAreProbed() {
        read();
        conflictsBegin();
        conflictsAt(249 * MILLI);
        assertThat(bare.clockWrites()).isEmpty();

        givesUpTheNextAfter(GIVEN_UP);
        conflictsAt(MILLI);

        assertThat(bare.clockWrites()).containsExactly(new ClockWrite.Barrier("a#1"));
        assertThat(bare.ended()).containsExactly(STUCK);
    }

    @Test
    @DisplayName(
            "Where answers are slow, it takes four conflicts: before, others' writes are as likely, and a look takes long")
    void fewConflictsAreNotProbedHoweverLongTheyTake() {
        read();
        conflictsAt(0);
        conflictsAt(SECOND);
        conflictsAt(SECOND);
        assertThat(bare.clockWrites()).isEmpty();
        givesUpTheNextAfter(GIVEN_UP);

        conflictsAt(SECOND);

        assertThat(bare.clockWrites()).containsExactly(new ClockWrite.Barrier("a#1"));
        assertThat(bare.ended()).containsExactly(STUCK);
    }

    @Test
    @DisplayName("A first listing reads no writers: it proves nothing yet, and each answer delays what waits")
    void aFirstListingReadsNoWriters() {
        read();
        conflictsBegin();
        conflictsAt(250 * MILLI);

        assertThat(bare.clockWrites()).containsExactly(new ClockWrite.Barrier("a#1"));
        assertThat(bare.surveys()).isZero();
    }

    @Test
    @DisplayName("An engine that has not read since the clock document last moved loses no time by that")
    void ticksNeedNotHaveBeenReadBeforeTheConflicts() {
        read();
        bare.tick();
        conflictsBegin();
        givesUpTheNextAfter(GIVEN_UP);

        conflictsAt(250 * MILLI);

        assertThat(bare.ended()).containsExactly(STUCK);
    }

    @Test
    @DisplayName("An outage while conflicts are probed fails nothing, and the next conflicts are probed again")
    void anOutageDuringTheListingFailsNothing() {
        conflictsBegin();
        bare.onRead(ScriptedStore.failing(new LeaseUnavailableException("no primary", null)));
        conflictsAt(250 * MILLI);

        conflictsBegin();
        givesUpTheNextAfter(GIVEN_UP);
        conflictsAt(250 * MILLI);

        assertThat(bare.ended()).containsExactly(STUCK);
    }

    @Test
    @DisplayName(
            "Where the clock document can be written, a caller's transaction holds a lease: callers are left alone")
    void aBusyLeaseEndsNoTransaction() {
        bare.removeWriter("dead#1");
        read();
        for (int i = 0; i < 100; i++) {
            conflictsAt(100 * MILLI);
        }

        assertThat(bare.clockWrites()).as("probed from time to time").hasSizeBetween(20, 40);
        assertThat(bare.ended()).isEmpty();
        assertThat(warnings()).isEmpty();
    }

    @Test
    @DisplayName(
            "Conflicts that do not end while the clock can be written are conflicts on a lease: what an engine left is ended")
    void whatHoldsALeaseIsEndedWhereNothingComesToSayWhichItWas() {
        read();
        for (int i = 0; i < 16; i++) {
            conflictsAt(100 * MILLI);
        }

        assertThat(bare.ended()).containsExactly(STUCK);
        assertThat(warnings()).singleElement().asString().contains("blocked a lease", "dead#1");
    }

    /** None of these would have come about without the clock document. */
    static List<WriteOutcome> signsOfAFreeClock() {
        return List.of(
                WriteOutcome.APPLIED,
                WriteOutcome.MISSED,
                WriteOutcome.WITHHELD,
                WriteOutcome.leaseConflict(new LeaseContentionException("scripted", null)));
    }

    @ParameterizedTest
    @MethodSource("signsOfAFreeClock")
    void aTransactionThatHadTheClockEndsARowOfConflicts(WriteOutcome sign) {
        read();
        conflictsBegin();
        clock.advance(SECOND);
        bare.onCommit((transaction, mayCommit) -> sign);
        commits(Map.of(), false);

        conflictsAt(0);

        assertThat(bare.clockWrites()).isEmpty();
    }

    @Test
    @DisplayName("ST-5: where nothing can be ended there is one warning, until the clock document moves again")
    void oneWarningAndPatience() {
        bare.endTransactions(List.of(STUCK));
        read();
        waitsInVain(SECOND);
        assertThat(warnings()).as("it may just not count as idle yet").isEmpty();

        waitsInVain(SECOND);
        waitsInVain(SECOND);
        assertThat(warnings()).singleElement().asString().contains("billing", "until the server ends it", "fsyncLock");

        assertThat(writesClock()).isEqualTo(Verdict.APPLIED);
        read();
        waitsInVain(SECOND);
        waitsInVain(SECOND);
        assertThat(warnings()).as("another time").hasSize(2);
        assertThat(meters.events())
                .as("one for each try to end what blocks")
                .hasSize(5)
                .containsOnly(new ClockBlocked());
    }

    @Test
    @DisplayName("ST-5: a listing that is refused is one warning with the reason, and no failure of the operation")
    void aRefusedListingIsOneWarning() {
        bare.onIdleTransactions(ScriptedStore.failing(new LeaseStoreException("not authorised", null)));
        read();

        waitsInVain(SECOND);
        waitsInVain(SECOND);

        assertThat(warnings()).singleElement().asString().contains("billing", "not authorised");
    }

    @Test
    void anOutageDuringTheListingIsNoWarning() {
        bare.onIdleTransactions(ScriptedStore.failing(new LeaseUnavailableException("no primary", null)));
        read();

        waitsInVain(SECOND);

        assertThat(warnings()).isEmpty();
        assertThat(bare.ended()).isEmpty();
    }

    @Test
    @DisplayName("An end that the server confirms and that does not help is said once")
    void anEndThatDoesNotHelpIsSaidOnce() {
        read();
        for (int i = 0; i < 4; i++) {
            waitsInVain(GIVEN_UP);
            bare.rests(STUCK, clock::monotonicNanos);
        }

        assertThat(warnings()).hasSize(2);
        assertThat(warnings().get(1)).contains("dead#1", "could not be ended");
        assertThat(meters.events())
                .as("each try, one transaction")
                .containsExactly(
                        new ClockBlocked(),
                        new ClockBlocked(),
                        new StuckTransactionEnded(),
                        new ClockBlocked(),
                        new ClockBlocked());
    }

    private void leaseConflictsAt(long nanosLater) {
        clock.advance(nanosLater);
        bare.onCommit((transaction, mayCommit) -> ScriptedStore.leaseConflict(transaction));
        assertThat(commits(Map.of(), true)).isEqualTo(Verdict.LEASE_CONFLICT);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName(
            "What an engine left behind, and that holds a lease without the clock, is ended too, also where each operation on it is over after one single write")
    void whatHoldsALeaseAloneIsEnded(boolean singleWrites) {
        LongConsumer conflictsAt = singleWrites ? this::singleWriteConflictsAt : this::leaseConflictsAt;
        conflictsAt.accept(0);
        conflictsAt.accept(SECOND);
        assertThat(bare.ended()).isEmpty();

        conflictsAt.accept(GIVEN_UP - SECOND);

        assertThat(bare.ended()).containsExactly(STUCK);
        assertThat(warnings()).singleElement().asString().contains("blocked a lease", "dead#1");
        assertThat(meters.events()).containsExactly(new StuckTransactionEnded());
    }

    private void singleWriteConflictsAt(long nanosLater) {
        clock.advance(nanosLater);
        bare.onLeaseWrites(writes -> ScriptedStore.conflict());
        assertThat(store.writeLeases("a#1", List.of()).verdict()).isEqualTo(Verdict.CONFLICT);
    }

    @Test
    @DisplayName(
            "A caller's transaction that holds a lease for long is left alone, and listed once in a second at the most")
    void aCallersTransactionIsLeftAlone() {
        bare.removeWriter("dead#1");

        for (int i = 0; i < 20; i++) {
            leaseConflictsAt(SECOND / 4);
        }

        assertThat(bare.ended()).isEmpty();
        assertThat(warnings()).isEmpty();
    }

    @Test
    void aListingThatIsRefusedWhileALeaseIsBlockedFailsNothing() {
        bare.onIdleTransactions(ScriptedStore.failing(new LeaseStoreException("not allowed", null)));

        leaseConflictsAt(0);
        leaseConflictsAt(GIVEN_UP);

        assertThat(bare.ended()).isEmpty();
        assertThat(warnings()).isEmpty();
    }

    /** A transaction that takes a lease from a session that is over, and removes the entry of its writer with it. */
    private Verdict evicts(String writer) {
        bare.onCommit((transaction, mayCommit) -> WriteOutcome.APPLIED);
        return commits(Map.of(writer, 1L), false);
    }

    @Test
    @DisplayName("What a writer left open is ended before it is evicted, by the engine that takes a lease from it")
    void whatTheEvictedLeftIsEnded() {
        assertThat(evicts("dead#1")).isEqualTo(Verdict.APPLIED);

        assertThat(bare.ended()).containsExactly(STUCK);
        assertThat(warnings()).singleElement().asString().contains("its session is over", "dead#1");
    }

    @Test
    void whatTheEvictedLeftIsEndedWhereItsEntryAloneIsRemoved() {
        store.writeClock(new ClockWrite.Clear(Map.of(), Map.of("dead#1", 1L)));

        assertThat(bare.ended()).containsExactly(STUCK);
    }

    @Test
    void aListingThatIsRefusedKeepsNoWriterFromBeingEvicted() {
        bare.onIdleTransactions(ScriptedStore.failing(new LeaseStoreException("not allowed", null)));

        assertThat(evicts("dead#1")).isEqualTo(Verdict.APPLIED);
        assertThat(warnings()).isEmpty();
    }

    @Test
    @DisplayName("ST-1: a listing of a moment ago, for another blockade, does not stand for the first at this one")
    void eachBlockadeHasAFirstListingOfItsOwn() {
        leaseConflictsAt(0);
        UUID later = new UUID(9, 9);
        bare.put(new WriterEntry.Sound("dead#1", 1, null, null, later));
        bare.rests(later, clock::monotonicNanos);
        conflictsBegin();

        givesUpTheNextAfter(GIVEN_UP);
        conflictsAt(SECOND / 4);

        assertThat(bare.ended()).containsExactly(later);
    }
}
