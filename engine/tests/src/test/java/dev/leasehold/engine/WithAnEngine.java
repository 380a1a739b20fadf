package dev.leasehold.engine;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests of an engine's way to the database, with threads that call it. */
abstract class WithAnEngine extends WithEngines {

    static final long SECOND = 1_000_000_000L;
    static final long PATIENCE_SECONDS = 60;

    final ExecutorService callers = Executors.newCachedThreadPool();
    TestEngine a;

    @BeforeEach
    void startOne() {
        a = engines.start("a");
    }

    @AfterEach
    void endCallers() {
        callers.shutdownNow();
    }

    /** Lets the engine make its entry in the clock document, so that what follows is transactions alone. */
    void registered() throws InterruptedException {
        a.claims("before", "h", ofSeconds(60));
        a.hooks().forgetCommands();
    }

    static <T> T get(Future<T> future) throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }
}
