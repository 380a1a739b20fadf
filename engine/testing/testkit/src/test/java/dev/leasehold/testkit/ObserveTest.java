package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseObservation;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which process leads, on the database in memory. */
class ObserveTest {

    private final TestLeases leases = TestLeases.create();
    private final List<String> told = new ArrayList<>();

    @AfterEach
    void close() {
        leases.close();
    }

    private void tell(LeaseState state) {
        told.add(
                state instanceof LeaseState.Held held
                        ? held.payload() + (held.status() == LeaseStatus.EXPIRED ? " expired" : "")
                        : "free");
    }

    @Test
    @DisplayName("an observer on a third machine is told of each leader as soon as the test lets time pass")
    void anObserverIsToldOfEachLeader() throws InterruptedException {
        LeaseObservation observation = leases.engine("observer").observe("leader", this::tell);
        leases.advance(Duration.ofSeconds(1));
        Lease first = leases.engine("a").acquire(LeaseRequest.of("leader").payload("address of a"));
        leases.advance(Duration.ofSeconds(1));
        first.close();
        leases.engine("b").acquire(LeaseRequest.of("leader").payload("address of b"));
        leases.advance(Duration.ofSeconds(1));
        assertThat(told).containsExactly("free", "address of a", "address of b");

        observation.close();
        leases.engine("b").close();
        leases.advance(Duration.ofMinutes(5));
        assertThat(told).hasSize(3);
    }
}
