package dev.leasehold.engine.internal.session;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.runtime.LogContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Receives the tenures that ended without a release by their holder. Called on any thread of the engine; must not block. */
public interface LossListener {

    /**
     * A tenure is over. Its validity ends right after this call, for good, so a caller that sees the end can rely on
     * this call.
     */
    void onLost(Tenure tenure, Reason reason);

    /**
     * A lease is held by the session of this engine under a tenure that is not held here: another engine has granted it to a ticket of this
     * one, or its document was restored from before its release. The session would keep it for ever.
     *
     * @param writtenNanos the stamp in the document, which of a grant is that of the ticket
     */
    default void onUnknown(Tenure tenure, long writtenNanos) {}

    /** Logs a loss where there is no handle to notify. */
    static void log(Tenure tenure, Reason reason) {
        Logger log = LoggerFactory.getLogger(LossListener.class);
        log.warn("{}: lost: {}", LogContext.of(tenure), describe(reason));
    }

    /** Why a tenure is over whose extension was refused. Housekeeping removes documents of vacant leases only. */
    static Reason reasonOf(Refusal refusal) {
        return refusal.reason() == Refusal.Reason.NO_SUCH_LEASE ? Reason.LEASE_DOCUMENT_LOST : Reason.TAKEN_OVER;
    }

    static String describe(Reason reason) {
        return switch (reason) {
            case EXPIRED -> "the time for which it was granted has passed without a renewal";
            case TAKEN_OVER -> "another caller or engine has ended its tenure";
            case EVICTED ->
                "the session that kept it was removed from the clock document before it was over by this engine's"
                        + " clocks: by another engine, if this machine stood still or a clock is wrong, or else by hand";
            case LEASE_DOCUMENT_LOST -> "its document was deleted, which no engine does while it is held";
            case CLOCK_DOCUMENT_LOST ->
                "the clock document of its partition was deleted or replaced by an older one, or the collection was"
                        + " dropped or renamed: other engines cannot know any more that it is held";
            case NOT_RENEWED -> "it could not be renewed until the time for which it was granted had passed";
            case CLOCK_ANOMALY ->
                "time of day has passed the end of the granted time, although monotonic time has not; or the stored"
                        + " time of this engine is ahead of its clock";
            case HELD_TOO_LONG -> "it was held for as long as its request allows";
            case CLOSED -> "the engine was closed";
            case ENGINE_FAILED -> "an error in one of the engine's threads has closed it";
        };
    }
}
