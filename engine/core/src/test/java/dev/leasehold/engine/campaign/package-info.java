/**
 * The fail-over campaign: processes that compete for a few leases while a seed does faults to the servers, to their
 * networks and to themselves, and a check of what they were told against the guarantees.
 *
 * <p>The check knows the guarantees alone, and nothing of how an engine keeps them.
 */
package dev.leasehold.engine.campaign;
