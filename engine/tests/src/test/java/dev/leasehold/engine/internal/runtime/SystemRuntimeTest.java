package dev.leasehold.engine.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How callers' threads wait on the real machine. */
class SystemRuntimeTest {

    private static final long PATIENCE_SECONDS = 60;

    private final SystemRuntime runtime = new SystemRuntime();
    private final ForkJoinPool pool = new ForkJoinPool(1);

    @AfterEach
    void endThePool() {
        pool.shutdownNow();
    }

    /** As any future on a machine with many processors, where this would be the common pool. */
    private final class OfThePool extends CompletableFuture<Void> {
        @Override
        public Executor defaultExecutor() {
            return pool;
        }
    }

    private <T> T onThePool(Callable<T> task) throws Exception {
        return pool.submit(task).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void aThreadOfAForkJoinPoolRunsNoOtherTaskWhileItWaits() throws Exception {
        Set<Thread> ran = ConcurrentHashMap.newKeySet();

        boolean ranItself = onThePool(() -> {
            CompletableFuture.runAsync(() -> ran.add(Thread.currentThread()), pool);
            runtime.await(new OfThePool(), 1_000_000);
            return ran.contains(Thread.currentThread());
        });

        assertThat(ranItself).isFalse();
    }

    /** Else what it waits for could never happen, if that is a task of the pool too. */
    @Test
    void aThreadOfAForkJoinPoolThatWaitsIsReplacedMeanwhile() throws Exception {
        boolean done = onThePool(() -> {
            CompletableFuture<Void> future = new OfThePool();
            pool.execute(() -> future.complete(null));
            return runtime.await(future, TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS));
        });

        assertThat(done).isTrue();
    }

    /** As a thread of the common pool of which as many wait as that replaces. */
    @Test
    void aThreadOfAForkJoinPoolThatIsNotReplacedWaitsAllTheSame() throws Exception {
        ForkJoinPool full = new ForkJoinPool(
                1,
                ForkJoinPool.defaultForkJoinWorkerThreadFactory,
                null,
                false,
                1,
                1,
                1,
                null,
                PATIENCE_SECONDS,
                TimeUnit.SECONDS);
        try {
            CompletableFuture<Void> future = new CompletableFuture<>();
            Future<Boolean> waiting =
                    full.submit(() -> runtime.await(future, TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)));
            Awaitility.await().until(() -> waiting.isDone() || future.getNumberOfDependents() > 0);
            future.complete(null);

            assertThat(waiting.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            full.shutdownNow();
        }
    }

    @Test
    void aThreadOfAForkJoinPoolWaitsNoLongerThanItMay() throws Exception {
        assertThat(onThePool(() -> runtime.await(new OfThePool(), 1))).isFalse();
        assertThat(onThePool(() -> runtime.await(CompletableFuture.failedFuture(new Error()), 1)))
                .isTrue();
    }
}
