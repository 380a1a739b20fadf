package dev.leasehold.engine.commit;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.meters.Dealings;
import dev.leasehold.engine.meters.EngineMeters;
import dev.leasehold.engine.runtime.EngineThread;
import dev.leasehold.engine.store.ClockSurvey;
import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.time.StampClock;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the whole clock document every minute, if there are meters, or if the last dealing with the database went wrong: an
 * engine that has nothing else to do would never learn that it is well again. Nothing is decided from it. Ends when the
 * engine's thread, which alone uses it, takes no more work.
 */
final class Survey implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Survey.class);

    static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String namespace;
    private final LeaseStore store;
    private final EngineThread thread;
    private final StampClock clock;
    private final Registration registration;
    private final EngineMeters meters;
    private final Dealings dealings;

    Survey(Environment environment, Registration registration, EngineMeters meters, Dealings dealings) {
        this.namespace = environment.namespace();
        this.store = environment.store();
        this.thread = environment.thread();
        this.clock = environment.clock();
        this.registration = registration;
        this.meters = meters;
        this.dealings = dealings;
    }

    @Override
    public void run() {
        try {
            if (meters.measures() || dealings.trouble() != null) {
                look();
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

    private void look() {
        ClockSurvey survey = store.survey();
        meters.writersSeen(namespace, registration.writer(), survey.writers(), clock.nowNanos());
        meters.surveyed(namespace, survey);
    }
}
