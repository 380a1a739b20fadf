package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.mongodb.MongoInterruptedException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ClosingTest {

    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void anInterruptMeanwhileDoesNotKeepItFromItsEnd() {
        Closing.uninterrupted(() -> {
            if (runs.incrementAndGet() == 1) {
                // As the driver does.
                Thread.currentThread().interrupt();
                throw new MongoInterruptedException("interrupted", new InterruptedException());
            }
        });

        assertThat(Thread.interrupted()).isTrue();
        assertThat(runs).hasValue(2);
    }

    @Test
    void anotherFailureIsTheCallers() {
        Thread.currentThread().interrupt();

        assertThatIllegalStateException()
                .isThrownBy(() -> Closing.uninterrupted(() -> {
                    runs.incrementAndGet();
                    throw new IllegalStateException("no");
                }));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(runs).hasValue(1);
    }
}
