package dev.leasehold.examples.quickstart;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A thread for each thing that a service does at the same time as others. Closing it interrupts them. */
final class ServiceThreads implements AutoCloseable {

    private final ExecutorService executor = Executors.newCachedThreadPool();

    <T> CompletableFuture<T> start(Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        executor.execute(() -> {
            try {
                result.complete(work.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /** Waits, and fails as the work did. */
    static <T> T await(CompletableFuture<T> result) {
        try {
            return result.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
