package dev.leasehold.engine;

import dev.leasehold.assertions.Tenure;

/**
 * A yes: the operation is committed with a majority.
 *
 * @param tenure the tenure that a claim, take-over or extend leaves held, or that a release or expire ended
 */
public record Granted(Tenure tenure) implements LeaseResult {

    @Override
    public boolean isGranted() {
        return true;
    }

    @Override
    public Tenure orElseThrow() {
        return tenure;
    }
}
