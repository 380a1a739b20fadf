package dev.leasehold.withoutmicrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseEngineBuilder;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an application sees that has the engine and no Micrometer. */
@WithReplicaSet
class WithoutMicrometerIT {

    @Test
    void micrometerIsNotThere() {
        assertThatExceptionOfType(ClassNotFoundException.class)
                .isThrownBy(() -> Class.forName("io.micrometer.core.instrument.MeterRegistry"));
    }

    @Test
    void engineStartsClaimsReleasesAndCloses(TestDatabase database) throws InterruptedException {
        List<String> done = new ArrayList<>();

        long first = NightlyRun.runForATerm(database.newClient(), database.name(), () -> done.add("first"));
        long second = NightlyRun.runForATerm(database.newClient(), database.name(), () -> done.add("second"));

        assertThat(done).containsExactly("first", "second");
        assertThat(second).isGreaterThan(first);
    }

    @Test
    void leaseIsAcquiredHeldAndClosed(TestDatabase database) throws InterruptedException {
        List<String> done = new ArrayList<>();

        long first = NightlyRun.runWhileHeld(database.newClient(), database.name(), () -> done.add("first"));
        long second = NightlyRun.runWhileHeld(database.newClient(), database.name(), () -> done.add("second"));

        assertThat(done).containsExactly("first", "second");
        assertThat(second).isEqualTo(first + 1);
    }

    @ParameterizedTest
    @ValueSource(classes = {LeaseEngine.class, LeaseEngineBuilder.class, Lease.class})
    void engineAndBuilderCanBeLookedInto(Class<?> type) {
        assertThat(type.getDeclaredFields())
                .allSatisfy(field -> assertThat(field.getGenericType()).isNotNull());
        assertThat(type.getDeclaredConstructors())
                .allSatisfy(maker -> assertThat(maker.toGenericString()).isNotEmpty());
        assertThat(Stream.of(type.getDeclaredMethods()).map(Method::toGenericString))
                .isNotEmpty()
                .noneMatch(signature -> signature.contains("micrometer"));
    }
}
