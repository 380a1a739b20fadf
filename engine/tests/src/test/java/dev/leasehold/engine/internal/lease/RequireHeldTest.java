package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.LeaseUnavailableException;
import org.junit.jupiter.api.Test;

/** A lease that is required, and why it is not held. */
class RequireHeldTest {

    private static final long SECOND = SteppedLeases.SECOND;

    private final SteppedLeases a = new SteppedLeases();

    private static LeaseNotHeldException notHeld(Lease lease) {
        return catchThrowableOfType(LeaseNotHeldException.class, lease::requireHeld);
    }

    @Test
    void nothingHappensWhileItIsHeld() throws InterruptedException {
        Lease lease = a.acquire("one");
        assertThatCode(lease::requireHeld).doesNotThrowAnyException();
    }

    @Test
    void itWasClosed() throws InterruptedException {
        Lease lease = a.acquire("one");
        lease.close();
        assertThat(notHeld(lease).tenure()).isEqualTo(lease.tenure());
        assertThat(notHeld(lease))
                .hasMessageEndingWith("under token 1: this handle of it was closed")
                .hasNoCause();
    }

    @Test
    void itWasTakenOver() throws InterruptedException {
        Lease lease = a.acquire("one");
        a.vacate("one");
        a.leaseManager.onLost(lease.tenure(), Reason.TAKEN_OVER);
        a.runtime.runDue();
        assertThat(notHeld(lease))
                .hasMessageContaining("under token 1: it was lost: ")
                .hasNoCause();
    }

    @Test
    void itWasNotRenewedBecauseOfWhatTheCauseSays() throws InterruptedException {
        Lease lease = a.acquire("one");
        LeaseUnavailableException trouble = new LeaseUnavailableException("no database", null);
        a.store.fail(trouble);
        a.runtime.runFor(31 * SECOND);
        assertThat(notHeld(lease)).hasMessageContaining("no database").hasRootCause(trouble);
    }

    @Test
    void itsTimeIsOverAndNothingHasNoticed() throws InterruptedException {
        Lease lease = a.acquire("one");
        a.clock.advance(31 * SECOND);
        assertThat(notHeld(lease)).hasMessageEndingWith("its time is over on this engine's clock");
    }
}
