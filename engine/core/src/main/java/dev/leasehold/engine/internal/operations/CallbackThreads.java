package dev.leasehold.engine.internal.operations;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs code of callers where they want it to run. What their executor does not take runs on the engine's own threads: whoever
 * asked to hear of a loss, or waits for a lease, hears of it all the same.
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
        Runnable once = once(task);
        try {
            wanted.execute(once);
        } catch (Throwable e) {
            // Not only what executors are to throw: an error where no thread can be started, and anything from other
            // languages.
            LOG.warn(
                    "namespace '{}': the executor for callbacks does not take one, which runs on a thread of the engine",
                    namespace,
                    e);
            own.execute(once);
        }
    }

    /** What was thrown does not say that the task was not taken. */
    private static Runnable once(Runnable task) {
        AtomicBoolean begun = new AtomicBoolean();
        return () -> {
            if (begun.compareAndSet(false, true)) {
                task.run();
            }
        };
    }
}
