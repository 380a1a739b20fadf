package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaderElection;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.WaiterDetails;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The wait queue of all machines, on the database in memory. */
class QueueTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final LeaseRequest WAITING = LeaseRequest.of("x").waitAtMost(Duration.ofHours(1));

    private final TestLeases leases = TestLeases.create();
    private final List<String> led = new ArrayList<>();

    @AfterEach
    void close() {
        leases.close();
    }

    private CompletableFuture<Lease> waits(String machine, LeaseRequest request) {
        CompletableFuture<Lease> waiting =
                leases.engine(machine).acquireAsync(request).toCompletableFuture();
        leases.advance(SECOND);
        assertThat(waiting).isNotDone();
        return waiting;
    }

    @Test
    @DisplayName(
            "the waiter with the highest priority is next, then the one that came first, and each release is a hand-over")
    void priorityAndThenArrival() throws InterruptedException {
        Lease first = leases.engine("a").acquire("x");
        CompletableFuture<Lease> early = waits("b", WAITING);
        CompletableFuture<Lease> late = waits("c", WAITING);
        CompletableFuture<Lease> urgent = waits("d", WAITING.priority(5));
        assertThat(leases.engine("a").admin().waiters("x"))
                .extracting(WaiterDetails::instance)
                .containsExactly("d", "b", "c");

        first.close();
        assertThat(urgent).isCompleted();
        assertThat(early).isNotDone();
        leases.advance(SECOND);
        urgent.join().close();
        assertThat(early).isCompleted();
        assertThat(late).isNotDone();
        leases.advance(SECOND);
        early.join().close();

        assertThat(late).isCompleted();
        assertThat(late.join().token()).isEqualTo(first.token() + 3);
        leases.advance(SECOND);
        assertThat(leases.engine("a").admin().waiters("x")).isEmpty();
    }

    private LeaderElection candidate(String machine, int priority) {
        LeaseEngine engine = leases.engine(machine);
        LeaderElection election = engine.elect(LeaseRequest.of("leader").priority(priority))
                .yieldToHigherPriority()
                .onGranted(lease -> led.add(machine))
                .start();
        leases.advance(Duration.ofSeconds(3));
        return election;
    }

    @Test
    @DisplayName("a leader steps down to the machine that is named, and yields to a candidate of a higher priority")
    void stepsDownAndYields() {
        LeaderElection first = candidate("a", 0);
        LeaderElection second = candidate("b", 0);
        LeaderElection third = candidate("c", 0);
        assertThat(led).containsExactly("a");

        CompletableFuture<Boolean> granted = first.stepDownTo("c").toCompletableFuture();
        leases.advance(SECOND);
        assertThat(granted).isCompletedWithValue(true);
        assertThat(third.isLeader()).isTrue();
        assertThat(second.stepDownTo("a").toCompletableFuture()).isCompletedWithValue(false);

        LeaderElection preferred = candidate("d", 1);
        leases.advance(Duration.ofSeconds(5));

        assertThat(preferred.isLeader()).isTrue();
        assertThat(led).containsExactly("a", "c", "d");
    }
}
