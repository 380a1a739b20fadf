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

    /** Acquires a lock that belongs to a thread, in one that is there for this lock alone. Any thread may release it. */
    static Held hold(String name, Callable<Held> acquire) throws Exception {
        OwnThread thread = new OwnThread("holder of " + name);
        try {
            Held held = thread.call(acquire);
            return () -> release(held, thread);
        } catch (Exception e) {
            thread.close();
            throw e;
        }
    }

    private static void release(Held held, OwnThread thread) throws Exception {
        try (thread) {
            thread.call(() -> {
                held.release();
                return held;
            });
        }
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
