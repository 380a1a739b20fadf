package dev.leasehold.examples.quickstart;

import java.util.concurrent.CompletableFuture;

/** A pause that a process does not notice, such as a long garbage collection: all its threads stop, and later go on. */
final class Freeze {

    private final CompletableFuture<Void> begun = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /** Begins it, and stops the calling thread with all the others. */
    void beginHere() {
        begun.complete(null);
        pass();
    }

    /** Where a thread stops while the freeze lasts. */
    void pass() {
        if (begun.isDone()) {
            ended.join();
        }
    }

    /** Complete once it has begun. */
    CompletableFuture<Void> begun() {
        return begun;
    }

    void end() {
        ended.complete(null);
    }
}
