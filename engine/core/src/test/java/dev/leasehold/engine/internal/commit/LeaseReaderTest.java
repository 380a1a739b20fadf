package dev.leasehold.engine.internal.commit;

import static dev.leasehold.engine.internal.commit.FakePartition.BUDGET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.engine.LeaseUnavailableException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Reads that callers ask for, and when they are made. */
class LeaseReaderTest {

    private final FakePartition a = new FakePartition();

    @Test
    void readWhoseTimeIsOverBeforeItsTurnIsNotMade() {
        CompletableFuture<?> poll = a.partition.reads().poll(Set.of("one"), a.nowNanos() + BUDGET);
        a.clock.advance(BUDGET + 1);

        a.runtime.runDue();

        assertThatThrownBy(poll::join).hasCauseInstanceOf(LeaseUnavailableException.class);
        assertThat(a.store.reads()).isEmpty();
    }
}
