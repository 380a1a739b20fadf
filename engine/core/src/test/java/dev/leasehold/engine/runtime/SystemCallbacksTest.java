package dev.leasehold.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The threads for code of callers, and what is left of them behind the end. */
class SystemCallbacksTest {

    private static final String NAME = "callbacks-of-this-test";

    private final EngineCallbacks callbacks = new SystemRuntime().startCallbacks(NAME);

    @Test
    void knowsNothingOfTheThreadThatHappenedToStartIt() throws Exception {
        InheritableThreadLocal<String> request = new InheritableThreadLocal<>();
        request.set("of a user");
        CompletableFuture<Boolean> seen = new CompletableFuture<>();

        callbacks.execute(() -> seen.complete(request.get() != null));

        assertThat(seen.get(1, TimeUnit.MINUTES)).isFalse();
        callbacks.stop();
    }

    @Test
    void taskForWhichNoThreadCanBeStartedRunsOnTheNextThatCan() throws InterruptedException {
        AtomicBoolean exhausted = new AtomicBoolean(true);
        EngineCallbacks late = new SystemCallbacks(task -> new Thread(task, NAME) {
            @Override
            public void start() {
                if (exhausted.get()) {
                    throw new InternalError("no thread is to be had");
                }
                super.start();
            }
        });
        CountDownLatch ran = new CountDownLatch(2);
        late.execute(ran::countDown);
        exhausted.set(false);

        late.execute(ran::countDown);

        assertThat(ran.await(1, TimeUnit.MINUTES)).isTrue();
        late.stop();
    }

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
