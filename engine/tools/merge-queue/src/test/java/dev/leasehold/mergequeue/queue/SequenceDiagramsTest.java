package dev.leasehold.mergequeue.queue;

import static dev.leasehold.mergequeue.queue.QueueFixture.WINDOW;
import static dev.leasehold.mergequeue.queue.QueueFixture.status;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Three sequences of requests, of which the documentation draws the second. Three builds are expected. */
class SequenceDiagramsTest {

    private final QueueFixture queue = QueueFixture.expecting(3);

    @Test
    void successfulRun() {
        assertThat(status(queue.acquire("3", 3))).isEqualTo("pending");
        assertThat(status(queue.acquire("1", 1))).isEqualTo("pending");
        assertThat(status(queue.acquire("2", 2))).isEqualTo("pending");
        assertThat(status(queue.acquire("1", 1))).isEqualTo("pending");
        assertThat(status(queue.acquire("2", 2))).isEqualTo("pending");
        assertThat(status(queue.acquire("3", 3))).isEqualTo("acquired");
        assertThat(status(queue.success("3"))).isEqualTo("completed");
        assertThat(status(queue.acquire("1", 1))).isEqualTo("completed");
        assertThat(status(queue.acquire("2", 2))).isEqualTo("completed");
    }

    @Test
    void failureWithNewBuildComingIn() {
        assertThat(status(queue.acquire("1", 1))).isEqualTo("pending");
        assertThat(status(queue.acquire("2", 2))).isEqualTo("pending");
        assertThat(status(queue.acquire("3", 3))).isEqualTo("acquired");
        assertThat(status(queue.failure("3"))).isEqualTo("failure");
        assertThat(status(queue.acquire("1", 1))).isEqualTo("pending");
        assertThat(status(queue.acquire("2", 2))).isEqualTo("pending");
        assertThat(status(queue.acquire("next", 3))).isEqualTo("acquired");
        assertThat(status(queue.success("next"))).isEqualTo("completed");
        assertThat(status(queue.acquire("1", 1))).isEqualTo("completed");
        assertThat(status(queue.acquire("2", 2))).isEqualTo("completed");
    }

    @Test
    void failurePassedOn() {
        assertThat(status(queue.acquire("1", 1))).isEqualTo("pending");
        assertThat(status(queue.acquire("2", 2))).isEqualTo("pending");
        assertThat(status(queue.acquire("3", 3))).isEqualTo("acquired");
        queue.pollingFor(WINDOW, "1", "2");
        assertThat(status(queue.failure("3"))).isEqualTo("failure");
        assertThat(status(queue.acquire("2", 2))).isEqualTo("acquired");
        assertThat(status(queue.success("2"))).isEqualTo("completed");
        assertThat(status(queue.acquire("1", 1))).isEqualTo("completed");
    }
}
