package dev.leasehold.spring;

import dev.leasehold.engine.Lease;

/**
 * This process leads from now on. Published as an application event.
 *
 * <p>Listeners run on the election's thread, one after the other. {@link LeaderLost} comes after they have returned.
 *
 * @param election the name of the election
 * @param lease under which it leads
 */
public record LeaderGranted(String election, Lease lease) {}
