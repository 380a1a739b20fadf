package dev.leasehold.engine.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.engine.world.Thrown;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The one background thread of an engine. */
class SystemThreadTest {

    private static final long PATIENCE_SECONDS = 30;

    private final SystemThread thread = new SystemThread("test");

    @AfterEach
    void stop() {
        thread.stop();
    }

    /** After an error the thread still has to close the engine. */
    static Stream<Throwable> thrown() {
        return Stream.of(new IllegalStateException("a bug"), new LinkageError("a bug"));
    }

    @ParameterizedTest
    @MethodSource("thrown")
    @DisplayName("Never again 8: a task that throws ends itself alone, and neither what is queued nor what comes later")
    void taskThatThrowsEndsItselfAlone(Throwable thrown) throws Exception {
        CountDownLatch queued = new CountDownLatch(1);
        CountDownLatch delayed = new CountDownLatch(1);
        CompletableFuture<Void> allHandedIn = new CompletableFuture<>();
        thread.execute(allHandedIn::join);
        thread.execute(() -> Thrown.asItIs(thrown));
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
    void tasksRunInTheOrderInWhichTheyWereSubmittedAndDelayedOnesWhenTheyAreDue() throws Exception {
        List<Integer> order = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> allHandedIn = new CompletableFuture<>();
        CountDownLatch ended = new CountDownLatch(5);
        thread.execute(allHandedIn::join);
        thread.executeAfter(TimeUnit.MILLISECONDS.toNanos(40), () -> add(5, order, ended));
        thread.executeAfter(TimeUnit.MILLISECONDS.toNanos(20), () -> add(4, order, ended));
        thread.executeAfter(Long.MAX_VALUE, () -> add(6, order, ended));
        for (int number = 1; number <= 3; number++) {
            int submitted = number;
            thread.execute(() -> add(submitted, order, ended));
        }
        allHandedIn.complete(null);

        assertThat(ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(order).containsSubsequence(1, 2, 3).containsSubsequence(4, 5).doesNotContain(6);
    }

    /** Otherwise, with more and more submitted, no pause before a retry would end. */
    @Test
    void whatIsDueGoesBeforeWhatWasSubmitted() throws Exception {
        List<Integer> order = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> allHandedIn = new CompletableFuture<>();
        CountDownLatch ended = new CountDownLatch(2);
        thread.execute(allHandedIn::join);
        thread.execute(() -> add(2, order, ended));
        thread.executeAfter(1, () -> add(1, order, ended));
        allHandedIn.complete(null);

        assertThat(ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(order).containsExactly(1, 2);
    }

    @Test
    void whatComesAgainAndAgainDoesNotKeepBackWhatWasSubmitted() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        thread.execute(this::comeAgain);
        thread.execute(ran::countDown);

        assertThat(ran.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    /** As a heartbeat does that takes as long as the time to the next one: it is always due. */
    private void comeAgain() {
        thread.executeAfter(0, this::comeAgain);
    }

    @Test
    void whatIsDueTogetherIsNotPartedByWhatItSubmits() throws Exception {
        List<Integer> order = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> allHandedIn = new CompletableFuture<>();
        CountDownLatch ended = new CountDownLatch(3);
        thread.execute(allHandedIn::join);
        thread.executeAfter(1, () -> {
            add(1, order, ended);
            thread.execute(() -> add(3, order, ended));
        });
        thread.executeAfter(2, () -> add(2, order, ended));
        allHandedIn.complete(null);

        assertThat(ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(order).containsExactly(1, 2, 3);
    }

    private static void add(int number, List<Integer> order, CountDownLatch ended) {
        order.add(number);
        ended.countDown();
    }

    @Test
    void whatWasSubmittedBeforeTheStopRunsAndNothingElse() throws Exception {
        List<String> ran = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> allHandedIn = new CompletableFuture<>();
        CompletableFuture<Thread> worker = new CompletableFuture<>();
        thread.execute(() -> {
            worker.complete(Thread.currentThread());
            allHandedIn.join();
        });
        Thread stopped = worker.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        thread.execute(() -> ran.add("submitted"));
        thread.executeAfter(1, () -> ran.add("delayed"));
        thread.stop();
        thread.execute(() -> ran.add("late"));
        thread.executeAfter(0, () -> ran.add("late and delayed"));
        allHandedIn.complete(null);
        stopped.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));

        assertThat(stopped.isAlive()).isFalse();
        assertThat(ran).containsExactly("submitted");
    }

    @Test
    void anInterruptOfOneTaskDoesNotReachTheNext() throws Exception {
        CompletableFuture<Boolean> seen = new CompletableFuture<>();
        thread.execute(() -> Thread.currentThread().interrupt());
        thread.execute(() -> seen.complete(Thread.currentThread().isInterrupted()));

        assertThat(seen.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isFalse();
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
    void engineThatWasNotClosedKeepsNoJvmAlive() throws Exception {
        CompletableFuture<Thread> worker = new CompletableFuture<>();

        thread.execute(() -> worker.complete(Thread.currentThread()));

        assertThat(worker.get(PATIENCE_SECONDS, TimeUnit.SECONDS).isDaemon()).isTrue();
    }
}
