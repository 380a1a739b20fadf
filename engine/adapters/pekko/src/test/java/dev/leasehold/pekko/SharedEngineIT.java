package dev.leasehold.pekko;

import static dev.leasehold.pekko.Systems.answer;
import static dev.leasehold.pekko.Systems.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class SharedEngineIT {

    private static final LeaseRequest JOBS = LeaseRequest.of("jobs").holder("a");

    @Test
    void oneThatEndedByItselfIsReplacedForTheNextWhoAsks(TestDatabase database) {
        SharedEngine shared = new SharedEngine(
                new EngineConfig(
                        "",
                        database.name(),
                        "leases",
                        "pekko",
                        1,
                        1000,
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(30)),
                database.newClient(),
                ForkJoinPool.commonPool());
        LeaseEngine first = answer(shared.get());
        // As an error in one of its threads would.
        first.close();

        assertThat(failure(shared.tryAcquire(JOBS))).isInstanceOf(LeaseEngineClosedException.class);
        assertThat(answer(shared.tryAcquire(JOBS)).asOptional()).isPresent();
        assertThat(answer(shared.get())).isNotSameAs(first);

        shared.close();
        assertThat(failure(shared.tryAcquire(JOBS))).isInstanceOf(LeaseEngineClosedException.class);
    }
}
