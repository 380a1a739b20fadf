package dev.leasehold.engine.internal.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.leasehold.engine.internal.metrics.EngineEvent;
import dev.leasehold.engine.internal.metrics.EngineEvent.ClockHeld;
import dev.leasehold.engine.internal.metrics.EngineEvent.CommitEnded;
import dev.leasehold.engine.internal.metrics.EngineEvent.HeartbeatEnded;
import dev.leasehold.engine.internal.metrics.EngineEvent.LeasesWritten;
import dev.leasehold.engine.internal.metrics.EngineEvent.TransactionTried;
import dev.leasehold.engine.internal.metrics.RecordedMetrics;
import dev.leasehold.engine.internal.store.ClockStatement;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseGuard;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.TestClock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which events transactions, heartbeats and single writes of leases lead to. */
class ObservedStoreEventsTest {

    private static final long UPDATE = 3;
    private static final long COMMIT = 5;

    private final TestClock clock = new TestClock(TestClock.Z);
    private final ScriptedStore behind = new ScriptedStore();
    private final RecordedMetrics meters = new RecordedMetrics();
    private final ObservedStore store = new ObservedStore(
            "billing", behind, clock, new StoreHealth(clock, 10_000_000_000L), meters, () -> {}, () -> {});

    private static LeaseDocument document(String name) {
        return new LeaseDocument("billing", name, "h", 1, "a#1", 17, 18L, 0, null, Instant.EPOCH, Set.of(), 0, null);
    }

    private static GuardedTransaction transaction() {
        return new GuardedTransaction(
                new ClockStatement("a#1", 16, 17, 0L, Set.of(), Map.of(), null),
                List.of(new LeaseWrite.Insert(document("nightly"))),
                false);
    }

    private static LeaseWrite.Replace replacement(String name) {
        return new LeaseWrite.Replace(new LeaseGuard("b#1", 9, 1), document(name), true);
    }

    static Stream<Arguments> transactions() {
        return Stream.of(
                arguments(
                        named("committed", WriteOutcome.APPLIED),
                        List.of(new TransactionTried(Verdict.APPLIED, 1), new ClockHeld(8), new CommitEnded(5))),
                arguments(
                        named("not answered", ScriptedStore.unknown()),
                        List.of(new TransactionTried(Verdict.UNKNOWN, 1), new ClockHeld(8), new CommitEnded(5))),
                arguments(
                        named("withheld", WriteOutcome.WITHHELD),
                        List.of(new TransactionTried(Verdict.WITHHELD, 1), new ClockHeld(3))),
                arguments(
                        named("without the clock", ScriptedStore.conflict()),
                        List.of(new TransactionTried(Verdict.CONFLICT, 1))));
    }

    @ParameterizedTest
    @MethodSource("transactions")
    void holdIsCountedFromSendingTheUpdateAndTheCommitFromItsOwnSending(
            WriteOutcome outcome, List<EngineEvent> events) {
        behind.onCommit((transaction, mayCommit) -> {
            clock.advance(UPDATE);
            if (outcome.verdict() != Verdict.CONFLICT && mayCommit.getAsBoolean()) {
                clock.advance(COMMIT);
            }
            return outcome;
        });

        assertThat(store.commit(transaction(), () -> outcome.verdict() != Verdict.WITHHELD))
                .isEqualTo(outcome);

        assertThat(meters.events()).isEqualTo(events);
    }

    @Test
    void repeatedCommitIsACommitAndNoOtherTransaction() {
        behind.onCommitAgain(() -> {
            clock.advance(COMMIT);
            return WriteOutcome.APPLIED;
        });

        assertThat(store.commitAgain()).isEqualTo(WriteOutcome.APPLIED);

        assertThat(meters.events()).containsExactly(new CommitEnded(5));
    }

    @Test
    void heartbeatIsReportedAsAcknowledgedOnlyWhenItWasApplied() {
        ClockWrite.Heartbeat heartbeat = new ClockWrite.Heartbeat("a#1", 17, 18);
        behind.onClockWrite(() -> WriteOutcome.APPLIED, () -> WriteOutcome.MISSED, ScriptedStore::unknown);

        assertThat(store.writeClock(heartbeat)).isEqualTo(WriteOutcome.APPLIED);
        store.writeClock(heartbeat);
        store.writeClock(heartbeat);

        assertThat(meters.events())
                .containsExactly(new HeartbeatEnded(true), new HeartbeatEnded(false), new HeartbeatEnded(false));
    }

    @Test
    void otherWritesOfTheClockAreNoHeartbeats() {
        store.writeClock(new ClockWrite.Register("a#1", 16, behind.driverSession(), null));
        store.writeClock(new ClockWrite.Join("a#1", 16, 17, 30));
        store.writeClock(new ClockWrite.Leave("a#1"));

        assertThat(behind.clockWrites()).hasSize(3);
        assertThat(meters.events()).isEmpty();
    }

    @Test
    void leasesWrittenWithoutATransactionAreReportedOnceWithTheirVerdictAndTime() {
        behind.onLeaseWrites(writes -> {
            clock.advance(UPDATE);
            return WriteOutcome.MISSED;
        });

        assertThat(store.writeLeases("a#1", List.of(replacement("nightly"), replacement("hourly"))))
                .isEqualTo(WriteOutcome.MISSED);
        assertThat(meters.events()).containsExactly(new LeasesWritten(Verdict.MISSED, 3));
    }
}
