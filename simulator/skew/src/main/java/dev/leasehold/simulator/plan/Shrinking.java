package dev.leasehold.simulator.plan;

import java.util.function.Predicate;

/** One way of making plans simpler. What it offers is simpler by its own measure, so that it comes to an end. */
interface Shrinking {

    /**
     * Offers simpler plans, each of them simpler than the last one that was accepted.
     *
     * @param plan where to begin
     * @param accept whether the offered plan is the one to go on from
     */
    void shrink(Plan plan, Predicate<Plan> accept);
}
