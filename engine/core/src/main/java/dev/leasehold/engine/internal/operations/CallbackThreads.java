package dev.leasehold.engine.internal.operations;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands callbacks to the caller's executor, on the engine's own threads: it may run a task in the calling thread, and no thread that sends
 * heartbeats may run callers' code. A task that it rejects runs on the own thread, so that no loss and no acquired lease goes unreported.
 */
public final class CallbackThreads implements Executor {

    private static final Logger LOG = LoggerFactory.getLogger(CallbackThreads.class);

    private final String namespace;
    private final Executor wanted;
    private final Executor own;

    public CallbackThreads(String namespace, Executor wanted, Executor own) {
        this.namespace = namespace;
        this.wanted = wanted;
        this.own = own;
    }

    @Override
    public void execute(Runnable task) {
        own.execute(() -> handOver(once(task)));
    }

    private void handOver(Runnable once) {
        try {
            wanted.execute(once);
        } catch (Throwable e) {
            // Not only RejectedExecutionException: an Error if no thread can be started, or any Throwable from other
            // languages.
            LOG.warn(
                    "namespace '{}': the executor for callbacks does not take one, which runs on a thread of the"
                            + " engine",
                    namespace,
                    e);
            once.run();
        }
    }

    /** An executor that throws may have accepted the task all the same. */
    private static Runnable once(Runnable task) {
        AtomicBoolean begun = new AtomicBoolean();
        return () -> {
            if (begun.compareAndSet(false, true)) {
                task.run();
            }
        };
    }
}
