package dev.leasehold.bench.measure;

import java.util.Set;

/** What one entrant did in one round. */
public interface Sample {

    /** {@return what it can be asked for} */
    Set<Quantity> quantities();

    /**
     * A value of it.
     *
     * @throws IllegalArgumentException if it cannot be asked for that
     */
    double of(Quantity quantity);

    /** {@return how many operations it counts} */
    long operations();
}
