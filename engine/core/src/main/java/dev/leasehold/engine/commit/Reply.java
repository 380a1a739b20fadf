package dev.leasehold.engine.commit;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Granted;
import dev.leasehold.engine.LeaseAnswer;
import dev.leasehold.engine.Refusal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A certain answer on its way to the caller.
 *
 * @param refusal the no; null for a yes
 * @param tenure what a yes began, kept or ended; null for a no, and for a removal, which touches no tenure
 */
public record Reply(@Nullable Refusal refusal, @Nullable Tenure tenure) {

    static Reply yes(@Nullable Tenure tenure) {
        return new Reply(null, tenure);
    }

    static Reply no(Refusal refusal) {
        return new Reply(refusal, null);
    }

    /** What a caller is told. Not for removals, which no caller asks for. */
    public LeaseAnswer toAnswer() {
        return refusal != null
                ? refusal
                : new Granted(Objects.requireNonNull(tenure, "a yes to a caller names its tenure"));
    }
}
