package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.world.Threads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Work on a thread of the kind on which simulations are fast. */
public final class SimulationTask {

    private static final long WATCH_MILLIS = 100;

    private SimulationTask() {}

    static <T> T await(String name, Supplier<T> work) throws InterruptedException {
        return await(name, work, () -> {});
    }

    /**
     * Blocks until it is done. What it throws is thrown here.
     *
     * @param watcher runs now and then meanwhile, on the calling thread
     */
    public static <T> T await(String name, Supplier<T> work, Runnable watcher) throws InterruptedException {
        CompletableFuture<T> done = CompletableFuture.supplyAsync(work, task -> Threads.start(name, task));
        while (true) {
            try {
                return done.get(WATCH_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                watcher.run();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) e.getCause();
            }
        }
    }
}
