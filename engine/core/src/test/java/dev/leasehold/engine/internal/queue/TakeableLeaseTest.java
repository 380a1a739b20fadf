package dev.leasehold.engine.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.internal.time.LocalInstant;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When time alone makes it worthwhile to try a lease that was refused. */
class TakeableLeaseTest {

    private static final long BOUND = 1_000_000_000;

    private static LeaseState active(boolean session) {
        return new LeaseState.Held(
                new Tenure("billing", "one", "h", 1),
                LeaseStatus.ACTIVE,
                LocalInstant.of(BOUND),
                Instant.EPOCH,
                null,
                session,
                Set.of());
    }

    @Test
    void leaseIsTriedRightAfterItsBound() {
        assertThat(TakeableLease.fromNanos(active(true), BOUND)).isEqualTo(BOUND + 1);
        assertThat(TakeableLease.fromNanos(active(false), BOUND)).isEqualTo(BOUND + 1);
    }

    @Test
    void boundOfATermThatHasPassedSinceItWasReadIsActedOnAtOnce() {
        assertThat(TakeableLease.fromNanos(active(false), BOUND + 7)).isEqualTo(BOUND + 1);
    }

    /** It counts as active past its bound for its own engine, which would try without end. */
    @Test
    void boundOfASessionThatHasPassedIsNotActedOn() {
        assertThat(TakeableLease.fromNanos(active(true), BOUND + 7)).isNull();
    }
}
