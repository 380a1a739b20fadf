package dev.leasehold.simulator.estimate;

import dev.leasehold.simulator.estimate.Circumstances.Kind;

/**
 * How late take-overs came.
 *
 * @param kind of the lease
 * @param scenario one of those in which the holder dies
 * @param delays from the death of the holder until the next one holds
 * @param never in how many histories nobody held it by the end
 * @param ruleNanos what is computed for the worst case without a transaction that stays open
 */
public record TakeOvers(Kind kind, Scenario scenario, Sample delays, int never, long ruleNanos) {}
