package dev.leasehold.engine.commit;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseLoss;
import org.jspecify.annotations.Nullable;

/** Hears of tenures that ended without their holder's doing. Called on the engine's own thread; must not block. */
public interface Losses {

    /** Nobody wants to know. */
    Losses IGNORED = (tenure, reason, cause) -> {};

    /**
     * A tenure is over. Its belief was ended before, for good.
     *
     * @param tenure what was lost
     * @param reason why
     * @param cause what went wrong, if anything did
     */
    void lost(Tenure tenure, LeaseLoss.Reason reason, @Nullable Throwable cause);
}
