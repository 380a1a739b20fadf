/**
 * The fail-over campaign: processes that compete for a few leases while a seed does faults to the servers, to their
 * networks and to themselves. What they wrote down and what the database committed is a history for the simulator's checker.
 */
package dev.leasehold.simulator.campaign;
