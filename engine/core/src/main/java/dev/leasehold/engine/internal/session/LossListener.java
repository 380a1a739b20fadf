package dev.leasehold.engine.internal.session;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.internal.rules.LogContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hears of tenures that ended without their holder's doing. Called on the engine's own thread; must not block. */
public interface LossListener {

    /**
     * A tenure is over. Its belief is ended right after this, for good: who finds the end of it finds that this was told before.
     *
     * @param tenure what was lost
     * @param reason why
     */
    void onLost(Tenure tenure, Reason reason);

    /**
     * A caller has asked for the end of a tenure, whoever keeps it. Its belief was ended before. Called on that caller's thread.
     *
     * @param tenure what is given up; most often nobody keeps it
     */
    default void onCallerRelease(Tenure tenure) {}

    /** Where there is no handle to tell, the log is told. */
    static void log(Tenure tenure, Reason reason) {
        Logger log = LoggerFactory.getLogger(LossListener.class);
        log.warn("{}: lost: {}", LogContext.of(tenure), describe(reason));
    }

    /** A reason in one clause, for people. */
    static String describe(Reason reason) {
        return switch (reason) {
            case EXPIRED -> "the time for which it was granted has passed without a renewal";
            case TAKEN_OVER -> "somebody else has ended its tenure";
            case EVICTED -> "the session that kept it was ended by others, since its time was over";
            case NOT_RENEWED -> "it could not be renewed until the time for which it was granted had passed";
            case CLOCK_ANOMALY ->
                "time of day has passed the end of the granted time, although monotonic time has not; or the stored time of this"
                        + " engine is ahead of its clock";
            case CLOSED -> "the engine was closed";
            case ENGINE_FAILED -> "an error in one of the engine's threads has closed it";
        };
    }
}
