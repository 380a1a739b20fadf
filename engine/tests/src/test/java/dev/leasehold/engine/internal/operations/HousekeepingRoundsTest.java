package dev.leasehold.engine.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.store.Waiter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How housekeeping divides its work, so that heartbeats are sent in between. */
class HousekeepingRoundsTest {

    private final SteppedEngine a = SteppedEngine.atZ();

    @Test
    @DisplayName("Of many queues at most 25 are tidied before other tasks of the partition have their turn")
    void queuesAreTidiedInRounds() throws InterruptedException {
        for (int i = 0; i < 60; i++) {
            a.store.enqueue("lease " + i, new Waiter("gone#1", 1, "h", 0, null, 0, null));
        }

        a.engine.housekeeping();

        assertThat(a.store.tidied()).containsExactly(25, 25, 10);
    }
}
