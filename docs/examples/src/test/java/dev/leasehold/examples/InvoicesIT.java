package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import org.junit.jupiter.api.Test;

// example:start test
@WithReplicaSet
class InvoicesIT {
    @Test
    void aSecondServiceIsRefused(TestDatabase database) throws InterruptedException {
        try (LeaseEngine engine = LeaseEngine.builder(database.newClient())
                .database(database.name()).namespace("billing").build()) {
            engine.claim("invoices", "billing-7", Duration.ofSeconds(60)).orElseThrow();
            assertThat(engine.claim("invoices", "billing-8", Duration.ofSeconds(60)).isGranted()).isFalse();
        }
    }
}
// example:end test
