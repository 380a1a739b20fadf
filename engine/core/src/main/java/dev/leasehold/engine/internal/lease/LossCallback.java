package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.internal.rules.LogContext;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a caller's loss callback at most once. Safe for many threads. */
final class LossCallback {

    private static final Logger LOG = LoggerFactory.getLogger(LossCallback.class);

    private final Consumer<? super LeaseLoss> callback;
    private final Executor callbacks;
    private final AtomicBoolean notified = new AtomicBoolean();

    LossCallback(Consumer<? super LeaseLoss> callback, Executor callbacks) {
        this.callback = callback;
        this.callbacks = callbacks;
    }

    /** Runs the callback on the executor, the first time. */
    void notifyLost(LeaseLoss loss) {
        if (notified.compareAndSet(false, true)) {
            dispatch(loss);
        }
    }

    /** An exception must not reach the caller: the tenure is lost, and the rest of the loss handling must go on. */
    private void dispatch(LeaseLoss loss) {
        try {
            callbacks.execute(() -> call(loss));
        } catch (RuntimeException e) {
            LOG.error("{}: the callback for its loss could not be run", LogContext.of(loss.tenure()), e);
        }
    }

    private void call(LeaseLoss loss) {
        try {
            callback.accept(loss);
        } catch (Throwable e) {
            // Languages without checked exceptions may throw any Throwable.
            LOG.warn("{}: the callback for its loss has thrown", LogContext.of(loss.tenure()), e);
        }
    }
}
