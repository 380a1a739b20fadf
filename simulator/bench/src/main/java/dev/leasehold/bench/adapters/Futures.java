package dev.leasehold.bench.adapters;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Waits for many things. */
final class Futures {

    private Futures() {}

    /** Throws what the first of them threw that did. */
    static void awaitAll(List<? extends Future<?>> futures) {
        for (Future<?> future : futures) {
            try {
                future.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            } catch (InterruptedException e) {
                throw new IllegalStateException("the thread was interrupted", e);
            }
        }
    }
}
