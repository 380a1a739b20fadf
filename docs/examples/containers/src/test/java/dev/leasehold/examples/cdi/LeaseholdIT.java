package dev.leasehold.examples.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import java.lang.annotation.Annotation;
import java.util.List;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class LeaseholdIT {

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private MongoClient client;

    /** What the application has already. */
    private static final class Application implements Extension {

        private final MongoClient client;
        private final MeterRegistry registry;

        Application(MongoClient client, MeterRegistry registry) {
            this.client = client;
            this.registry = registry;
        }

        void add(@Observes AfterBeanDiscovery beans) {
            beans.<MongoClient>addBean()
                    .types(MongoClient.class)
                    .createWith((CreationalContext<MongoClient> context) -> client);
            beans.<MeterRegistry>addBean()
                    .types(MeterRegistry.class)
                    .createWith((CreationalContext<MeterRegistry> context) -> registry);
        }
    }

    @BeforeEach
    void connect(TestDatabase database) {
        client = database.newClient();
    }

    private SeContainer start() {
        return SeContainerInitializer.newInstance()
                .disableDiscovery()
                .addBeanClasses(Leasehold.class)
                .addExtensions(new Application(client, registry))
                .initialize();
    }

    @Test
    @DisplayName("A CDI application has an engine with health and meters, which ends with it")
    void anEngineWithHealthAndMeters() throws Exception {
        try (SeContainer container = start()) {
            assertThat(registry.getMeters())
                    .as("made when the application starts")
                    .hasAtLeastOneElementOfType(Gauge.class);
            try (Lease lease = container
                    .select(LeaseEngine.class)
                    .get()
                    .tryAcquire("invoices")
                    .orElseThrow()) {
                assertThat(lease.isHeld()).isTrue();
            }
            for (Annotation kind : List.of(Readiness.Literal.INSTANCE, Liveness.Literal.INSTANCE)) {
                assertThat(container
                                .select(HealthCheck.class, kind)
                                .get()
                                .call()
                                .getStatus())
                        .isEqualTo(HealthCheckResponse.Status.UP);
            }
        }
        assertThat(registry.getMeters()).as("gone with the engine").doesNotHaveAnyElementsOfTypes(Gauge.class);
    }
}
