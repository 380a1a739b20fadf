package dev.leasehold.examples.environments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.client.ClientSession;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.testkit.TestLeases;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With the real engine, on the test kit's database and clock. */
class MongoEnvironmentLeasesTest extends EnvironmentLeasesContract {

    private final TestLeases time = TestLeases.create();

    @AfterEach
    void close() {
        time.close();
    }

    @Override
    EnvironmentLeases leases(String host, Duration duration) {
        return new MongoEnvironmentLeases(time.engine(host), host, duration);
    }

    @Override
    Instant now() {
        return time.clock().instant();
    }

    @Override
    void advance(Duration duration) {
        time.advance(duration);
    }

    private boolean commits(EnvironmentLease lease) {
        try (ClientSession session = time.startSession()) {
            return session.withTransaction(() -> {
                lease.requireHeldIn(session);
                return true;
            });
        }
    }

    @Test
    void aTransactionCommitsUntilAnotherHasTheLease() throws Exception {
        EnvironmentLease first = leases("a", DURATION).tryAcquire("staging", Action.ACTUATION);
        assertThat(commits(first)).isTrue();
        time.machine("b").engine().refresh(List.of("staging"));
        advance(Duration.ofMinutes(5));
        EnvironmentLease second = leases("b", DURATION).tryAcquire("staging", Action.ACTUATION);

        assertThat(commits(second)).isTrue();
        assertThatExceptionOfType(LeaseNotHeldException.class).isThrownBy(() -> commits(first));
    }

    @Test
    void aClockThatIsFastTakesNothingFromALiveHolder() throws Exception {
        EnvironmentLease lease = leases("a", DURATION).tryAcquire("staging", Action.ACTUATION);
        time.engine("fast", Duration.ofMinutes(10));

        assertThatExceptionOfType(EnvironmentInUseException.class)
                .isThrownBy(() -> leases("fast", DURATION).tryAcquire("staging", Action.VERIFICATION));
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void aCloseWhileTheDatabaseIsAwayThrowsNothingAndTheLeaseRunsOut() throws Exception {
        EnvironmentLease lease = leases("a", DURATION).tryAcquire("staging", Action.ACTUATION);
        time.stopDatabase();
        lease.close();
        time.startDatabase();

        assertThat(lease.isHeld()).isFalse();
        advance(Duration.ofMinutes(5));
        assertThat(leases("a", DURATION).tryAcquire("staging", Action.ACTUATION).priorStatus())
                .isEqualTo(LeaseStatus.EXPIRED);
    }

    @Test
    void aCloseOnAnInterruptedThreadThrowsNothingAndKeepsTheInterrupt() throws Exception {
        EnvironmentLease lease = leases("a", DURATION).tryAcquire("staging", Action.ACTUATION);

        Thread.currentThread().interrupt();
        lease.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void anEnvironmentThatAnOperatorPinnedIsRefusedThoughNoInstanceHasIt() throws Exception {
        leases("a", DURATION).tryAcquire("staging", Action.ACTUATION).close();
        assertThat(time.engine("a").admin().pin("staging", "maintenance")).isTrue();

        assertThatExceptionOfType(EnvironmentInUseException.class)
                .isThrownBy(() -> leases("a", DURATION).tryAcquire("staging", Action.ACTUATION))
                .satisfies(refusal -> {
                    assertThat(refusal.status()).isEqualTo(LeaseStatus.FREE);
                    assertThat(refusal.held()).isEmpty();
                    assertThat(refusal).hasMessageContaining("maintenance");
                });
    }
}
