package dev.leasehold.simulator.plan;

import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.NetworkConditions;
import org.jspecify.annotations.Nullable;

/**
 * What holds for a whole history.
 *
 * @param inside whether everything is judged strictly: clock rates keep to the drift bound, writers are never reused, no wall step
 *     hides a suspend. Outside of that, overlaps of belief are counted and are no failure
 * @param driftPpm the drift bound that the engines are told
 * @param sessionNanos the length of a session
 * @param heartbeatNanos from one acknowledgement to the next
 * @param operationNanos the budget of an operation
 * @param commandNanos the budget of one command sent to the database
 * @param closeNanos the budget of closing
 * @param retentionNanos how long vacant documents are kept
 * @param leases how many leases there are, named {@code lease-0} and so on
 * @param partitions over how many clock documents the engines spread them
 * @param lengthNanos when the last command is over and the healing begins
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

    /** One in which all leases have the same clock document, no thread is late, and of several leases none is written for itself. */
    public Setting(
            boolean inside,
            long driftPpm,
            long sessionNanos,
            long heartbeatNanos,
            long operationNanos,
            long commandNanos,
            long closeNanos,
            long retentionNanos,
            int leases,
            long lengthNanos,
            NetworkConditions network,
            DatabaseConditions database) {
        this(
                inside,
                driftPpm,
                sessionNanos,
                heartbeatNanos,
                operationNanos,
                commandNanos,
                closeNanos,
                retentionNanos,
                leases,
                1,
                lengthNanos,
                null,
                null,
                network,
                database);
    }

    /** The same, but the conditions of the promises are not kept. */
    Setting outside() {
        return new Setting(
                false,
                driftPpm,
                sessionNanos,
                heartbeatNanos,
                operationNanos,
                commandNanos,
                closeNanos,
                retentionNanos,
                leases,
                partitions,
                lengthNanos,
                threadLateNanos,
                singleWritesMax,
                network,
                database);
    }

    Setting with(NetworkConditions network) {
        return new Setting(
                inside,
                driftPpm,
                sessionNanos,
                heartbeatNanos,
                operationNanos,
                commandNanos,
                closeNanos,
                retentionNanos,
                leases,
                partitions,
                lengthNanos,
                threadLateNanos,
                singleWritesMax,
                network,
                database);
    }

    Setting with(DatabaseConditions database) {
        return new Setting(
                inside,
                driftPpm,
                sessionNanos,
                heartbeatNanos,
                operationNanos,
                commandNanos,
                closeNanos,
                retentionNanos,
                leases,
                partitions,
                lengthNanos,
                threadLateNanos,
                singleWritesMax,
                network,
                database);
    }

    Setting withLeases(int leases) {
        return new Setting(
                inside,
                driftPpm,
                sessionNanos,
                heartbeatNanos,
                operationNanos,
                commandNanos,
                closeNanos,
                retentionNanos,
                leases,
                partitions,
                lengthNanos,
                threadLateNanos,
                singleWritesMax,
                network,
                database);
    }

    Setting withPartitions(int partitions) {
        return new Setting(
                inside,
                driftPpm,
                sessionNanos,
                heartbeatNanos,
                operationNanos,
                commandNanos,
                closeNanos,
                retentionNanos,
                leases,
                partitions,
                lengthNanos,
                threadLateNanos,
                singleWritesMax,
                network,
                database);
    }

    Setting withLength(long lengthNanos) {
        return new Setting(
                inside,
                driftPpm,
                sessionNanos,
                heartbeatNanos,
                operationNanos,
                commandNanos,
                closeNanos,
                retentionNanos,
                leases,
                partitions,
                lengthNanos,
                threadLateNanos,
                singleWritesMax,
                network,
                database);
    }

    Setting withLateness(@Nullable Long threadLateNanos) {
        return new Setting(
                inside,
                driftPpm,
                sessionNanos,
                heartbeatNanos,
                operationNanos,
                commandNanos,
                closeNanos,
                retentionNanos,
                leases,
                partitions,
                lengthNanos,
                threadLateNanos,
                singleWritesMax,
                network,
                database);
    }

    Setting withSingleWrites(@Nullable Integer singleWritesMax) {
        return new Setting(
                inside,
                driftPpm,
                sessionNanos,
                heartbeatNanos,
                operationNanos,
                commandNanos,
                closeNanos,
                retentionNanos,
                leases,
                partitions,
                lengthNanos,
                threadLateNanos,
                singleWritesMax,
                network,
                database);
    }
}
