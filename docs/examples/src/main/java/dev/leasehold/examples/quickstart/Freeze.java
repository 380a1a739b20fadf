package dev.leasehold.examples.quickstart;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** A pause that a thread does not notice, such as a long garbage collection: it stops, and later goes on. */
final class Freeze {

    private final CompletableFuture<Void> begun = new CompletableFuture<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Stops the calling thread until the freeze ends. */
    void here() throws InterruptedException {
        begun.complete(null);
        ended.await();
    }

    /** Complete when a thread has stopped. */
    CompletableFuture<Void> begun() {
        return begun;
    }

    void end() {
        ended.countDown();
    }
}
