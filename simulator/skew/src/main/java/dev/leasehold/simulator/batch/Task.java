package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.world.Threads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/** One piece of work on a thread on which worlds are quick. */
public final class Task {

    private Task() {}

    /** Blocks until it is done. What it throws is thrown here. */
    public static <T> T await(String name, Supplier<T> work) throws InterruptedException {
        CompletableFuture<T> done = new CompletableFuture<>();
        Threads.start(name, () -> {
            try {
                done.complete(work.get());
            } catch (RuntimeException | Error e) {
                done.completeExceptionally(e);
            }
        });
        try {
            return done.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e.getCause();
        }
    }
}
