package dev.leasehold.simulator.plan;

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
        Network network,
        Database database) {

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
            Network network,
            Database database) {
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

    Setting with(Network network) {
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

    Setting with(Database database) {
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

    /**
     * How messages between machines and the database fare. Each of the two ways of an exchange is drawn for itself.
     *
     * @param delayNanos the shortest time of one way
     * @param jitterNanos up to this is added, evenly
     * @param latePpm how many ways of a million take longer
     * @param lateNanos up to this is added to those, evenly
     * @param lostRequestPpm how many requests of a million never arrive
     * @param lostReplyPpm how many replies of a million never arrive
     * @param refusedPpm how many requests of a million the server answers with a passing error, without carrying them out
     * @param unansweredPpm how many requests of a million the server carries out and answers with a passing error
     * @param repeatedPpm how many requests of a million arrive a second time, up to {@code lateNanos} later
     */
    public record Network(
            long delayNanos,
            long jitterNanos,
            int latePpm,
            long lateNanos,
            int lostRequestPpm,
            int lostReplyPpm,
            int refusedPpm,
            int unansweredPpm,
            int repeatedPpm) {

        /** Everything arrives at once. */
        public static final Network PERFECT = new Network(0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /**
     * How the database fares.
     *
     * @param replicationNanos from a write on the primary until a majority has it
     * @param replicationJitterNanos up to this is added, evenly
     * @param lifetimeNanos how long a transaction may be open
     * @param sweepNanos how often those that are open for longer are looked for
     * @param watches whether change streams work; without, engines have to look by themselves
     */
    public record Database(
            long replicationNanos, long replicationJitterNanos, long lifetimeNanos, long sweepNanos, boolean watches) {

        /** As a server comes, and in no hurry. */
        public static final Database PLAIN = new Database(0, 0, 60_000_000_000L, 30_000_000_000L, true);
    }
}
