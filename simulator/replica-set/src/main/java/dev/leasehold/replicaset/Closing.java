package dev.leasehold.replicaset;

import java.util.function.Supplier;

/** Lets a thread that was interrupted leave nothing behind. */
final class Closing {

    private Closing() {}

    /** Does it as if the thread had not been interrupted before. The driver refuses even to open or close a client otherwise. */
    static void uninterrupted(Runnable closing) {
        uninterrupted(() -> {
            closing.run();
            return closing;
        });
    }

    /** The same, with a result that is to be closed later. */
    static <T> T uninterrupted(Supplier<T> opening) {
        boolean interrupted = Thread.interrupted();
        try {
            return opening.get();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
