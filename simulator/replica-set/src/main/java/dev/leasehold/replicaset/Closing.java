package dev.leasehold.replicaset;

import java.util.function.Supplier;

/** Lets a thread that was interrupted leave nothing behind. */
final class Closing {

    private Closing() {}

    /** Does it as if the thread were not interrupted. The driver refuses even to open or close a client otherwise. */
    static void uninterrupted(Runnable closing) {
        uninterrupted(() -> {
            closing.run();
            return closing;
        });
    }

    /**
     * The same, with a result that is to be closed later.
     *
     * @param opening repeated if the thread is interrupted meanwhile
     */
    static <T> T uninterrupted(Supplier<T> opening) {
        boolean interrupted = false;
        try {
            while (true) {
                interrupted |= Thread.interrupted();
                try {
                    return opening.get();
                } catch (RuntimeException e) {
                    if (!Thread.currentThread().isInterrupted()) {
                        throw e;
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
