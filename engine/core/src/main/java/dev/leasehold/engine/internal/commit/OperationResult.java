package dev.leasehold.engine.internal.commit;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Granted;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.Refusal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A certain answer on its way to the caller.
 *
 * @param refusal the no; null for a yes
 * @param tenure what a yes began, kept or ended; null for a no, and for a removal or a pin, which touch no tenure
 * @param stripes how many gate stripes show the tenure; 0 for none
 */
public record OperationResult(
        @Nullable Refusal refusal, @Nullable Tenure tenure, int stripes) {

    static OperationResult yes(@Nullable Tenure tenure, int stripes) {
        return new OperationResult(null, tenure, stripes);
    }

    static OperationResult no(Refusal refusal) {
        return new OperationResult(refusal, null, 0);
    }

    /** What a caller is told. Not for removals, which no caller asks for. */
    public LeaseResult toAnswer() {
        return refusal != null
                ? refusal
                : new Granted(Objects.requireNonNull(tenure, "a yes to a caller names its tenure"));
    }
}
