package dev.leasehold.bench.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets a run that is ended from outside close what it has opened, as it would in the end: for a while, but not for ever. */
final class OrderlyShutdown implements AutoCloseable {

    private static final long LIMIT_SECONDS = 20;

    private final Thread running = Thread.currentThread();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** For the run of this thread, which closes this when it has closed everything else. */
    static OrderlyShutdown ofThisThread() {
        OrderlyShutdown shutdown = new OrderlyShutdown();
        Runtime.getRuntime().addShutdownHook(new Thread(shutdown::end, "end of the run"));
        return shutdown;
    }

    void end() {
        if (closed.getCount() == 0) {
            return;
        }
        running.interrupt();
        try {
            if (!closed.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                System.err.println(
                        "the run did not end within " + LIMIT_SECONDS + " s: its databases may still be there");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
