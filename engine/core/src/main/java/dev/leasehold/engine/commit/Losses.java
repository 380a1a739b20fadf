package dev.leasehold.engine.commit;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseLoss;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hears of tenures that ended without their holder's doing. Called on the engine's own thread; must not block. */
public interface Losses {

    /**
     * A tenure is over. Its belief was ended before, for good.
     *
     * @param tenure what was lost
     * @param reason why
     * @param cause what went wrong, if anything did
     */
    void lost(Tenure tenure, LeaseLoss.Reason reason, @Nullable Throwable cause);

    /** Where there is no handle to tell, the log is told. */
    static void log(Tenure tenure, LeaseLoss.Reason reason, @Nullable Throwable cause) {
        Logger log = LoggerFactory.getLogger(Losses.class);
        log.warn("{}: lost, the lease is no longer held under this token", Subject.of(tenure), cause);
    }
}
