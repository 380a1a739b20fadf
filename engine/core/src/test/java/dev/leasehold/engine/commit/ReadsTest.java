package dev.leasehold.engine.commit;

import static dev.leasehold.engine.commit.HandEngine.BUDGET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.engine.LeaseUnavailableException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Reads that callers ask for, and when they are made. */
class ReadsTest {

    private final HandEngine a = new HandEngine();

    @Test
    void readWhoseTimeIsOverBeforeItsTurnIsNotMade() {
        CompletableFuture<?> look = a.path.reads().look(Set.of("one"), a.nowNanos() + BUDGET);
        a.clock.advance(BUDGET + 1);

        a.runtime.runDue();

        assertThatThrownBy(look::join).hasCauseInstanceOf(LeaseUnavailableException.class);
        assertThat(a.store.reads()).isEmpty();
    }
}
