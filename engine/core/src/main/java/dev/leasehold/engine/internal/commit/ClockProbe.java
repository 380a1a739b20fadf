package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.metrics.EngineEvent.ClockSurveyed;
import dev.leasehold.engine.internal.metrics.EngineEvent.WritersRead;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.metrics.StoreHealth;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.session.PartitionContext;
import dev.leasehold.engine.internal.session.WriterRegistration;
import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the whole clock document every minute if there are metrics, or if the last command to the database failed:
 * otherwise an idle engine would never learn that the database answers again. No decision depends on it. Runs on the
 * engine thread until that stops.
 */
final class ClockProbe implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(ClockProbe.class);

    static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String namespace;
    private final LeaseStore store;
    private final EngineThread thread;
    private final StampClock clock;
    private final WriterRegistration registration;
    private final EngineMetrics metrics;
    private final StoreHealth storeHealth;

    ClockProbe(
            PartitionContext context, WriterRegistration registration, EngineMetrics metrics, StoreHealth storeHealth) {
        this.namespace = context.namespace();
        this.store = context.store();
        this.thread = context.thread();
        this.clock = context.clock();
        this.registration = registration;
        this.metrics = metrics;
        this.storeHealth = storeHealth;
    }

    @Override
    public void run() {
        try {
            if (metrics.measures() || storeHealth.failure() != null) {
                survey();
            }
        } catch (LeaseException e) {
            LOG.debug(
                    "namespace '{}', writer '{}': the clock document was not surveyed: {}",
                    namespace,
                    registration.writer(),
                    e.getMessage());
        } catch (RuntimeException e) {
            LOG.warn(
                    "namespace '{}', writer '{}': the survey of the clock document failed unexpectedly",
                    namespace,
                    registration.writer(),
                    e);
        } finally {
            thread.executeAfter(PERIOD_NANOS, this);
        }
    }

    private void survey() {
        ClockSurvey survey = store.survey();
        metrics.record(new WritersRead(namespace, registration.writer(), survey.writers(), clock.nowNanos()));
        metrics.record(new ClockSurveyed(namespace, survey));
    }
}
