package dev.leasehold.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The threads for code of callers, and what is left of them behind the end. */
class SystemCallbacksTest {

    private static final String NAME = "callbacks-of-this-test";

    private final EngineCallbacks callbacks = new SystemRuntime().startCallbacks(NAME);

    @Test
    @DisplayName("HA-34: whoever asks about a loss when the engine is closed hears of it, and no thread is left behind that")
    void lateTaskRunsAndLeavesNoThread() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(2);
        callbacks.execute(ran::countDown);

        callbacks.stop();
        callbacks.execute(ran::countDown);

        assertThat(ran.await(1, TimeUnit.MINUTES)).isTrue();
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith(NAME)));
    }
}
