package dev.leasehold.simulator.checker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The broken guarantees that were found so far. */
final class Violations {

    private final boolean inside;
    private final List<Violation> all = new ArrayList<>(0);
    private int overlaps;
    private int outside;

    Violations(boolean inside) {
        this.inside = inside;
    }

    /** A guarantee of tier 1 was broken, which holds whatever clocks do. */
    void add(Guarantee guarantee, long atNanos, @Nullable String lease, String sentence) {
        all.add(new Violation(guarantee, atNanos, lease, sentence));
    }

    /** A guarantee was broken that holds as long as clocks keep to the assumptions; else it is only counted. */
    void addInside(Guarantee guarantee, long atNanos, @Nullable String lease, String sentence) {
        if (inside) {
            add(guarantee, atNanos, lease, sentence);
        } else if (guarantee == Guarantee.T2) {
            overlaps++;
        } else {
            outside++;
        }
    }

    /** In the order of their instants. */
    List<Violation> inOrder() {
        all.sort(Comparator.comparingLong(Violation::atNanos));
        return all;
    }

    /** How often two holders held at once where that is no violation. */
    int overlaps() {
        return overlaps;
    }

    /** How many other guarantees about time were broken where that is no violation. */
    int outside() {
        return outside;
    }
}
