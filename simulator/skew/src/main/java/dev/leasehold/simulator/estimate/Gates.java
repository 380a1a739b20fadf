package dev.leasehold.simulator.estimate;

import dev.leasehold.simulator.estimate.Circumstances.Kind;

/**
 * What became of transactions that a lease gates.
 *
 * @param kind of the lease
 * @param scenario one of those in which the holder lives
 * @param shares of all histories
 */
public record Gates(Kind kind, Scenario scenario, GateShares shares) {}
