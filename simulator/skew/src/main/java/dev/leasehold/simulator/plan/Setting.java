package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.SECOND;

import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.NetworkConditions;
import org.jspecify.annotations.Nullable;

/**
 * What holds for a whole history.
 *
 * @param inside whether everything is checked: clock rates keep to the drift bound, writers are never reused, no wall step hides a
 *     suspend. Outside of that, overlaps of validity are counted and are no failure
 * @param driftPpm the drift bound that the engines are told
 * @param sessionNanos the length of a session
 * @param heartbeatNanos from one acknowledgement to the next
 * @param operationNanos the budget of an operation
 * @param commandNanos the budget of one command sent to the database
 * @param closeNanos the budget of closing
 * @param retentionNanos how long vacant documents are kept
 * @param leases how many leases there are, named {@code lease-0} and so on
 * @param partitions over how many clock documents the engines spread them
 * @param lengthNanos when the commands and all faults are over
 * @param threadLateNanos up to so late are the threads of handles, on all machines but the observer's; null for never
 * @param singleWritesMax how many leases engines write each for itself in one command; null for one
 * @param network how messages fare
 * @param database how the database fares
 */
public record Setting(
        boolean inside,
        long driftPpm,
        long sessionNanos,
        long heartbeatNanos,
        long operationNanos,
        long commandNanos,
        long closeNanos,
        long retentionNanos,
        int leases,
        int partitions,
        long lengthNanos,
        @Nullable Long threadLateNanos,
        @Nullable Integer singleWritesMax,
        NetworkConditions network,
        DatabaseConditions database) {

    /** The plainest one, in which nothing is done: the durations that services have, and one lease. */
    public static final Setting PLAIN = new Setting(
            true,
            1_000,
            10 * SECOND,
            3 * SECOND,
            5 * SECOND,
            2 * SECOND,
            2 * SECOND,
            3_600 * SECOND,
            1,
            1,
            0,
            null,
            null,
            NetworkConditions.PERFECT,
            DatabaseConditions.PLAIN);

    /** The same with another value of one component. */
    public Setting with(String component, @Nullable Object value) {
        return Components.with(this, component, value);
    }
}
