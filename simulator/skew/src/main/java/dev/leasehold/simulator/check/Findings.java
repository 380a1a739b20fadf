package dev.leasehold.simulator.check;

import dev.leasehold.simulator.plan.Setting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the judges of the promises have found so far. */
final class Findings {

    private final boolean inside;
    private final List<Violation> violations = new ArrayList<>(0);
    private int overlaps;
    private int broken;

    Findings(Setting setting) {
        this.inside = setting.inside();
    }

    /** A promise was broken that holds whatever clocks do. */
    void violation(Promise promise, long atNanos, @Nullable String lease, String sentence) {
        violations.add(new Violation(promise, atNanos, lease, sentence));
    }

    /** A promise was broken that holds as long as clocks keep to the bound; else it is only counted. */
    void violationInside(Promise promise, long atNanos, @Nullable String lease, String sentence) {
        if (inside) {
            violation(promise, atNanos, lease, sentence);
        } else {
            broken++;
        }
    }

    /** Two holders believed at the same instant. */
    void overlap(long atNanos, String lease, String sentence) {
        if (inside) {
            violation(Promise.T2, atNanos, lease, sentence);
        } else {
            overlaps++;
        }
    }

    boolean isInside() {
        return inside;
    }

    /** In the order of their instants. */
    List<Violation> violations() {
        if (violations.size() > 1) {
            violations.sort(Comparator.comparingLong(Violation::atNanos));
        }
        return violations;
    }

    int overlaps() {
        return overlaps;
    }

    /** How many promises about time were broken where that is no violation. */
    int broken() {
        return broken;
    }
}
