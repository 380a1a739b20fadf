package dev.leasehold.replicaset;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/** Waits for something that cannot be waited for but by asking again. */
final class Awaiting {

    private static final long PAUSE_MILLIS = 10;

    private Awaiting() {}

    /**
     * Asks until there is an answer.
     *
     * @param wanted completes the sentence "waited 30 s for ..."
     * @throws ReplicaSetUnavailableException if there is none within the limit, or if the thread is interrupted; its
     *     interrupt flag is set again then
     */
    static <T> T answer(String wanted, Duration limit, Supplier<Optional<T>> question) {
        long startNanos = System.nanoTime();
        while (true) {
            Optional<T> answer = question.get();
            if (answer.isPresent()) {
                return answer.get();
            }
            if (Duration.ofNanos(System.nanoTime() - startNanos).compareTo(limit) > 0) {
                throw new ReplicaSetUnavailableException(
                        String.format(Locale.ROOT, "waited %d ms for %s, in vain", limit.toMillis(), wanted));
            }
            pause(wanted);
        }
    }

    private static void pause(String wanted) {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ReplicaSetUnavailableException("interrupted while waiting for " + wanted, e);
        }
    }
}
