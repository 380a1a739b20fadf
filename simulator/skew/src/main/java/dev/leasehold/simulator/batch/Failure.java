package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.plan.Plan;

/** A history that is not as it should be. */
public sealed interface Failure {

    /** Its place in the batch, from 0. */
    long index();

    Plan plan();

    /**
     * It breaks a promise, and did so twice in the same way.
     *
     * @param index its place in the batch
     * @param plan what was played
     * @param violation the promise, and what broke it
     */
    record Broken(long index, Plan plan, Violation violation) implements Failure {}

    /**
     * Played twice, it went in two ways.
     *
     * @param index its place in the batch
     * @param plan what was played
     * @param difference the first event that differs
     */
    record Unrepeatable(long index, Plan plan, String difference) implements Failure {}

    /**
     * The simulator itself failed.
     *
     * @param index its place in the batch
     * @param plan what was played
     * @param thrown how it failed
     */
    record Crashed(long index, Plan plan, Throwable thrown) implements Failure {}
}
