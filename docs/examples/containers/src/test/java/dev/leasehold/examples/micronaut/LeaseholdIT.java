package dev.leasehold.examples.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.health.HealthStatus;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.management.health.indicator.annotation.Liveness;
import io.micronaut.management.health.indicator.annotation.Readiness;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

@WithReplicaSet
class LeaseholdIT {

    private final MeterRegistry registry = new SimpleMeterRegistry();

    @Test
    @DisplayName("An application of Micronaut has an engine with health and meters, which ends with it")
    void anEngineWithHealthAndMeters(TestDatabase database) throws Exception {
        try (MongoClient client = database.newClient();
                ApplicationContext context = ApplicationContext.builder()
                        .singletons(client, registry)
                        .start()) {
            assertThat(registry.getMeters())
                    .as("made when the application starts")
                    .hasAtLeastOneElementOfType(Gauge.class);
            try (Lease lease =
                    context.getBean(LeaseEngine.class).tryAcquire("invoices").orElseThrow()) {
                assertThat(lease.isHeld()).isTrue();
            }
            for (Class<? extends Annotation> kind : List.of(Readiness.class, Liveness.class)) {
                HealthIndicator indicator = context.getBean(HealthIndicator.class, Qualifiers.byStereotype(kind));
                assertThat(only(indicator.getResult()).getStatus()).isEqualTo(HealthStatus.UP);
            }
        }
        assertThat(registry.getMeters()).as("gone with the engine").doesNotHaveAnyElementsOfTypes(Gauge.class);
    }

    private static HealthResult only(Publisher<HealthResult> results) {
        List<HealthResult> found = new ArrayList<>();
        results.subscribe(new Subscriber<>() {
            @Override
            public void onSubscribe(Subscription subscription) {
                subscription.request(1);
            }

            @Override
            public void onNext(HealthResult result) {
                found.add(result);
            }

            @Override
            public void onError(Throwable error) {
                throw new AssertionError(error);
            }

            @Override
            public void onComplete() {}
        });
        assertThat(found).hasSize(1);
        return found.get(0);
    }
}
