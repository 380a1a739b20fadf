package dev.leasehold.engine.internal.metrics;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Catches what a registry throws, so that no meter fails an operation: a commit that was acknowledged stays granted. Logs the
 * first failure only.
 */
public final class SafeMetrics implements EngineMetrics {

    private static final Logger LOG = LoggerFactory.getLogger(SafeMetrics.class);

    private final String namespace;
    private final EngineMetrics metrics;
    private final AtomicBoolean failureLogged = new AtomicBoolean();

    private SafeMetrics(String namespace, EngineMetrics metrics) {
        this.namespace = namespace;
        this.metrics = metrics;
    }

    /** Metrics that never throw; {@link EngineMetrics#NONE} if they cannot be created. */
    public static EngineMetrics of(String namespace, Supplier<EngineMetrics> creation) {
        try {
            return new SafeMetrics(namespace, creation.get());
        } catch (RuntimeException e) {
            LOG.warn("namespace '{}': the meters could not be made, and nothing is measured", namespace, e);
            return NONE;
        }
    }

    @Override
    public void record(EngineEvent event) {
        guarded(() -> metrics.record(event));
    }

    @Override
    public void registerGauges(IntSupplier held, IntSupplier waiting) {
        guarded(() -> metrics.registerGauges(held, waiting));
    }

    @Override
    public void close() {
        guarded(metrics::close);
    }

    private void guarded(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            if (failureLogged.compareAndSet(false, true)) {
                LOG.warn("namespace '{}': a meter failed; the engine goes on, and does not say so again", namespace, e);
            }
        }
    }
}
