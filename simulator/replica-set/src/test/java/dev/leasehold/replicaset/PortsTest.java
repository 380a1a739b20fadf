package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PortsTest {

    @Test
    void fewPortsThatAreFreeAreFound() {
        assertThat(Ports.free(3, port -> port % 1_000 == 7))
                .hasSize(3)
                .doesNotHaveDuplicates()
                .allMatch(port -> port % 1_000 == 7);
    }

    /** As where this JVM has no file descriptor left. */
    @Test
    void whereNoPortIsFreeThatIsSaidAfterEachWasTried() {
        AtomicInteger tried = new AtomicInteger();

        assertThatExceptionOfType(ReplicaSetUnavailableException.class)
                .isThrownBy(() -> Ports.free(1, port -> tried.incrementAndGet() < 0))
                .withMessageContaining("of the ports 20000 to 29999, 0 are free");
        assertThat(tried).hasValue(10_000);
    }
}
