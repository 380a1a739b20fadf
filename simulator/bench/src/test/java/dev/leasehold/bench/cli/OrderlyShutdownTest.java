package dev.leasehold.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class OrderlyShutdownTest {

    @Test
    @Timeout(60)
    void whoeverEndsTheRunWaitsUntilItHasClosedEverything() throws Exception {
        CompletableFuture<OrderlyShutdown> begun = new CompletableFuture<>();
        AtomicBoolean dropped = new AtomicBoolean();
        Thread run = new Thread(() -> {
            try (OrderlyShutdown shutdown = OrderlyShutdown.ofThisThread()) {
                begun.complete(shutdown);
                measureForEver();
                dropped.set(true);
            }
        });
        run.start();

        begun.get(30, TimeUnit.SECONDS).end();

        assertThat(dropped).isTrue();
    }

    private static void measureForEver() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            // That is the end of it.
        }
    }

    @Test
    void aRunThatIsOverIsNotInterrupted() {
        OrderlyShutdown shutdown = OrderlyShutdown.ofThisThread();
        shutdown.close();

        shutdown.end();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
}
