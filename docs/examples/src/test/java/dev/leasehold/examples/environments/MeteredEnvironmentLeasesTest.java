package dev.leasehold.examples.environments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.testkit.TestLeases;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MeteredEnvironmentLeasesTest {

    private static final Duration DURATION = Duration.ofSeconds(60);

    private final TestLeases time = TestLeases.create();
    private final MockClock meterClock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, meterClock);
    private final EnvironmentLeases leases =
            new MeteredEnvironmentLeases(new InProcessEnvironments(time.clock()).leases("a", DURATION), registry);

    @AfterEach
    void close() {
        time.close();
    }

    private double counted(String action, String outcome, String status) {
        return registry.get("environment-exclusion.acquisitions")
                .tags("action", action, "outcome", outcome, "status", status)
                .counter()
                .count();
    }

    private Timer timer(String action, String outcome) {
        return registry.get("environment-exclusion.lease")
                .tags("action", action, "outcome", outcome)
                .timer();
    }

    private void refuse(Action action) {
        assertThatExceptionOfType(EnvironmentInUseException.class)
                .isThrownBy(() -> leases.tryAcquire("staging", action));
    }

    @Test
    void acquisitionsAreCountedByActionOutcomeAndPriorStatus() throws Exception {
        leases.tryAcquire("staging", Action.ACTUATION);
        refuse(Action.VERIFICATION);
        refuse(Action.VERIFICATION);
        time.advance(Duration.ofMinutes(5));
        leases.tryAcquire("staging", Action.VERIFICATION);

        assertThat(counted("actuation", "granted", "free")).isEqualTo(1);
        assertThat(counted("verification", "denied", "active")).isEqualTo(2);
        assertThat(counted("verification", "granted", "expired")).isEqualTo(1);
    }

    @Test
    void aGrantIsTimedUntilItsFirstClose() throws Exception {
        EnvironmentLease lease = leases.tryAcquire("staging", Action.ACTUATION);
        meterClock.add(Duration.ofSeconds(7));
        lease.close();
        meterClock.add(Duration.ofSeconds(7));
        lease.close();

        assertThat(timer("actuation", "granted").count()).isEqualTo(1);
        assertThat(timer("actuation", "granted").totalTime(TimeUnit.SECONDS)).isEqualTo(7);
    }

    @Test
    void aRefusalIsTimed() throws Exception {
        leases.tryAcquire("staging", Action.ACTUATION);
        refuse(Action.VERIFICATION);

        assertThat(timer("verification", "denied").count()).isEqualTo(1);
    }

    @Test
    void theLeaseIsThatOfTheOthers() throws Exception {
        EnvironmentLease lease = leases.tryAcquire("staging", Action.ACTUATION);

        assertThat(lease.environment()).isEqualTo("staging");
        assertThat(lease.action()).isEqualTo(Action.ACTUATION);
        assertThat(lease.priorStatus()).isEqualTo(LeaseStatus.FREE);
        assertThat(lease.isHeld()).isTrue();
        lease.close();
        assertThat(lease.isHeld()).isFalse();
        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> lease.requireHeldIn(time.startSession()));
    }
}
