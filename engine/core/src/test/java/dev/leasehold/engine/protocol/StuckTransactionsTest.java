package dev.leasehold.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.store.IdleTransaction;
import dev.leasehold.engine.store.WriterEntry;
import java.util.List;
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

    @Test
    @DisplayName("ST-1: an idle transaction of a registered writer is stuck, and its writer is named")
    void idleOnesOfWritersAreStuck() {
        List<IdleTransaction> idle = List.of(new IdleTransaction(OF_A, SECOND + 1), new IdleTransaction(OF_B, 60 * SECOND));

        assertThat(StuckTransactions.among(idle, WRITERS)).containsEntry(OF_A, "a#1").containsEntry(OF_B, "b#1").hasSize(2);
    }

    @Test
    @DisplayName("ST-3: one that was active within the last second is not stuck yet, the bound itself included")
    void recentlyActiveOnesAreNot() {
        List<IdleTransaction> idle = List.of(new IdleTransaction(OF_A, SECOND), new IdleTransaction(OF_B, 0));

        assertThat(StuckTransactions.among(idle, WRITERS)).isEmpty();
    }

    @Test
    @DisplayName("ST-4: one of a driver session that no writer registered never is")
    void thoseOfOthersNeverAre() {
        assertThat(StuckTransactions.among(List.of(new IdleTransaction(OF_A_CALLER, 3_600 * SECOND)), WRITERS)).isEmpty();
    }
}
