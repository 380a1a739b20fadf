package dev.leasehold.examples.environments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.testkit.TestLeases;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InProcessEnvironmentsTest extends EnvironmentLeasesContract {

    private final TestLeases time = TestLeases.create();
    private final InProcessEnvironments environments = new InProcessEnvironments(time.clock());

    @AfterEach
    void close() {
        time.close();
    }

    @Override
    EnvironmentLeases leases(String host, Duration duration) {
        return environments.leases(host, duration);
    }

    @Override
    Instant now() {
        return time.clock().instant();
    }

    @Override
    void advance(Duration duration) {
        time.advance(duration);
    }

    @Test
    void itIsRequiredOnlyWhileItIsHeld() throws Exception {
        EnvironmentLease lease = leases("a", DURATION).tryAcquire("staging", Action.ACTUATION);
        lease.requireHeldIn(time.startSession());
        lease.close();

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> lease.requireHeldIn(time.startSession()))
                .satisfies(e -> assertThat(e.tenure().holder()).isEqualTo("a"));
    }
}
