package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class PartitionsExampleIT {

    @Test
    void leasesOfAllPartitionsAreOneNamespace(TestDatabase database) throws InterruptedException {
        try (LeaseEngine engine = PartitionsExample.start(database.newClient(), database.name());
                LeaseEngine another = PartitionsExample.start(database.newClient(), database.name());
                Lease invoices = engine.acquire(LeaseRequest.of("invoices").waitAtMost(Duration.ofSeconds(10)));
                Lease archive = another.acquire(LeaseRequest.of("archive").waitAtMost(Duration.ofSeconds(10)))) {
            assertThat(another.tryAcquire(invoices.name()).asOptional()).isEmpty();
            assertThat(engine.tryAcquire(archive.name()).asOptional()).isEmpty();
            assertThat(engine.leases()).extracting(LeaseState::name).containsExactly("archive", "invoices");
        }
    }
}
