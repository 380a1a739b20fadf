package dev.leasehold.replicaset;

/** Lets a thread that was interrupted leave nothing behind. */
final class Closing {

    private Closing() {}

    /** Does it as if the thread had not been interrupted before. The driver refuses even to close a client otherwise. */
    static void uninterrupted(Runnable closing) {
        boolean interrupted = Thread.interrupted();
        try {
            closing.run();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
