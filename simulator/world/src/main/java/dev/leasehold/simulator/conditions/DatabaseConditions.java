package dev.leasehold.simulator.conditions;

/**
 * How the database fares.
 *
 * @param replicationNanos from a write on the primary until a majority has it
 * @param replicationJitterNanos up to this is added, evenly
 * @param lifetimeNanos how long a transaction may be open
 * @param sweepNanos how often those that are open for longer are looked for
 * @param watches whether change streams work; without, engines have to look by themselves
 */
public record DatabaseConditions(
        long replicationNanos, long replicationJitterNanos, long lifetimeNanos, long sweepNanos, boolean watches) {

    /** As a server comes, and in no hurry. */
    public static final DatabaseConditions PLAIN = new DatabaseConditions(0, 0, 60_000_000_000L, 30_000_000_000L, true);
}
