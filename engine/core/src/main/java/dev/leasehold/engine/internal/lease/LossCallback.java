package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.internal.rules.LogContext;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A caller who wants to hear of a loss, once. Safe for many threads. */
final class LossCallback {

    private static final Logger LOG = LoggerFactory.getLogger(LossCallback.class);

    private final Consumer<? super LeaseLoss> callback;
    private final Executor callbacks;
    private final AtomicBoolean notified = new AtomicBoolean();

    LossCallback(Consumer<? super LeaseLoss> callback, Executor callbacks) {
        this.callback = callback;
        this.callbacks = callbacks;
    }

    /** Has it told by a thread for callbacks. */
    void notifyLost(LeaseLoss loss) {
        if (notified.compareAndSet(false, true)) {
            dispatch(loss);
        }
    }

    /** The tenure is over, whether that can be told or not, and what follows from it must not be left undone. */
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
            // In a language without checked exceptions it may throw any of those too.
            LOG.warn("{}: the callback for its loss has thrown", LogContext.of(loss.tenure()), e);
        }
    }
}
