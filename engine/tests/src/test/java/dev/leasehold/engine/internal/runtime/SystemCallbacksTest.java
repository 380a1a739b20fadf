package dev.leasehold.engine.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
    void loadsClassesAsTheEngineDoesAndNotAsTheThreadThatHappenedToStartIt() throws Exception {
        Thread starting = Thread.currentThread();
        ClassLoader before = starting.getContextClassLoader();
        CompletableFuture<ClassLoader> seen = new CompletableFuture<>();
        try (URLClassLoader ofARequest = new URLClassLoader(new URL[0], before)) {
            starting.setContextClassLoader(ofARequest);
            callbacks.execute(() -> seen.complete(Thread.currentThread().getContextClassLoader()));
        } finally {
            starting.setContextClassLoader(before);
        }

        assertThat(seen.get(1, TimeUnit.MINUTES)).isSameAs(SystemRuntime.class.getClassLoader());
        callbacks.stop();
    }

    @Test
    void taskForWhichNoThreadCanBeStartedRunsOnTheNextThatCan() throws InterruptedException {
        AtomicInteger inVain = new AtomicInteger(1);
        EngineCallbacks late = startedInVain(inVain);
        CountDownLatch ran = new CountDownLatch(2);
        late.execute(ran::countDown);

        late.execute(ran::countDown);

        assertThat(ran.await(1, TimeUnit.MINUTES)).isTrue();
        late.stop();
    }

    @Test
    void threadThatCannotBeStartedIsTriedAgainThoughNothingElseIsToBeRun() throws InterruptedException {
        AtomicInteger inVain = new AtomicInteger(2);
        EngineCallbacks late = startedInVain(inVain);
        CountDownLatch ran = new CountDownLatch(1);

        late.execute(ran::countDown);

        assertThat(ran.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(inVain).hasNegativeValue();
        late.stop();
    }

    private static EngineCallbacks startedInVain(AtomicInteger times) {
        return new SystemCallbacks(task -> {
            if (times.getAndDecrement() > 0) {
                throw new InternalError("no thread is to be had");
            }
            return new Thread(task, NAME);
        });
    }

    @Test
    @DisplayName(
            "HA-34: a caller that asks about a loss when the engine is closed hears of it, and no thread is left behind that")
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
