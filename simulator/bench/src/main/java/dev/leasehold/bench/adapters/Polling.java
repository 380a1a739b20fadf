package dev.leasehold.bench.adapters;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Asks again and again, for libraries that cannot be told. */
final class Polling {

    private static final long PERIOD_MILLIS = 50;

    private Polling() {}

    /**
     * Returns the first answer.
     *
     * @throws IllegalStateException if there is none for two minutes
     */
    static <T> T until(Supplier<Optional<T>> question) throws InterruptedException {
        long startNanos = System.nanoTime();
        Optional<T> answer = question.get();
        while (answer.isEmpty()) {
            if (System.nanoTime() - startNanos > TimeUnit.SECONDS.toNanos(Locks.PATIENCE_SECONDS)) {
                throw new IllegalStateException("a lock was not free for " + Locks.PATIENCE_SECONDS + " s");
            }
            TimeUnit.MILLISECONDS.sleep(PERIOD_MILLIS);
            answer = question.get();
        }
        return answer.get();
    }
}
