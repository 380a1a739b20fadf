package dev.leasehold.engine.internal.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.store.IdleTransaction;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.StampClock;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.TestClock;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which open transactions count as stuck. */
class StuckTransactionsTest {

    private static final long SECOND = 1_000_000_000;
    private static final UUID OF_A = new UUID(1, 1);
    private static final UUID OF_B = new UUID(1, 2);
    private static final UUID OF_A_CALLER = new UUID(2, 1);

    private static final List<WriterEntry> WRITERS = List.of(
            new WriterEntry.Sound("a#1", 1, null, null, OF_A),
            new WriterEntry.Sound("b#1", 1, 1L, null, OF_B),
            new WriterEntry.Sound("closed#1", 1, 1L, null, null),
            new WriterEntry.Corrupt("odd#1", "time", "0"));

    private final StuckTransactionReaper reaper = new StuckTransactionReaper(
            "billing", new ScriptedStore(), new StampClock(new TestClock(TestClock.Z)), EngineMetrics.NONE);

    private Map<UUID, String> list(IdleTransaction... idle) {
        return StuckTransactionReaper.ofEngines(reaper.restingAmong(List.of(idle)), WRITERS);
    }

    private static IdleTransaction resting(UUID driverSession, long inactiveNanos) {
        return new IdleTransaction(driverSession, 1, 1_000, inactiveNanos);
    }

    @Test
    @DisplayName("ST-1: an idle transaction of a registered writer is stuck, and its writer is named")
    void idleOnesOfWritersAreStuck() {
        list(resting(OF_A, 0), resting(OF_B, 60 * SECOND));

        assertThat(list(resting(OF_A, SECOND + 1), resting(OF_B, 62 * SECOND)))
                .containsEntry(OF_A, "a#1")
                .containsEntry(OF_B, "b#1")
                .hasSize(2);
    }

    @Test
    @DisplayName("ST-3: one that was active within the last second is not stuck yet, the bound itself included")
    void recentlyActiveOnesAreNot() {
        list(resting(OF_A, 0), resting(OF_B, 60 * SECOND));

        assertThat(list(resting(OF_A, SECOND), resting(OF_B, 60 * SECOND))).isEmpty();
    }

    @Test
    @DisplayName("ST-3: what the server tells at one listing are all rests together, which may be many short ones")
    void manyShortRestsAreNoLongOne() {
        assertThat(list(resting(OF_A, 60 * SECOND))).isEmpty();

        assertThat(list(new IdleTransaction(OF_A, 1, 2_000, 62 * SECOND)))
                .as("a command since")
                .isEmpty();
        assertThat(list(new IdleTransaction(OF_A, 2, 2_000, 64 * SECOND)))
                .as("another transaction")
                .isEmpty();
        assertThat(list()).isEmpty();
        assertThat(list(new IdleTransaction(OF_A, 2, 2_000, 66 * SECOND)))
                .as("busy when it was listed")
                .isEmpty();

        assertThat(list(new IdleTransaction(OF_A, 2, 2_000, 67 * SECOND + 1))).containsOnlyKeys(OF_A);
    }

    @Test
    @DisplayName("ST-4: one of a driver session that no writer registered never is")
    void thoseOfOthersNeverAre() {
        list(resting(OF_A_CALLER, 0));

        assertThat(list(resting(OF_A_CALLER, 3_600 * SECOND))).isEmpty();
    }

    @Test
    @DisplayName(
            "Those that are about to be evicted leave behind whatever they have open, however short it rests, and no other does")
    void whatIsLeftByTheEvicted() {
        List<IdleTransaction> idle =
                List.of(resting(OF_A, 0), resting(OF_B, 60 * SECOND), resting(OF_A_CALLER, 60 * SECOND));

        assertThat(StuckTransactionReaper.leftBy(Map.of("a#1", 1L, "closed#1", 1L), idle, WRITERS))
                .containsOnly(Map.entry(OF_A, "a#1"));
    }

    @Test
    @DisplayName("An engine that goes on under another name, in the same driver session, keeps what it has open")
    void writerThatGoesOnUnderAnotherNameLeavesNothing() {
        List<WriterEntry> entries = List.of(
                new WriterEntry.Sound("a#1", 1, null, null, OF_A), new WriterEntry.Sound("a#2", 2, null, null, OF_A));

        assertThat(StuckTransactionReaper.leftBy(Map.of("a#1", 1L), List.of(resting(OF_A, 0)), entries))
                .isEmpty();
        assertThat(StuckTransactionReaper.leftBy(Map.of("a#1", 1L, "a#2", 2L), List.of(resting(OF_A, 0)), entries))
                .containsOnlyKeys(OF_A);
    }

    @Test
    @DisplayName("A writer whose time has gone on since its session was taken for over keeps what it has open")
    void whoseTimeHasGoneOnLeavesNothing() {
        assertThat(StuckTransactionReaper.leftBy(Map.of("a#1", 0L), List.of(resting(OF_A, 0)), WRITERS))
                .isEmpty();
    }
}
