package dev.leasehold.simulator.checker;

import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What the checker says about one history.
 *
 * @param violations in the order of their instants; empty when all guarantees were kept
 * @param reached how often each state was reached that is worth counting
 */
public record Verdict(List<Violation> violations, SortedMap<String, Long> reached) {

    public Verdict {
        violations = List.copyOf(violations);
    }

    /** The first broken guarantee; null when all were kept. */
    public @Nullable Violation first() {
        return violations.isEmpty() ? null : violations.get(0);
    }
}
