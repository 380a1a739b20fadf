package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import org.junit.jupiter.api.Test;

// example:start test
@WithReplicaSet
class InvoicesIT {
    @Test
    void aSecondRunIsRefused(TestDatabase database) throws InterruptedException {
        try (LeaseEngine engine = LeaseEngine.builder(database.newClient())
                        .database(database.name())
                        .namespace("billing")
                        .build();
                Lease first = engine.acquire(LeaseRequest.of("nightly-invoices").waitAtMost(Duration.ofSeconds(10)))) {
            assertThat(first.isHeld()).isTrue();
            assertThat(engine.tryAcquire("nightly-invoices").asOptional()).isEmpty();
        }
    }
}
// example:end test
