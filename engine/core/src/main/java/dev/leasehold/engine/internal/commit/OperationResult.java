package dev.leasehold.engine.internal.commit;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Granted;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.Refusal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The certain result of an operation.
 *
 * @param refusal why it was refused; null if it was granted
 * @param tenure what the grant began, kept or ended; null if refused, and for a removal or a pin, which change no tenure
 * @param stripes how many gate stripes carry the tenure; 0 for none
 * @param release of a release: what it has made of the lease. The tenure is that of the next holder if that waits in this engine
 */
public record OperationResult(
        @Nullable Refusal refusal, @Nullable Tenure tenure, int stripes, ReleaseOutcome release) {

    static OperationResult no(Refusal refusal) {
        return new OperationResult(refusal, null, 0, ReleaseOutcome.OVER_BEFORE);
    }

    /** The result for the caller. Not for removals, which no caller requests. */
    public LeaseResult toAnswer() {
        return refusal != null
                ? refusal
                : new Granted(Objects.requireNonNull(tenure, "a yes to a caller names its tenure"));
    }
}
