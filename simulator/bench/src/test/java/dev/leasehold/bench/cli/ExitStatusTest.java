package dev.leasehold.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ExitStatusTest {

    @Test
    @Timeout(60)
    void whoeverEndsTheRunWaitsUntilItHasClosedEverything() throws Exception {
        CompletableFuture<ExitStatus> begun = new CompletableFuture<>();
        AtomicBoolean dropped = new AtomicBoolean();
        Thread run = new Thread(() -> {
            try (ExitStatus exitStatus = ExitStatus.ofThisThread()) {
                begun.complete(exitStatus);
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
        ExitStatus exitStatus = ExitStatus.ofThisThread();
        exitStatus.close();

        exitStatus.end();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
}
