package dev.leasehold.simulator.history;

/** One uninterrupted holding of a lease. */
public record HeldTenure(String lease, String holder, long token) {}
