package dev.leasehold.bench.adapters;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Does everything in one and the same thread, whichever asks. */
final class OwnThread implements AutoCloseable {

    private final ExecutorService thread;

    OwnThread(String name) {
        this.thread = Executors.newSingleThreadExecutor(task -> {
            Thread own = new Thread(task, name);
            own.setDaemon(true);
            return own;
        });
    }

    /**
     * Waits for an answer.
     *
     * @throws Exception what the call throws
     */
    <T> T call(Callable<T> call) throws Exception {
        try {
            return thread.submit(call).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** Interrupts what it is at. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
