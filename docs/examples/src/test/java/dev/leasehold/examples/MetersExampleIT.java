package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class MetersExampleIT {

    private final MeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void aGrantedClaimAndARefusedOneAreCounted(TestDatabase database) throws InterruptedException {
        try (LeaseEngine engine = MetersExample.start(database.newClient(), database.name(), registry)) {
            engine.tenures().claim("invoices", "billing-7", Duration.ofSeconds(60));
            engine.tenures().claim("invoices", "billing-8", Duration.ofSeconds(60));
        }

        assertThat(claims("granted")).isEqualTo(1);
        assertThat(claims("refused")).isEqualTo(1);
    }

    private long claims(String outcome) {
        return registry.get("leasehold.operations")
                .tags("lease.namespace", "billing", "operation", "claim", "outcome", outcome)
                .timer()
                .count();
    }
}
