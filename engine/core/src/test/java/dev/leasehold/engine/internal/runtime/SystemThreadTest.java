package dev.leasehold.engine.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.leasehold.engine.fakes.LogCapture;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The one background thread of an engine. */
class SystemThreadTest {

    private static final long PATIENCE_SECONDS = 30;

    private final SystemThread thread = new SystemThread("test");

    @AfterEach
    void stop() {
        thread.stop();
    }

    @Test
    @DisplayName("Never again 8: a task that throws ends itself alone, and neither what is queued nor what comes later")
    void taskThatThrowsEndsItselfAlone() throws Exception {
        CountDownLatch queued = new CountDownLatch(1);
        CountDownLatch delayed = new CountDownLatch(1);
        CompletableFuture<Void> allHandedIn = new CompletableFuture<>();
        thread.execute(allHandedIn::join);
        thread.execute(() -> {
            throw new IllegalStateException("a bug");
        });
        thread.execute(queued::countDown);
        thread.executeAfter(1, delayed::countDown);
        allHandedIn.complete(null);

        assertThat(queued.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(delayed.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();

        CompletableFuture<Thread> later = new CompletableFuture<>();
        thread.execute(() -> later.complete(Thread.currentThread()));
        assertThat(later.get(PATIENCE_SECONDS, TimeUnit.SECONDS).getName()).isEqualTo("test");
    }

    @Test
    void taskThatThrowsIsReported() throws Exception {
        try (LogCapture log = new LogCapture()) {
            thread.execute(() -> {
                throw new IllegalStateException("a bug");
            });
            CountDownLatch behind = new CountDownLatch(1);
            thread.execute(behind::countDown);
            assertThat(behind.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();

            assertThat(log.messages(Level.ERROR)).singleElement().asString().contains("test");
        }
    }

    @Test
    void knowsNothingOfTheThreadThatHappenedToStartIt() throws Exception {
        InheritableThreadLocal<String> request = new InheritableThreadLocal<>();
        request.set("of a user");
        CompletableFuture<Boolean> seen = new CompletableFuture<>();

        thread.execute(() -> seen.complete(request.get() != null));

        assertThat(seen.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void loadsClassesAsTheEngineDoesAndNotAsTheThreadThatHappenedToStartIt() throws Exception {
        Thread starting = Thread.currentThread();
        ClassLoader before = starting.getContextClassLoader();
        CompletableFuture<ClassLoader> seen = new CompletableFuture<>();
        try (URLClassLoader ofARequest = new URLClassLoader(new URL[0], before)) {
            starting.setContextClassLoader(ofARequest);
            thread.execute(() -> seen.complete(Thread.currentThread().getContextClassLoader()));
        } finally {
            starting.setContextClassLoader(before);
        }

        assertThat(seen.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isSameAs(SystemRuntime.class.getClassLoader());
    }

    @Test
    void engineThatNobodyClosedKeepsNoJvmAlive() throws Exception {
        CompletableFuture<Thread> worker = new CompletableFuture<>();

        thread.execute(() -> worker.complete(Thread.currentThread()));

        assertThat(worker.get(PATIENCE_SECONDS, TimeUnit.SECONDS).isDaemon()).isTrue();
    }
}
