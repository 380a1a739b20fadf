package dev.leasehold.engine.internal.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.store.ClockStatement;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.internal.time.StampClock;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.SteppedRuntime;
import dev.leasehold.engine.world.TestClock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an abort that did not arrive may have left open is ended by the engine that sent it. */
class LostAbortRecoveryTest {

    private static final long SECOND = 1_000_000_000;

    private final TestClock clock = new TestClock(TestClock.Z);
    private final SteppedRuntime runtime = new SteppedRuntime(clock);
    private final ScriptedStore bare = new ScriptedStore();
    private final RecoveringStore store = new RecoveringStore(
            "billing", bare, runtime.startThread("by hand"), new StampClock(clock), EngineMetrics.NONE);

    private void endsWith(Verdict verdict) {
        bare.onCommit((transaction, mayCommit) -> outcome(verdict));
        store.commit(
                new GuardedTransaction(
                        new ClockStatement("a#1", 0, 1, null, Set.of(), Map.of(), null), List.of(), false),
                () -> true);
    }

    private static WriteOutcome outcome(Verdict verdict) {
        return switch (verdict) {
            case APPLIED -> WriteOutcome.APPLIED;
            case MISSED -> WriteOutcome.MISSED;
            case WITHHELD -> WriteOutcome.WITHHELD;
            case UNAVAILABLE -> ScriptedStore.unavailable();
            case UNKNOWN -> ScriptedStore.unknown();
            case CONFLICT, LEASE_CONFLICT, FAILED -> ScriptedStore.conflict();
        };
    }

    @Test
    void clockIsWrittenAfterTheNextWhereTheThreadHadNoRoomForALook() {
        Error noMemory = new InternalError("out of memory");
        runtime.throwAtNextDelayed(noMemory);
        assertThatThrownBy(() -> endsWith(Verdict.MISSED)).isSameAs(noMemory);

        endsWith(Verdict.MISSED);
        runtime.runFor(SECOND);

        assertThat(bare.clockWrites()).containsExactly(new ClockWrite.Barrier("a#1"));
    }

    @ParameterizedTest
    @EnumSource(names = {"MISSED", "WITHHELD", "UNAVAILABLE"})
    @DisplayName("what was aborted is ended after a second by a write of the clock, if nothing else was written")
    void clockIsWrittenAfterASecond(Verdict verdict) {
        endsWith(verdict);

        runtime.runFor(SECOND - 1);
        assertThat(bare.clockWrites()).isEmpty();
        runtime.runFor(1);
        assertThat(bare.clockWrites()).containsExactly(new ClockWrite.Barrier("a#1"));
        runtime.runFor(60 * SECOND);
        assertThat(bare.clockWrites()).as("once").hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"APPLIED", "CONFLICT", "UNKNOWN"})
    void whatTheServerHasEndedOrMayCommitYetIsLeftAlone(Verdict verdict) {
        endsWith(verdict);

        runtime.runFor(60 * SECOND);

        assertThat(bare.clockWrites()).isEmpty();
    }

    @Test
    void whateverElseIsWrittenEndsItToo() {
        endsWith(Verdict.MISSED);
        store.writeClock(new ClockWrite.Barrier("a#1"));
        endsWith(Verdict.MISSED);
        bare.onLeaseWrites(writes -> WriteOutcome.APPLIED);
        store.writeLeases("a#1", List.of());
        endsWith(Verdict.MISSED);
        endsWith(Verdict.APPLIED);

        runtime.runFor(60 * SECOND);

        assertThat(bare.clockWrites()).hasSize(1);
    }

    @Test
    @DisplayName("the second counts from the last of several")
    void laterOneIsWaitedForAsLong() {
        endsWith(Verdict.MISSED);
        runtime.runFor(SECOND / 2);
        endsWith(Verdict.MISSED);

        runtime.runFor(SECOND - 1);
        assertThat(bare.clockWrites()).isEmpty();
        runtime.runFor(1);
        assertThat(bare.clockWrites()).hasSize(1);
    }

    @Test
    void isTriedAgainEachSecondUntilTheServerHasAnswered() {
        endsWith(Verdict.MISSED);
        bare.onClockWrite(
                ScriptedStore::unavailable,
                () -> {
                    throw new LeaseStoreException("no right to write", null);
                },
                ScriptedStore::unknown,
                ScriptedStore::conflict);

        runtime.runFor(60 * SECOND);

        assertThat(bare.clockWrites()).hasSize(4);
    }

    @Test
    @DisplayName(
            "Closing ends it, since an evicted writer has no entry to leave, and others do not know its driver session any more")
    void closingEndsWhatMayBeOpen() {
        endsWith(Verdict.MISSED);

        store.close();

        assertThat(bare.clockWrites()).containsExactly(new ClockWrite.Barrier("a#1"));
        assertThat(bare.closes()).isEqualTo(1);
    }

    @Test
    void closingWritesNothingWhereNothingIsOpen() {
        endsWith(Verdict.MISSED);
        store.writeClock(new ClockWrite.Leave("a#1"));

        store.close();

        assertThat(bare.clockWrites()).hasSize(1);
    }
}
