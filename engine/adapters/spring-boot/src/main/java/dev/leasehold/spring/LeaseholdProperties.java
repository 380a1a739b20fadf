package dev.leasehold.spring;

import dev.leasehold.assertions.LeaseNames;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.ConstructorBinding;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of {@code leasehold.*}. What is left out has the default of {@link dev.leasehold.engine.LeaseEngineBuilder}.
 *
 * @param enabled whether there is an engine
 * @param unguarded whether the application starts without an engine although methods want one; only where enabled is false
 * @param startWithoutDatabase whether the application starts while its database is away; until it is there, what needs a lease fails
 * @param database where the leases are; by default the application's MongoDB database
 * @param collection where the leases are; by default {@code leases}
 * @param namespace leases of different namespaces have nothing to do with each other; by default the application's name
 * @param instance what this process is called in documents and listings; by default the host name and process id
 * @param partitions over how many clock documents the leases are spread; the same in all processes of the namespace
 * @param maximumDriftPpm by how much the rate of any clock may be wrong, in parts per million
 * @param sessionLength how long leases stay held after the last sign of life of their process
 * @param heartbeatPeriod from one sign of life to the next
 * @param operationBudget the longest time for one operation, retries included
 * @param commandBudget the longest time that the server may spend on one command
 * @param closeBudget the longest time for which closing blocks
 * @param retention how long the document of a vacant lease is kept
 * @param occurrenceRetention how long the record of an occurrence is kept, after which it counts as not done
 * @param housekeeping when documents that are not needed any more are removed
 * @param gated how transactions that are gated by a lease are run
 * @param elections the names of leader elections in which the application takes part, besides those that methods name
 * @param electionPriority which process leads first in all elections of those that wait: the one with the higher number
 * @param electionYields whether a leader steps down when a process with a higher priority waits
 */
@ConfigurationProperties("leasehold")
public record LeaseholdProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("refuse") Unguarded unguarded,
        @DefaultValue("false") boolean startWithoutDatabase,
        @Nullable String database,
        @Nullable String collection,
        @Nullable String namespace,
        @Nullable String instance,
        @Nullable Integer partitions,
        @Nullable Long maximumDriftPpm,
        @Nullable Duration sessionLength,
        @Nullable Duration heartbeatPeriod,
        @Nullable Duration operationBudget,
        @Nullable Duration commandBudget,
        @Nullable Duration closeBudget,
        @Nullable Duration retention,
        @Nullable Duration occurrenceRetention,
        @DefaultValue Housekeeping housekeeping,
        @DefaultValue Gated gated,
        @DefaultValue List<String> elections,
        @DefaultValue("0") int electionPriority,
        @DefaultValue("false") boolean electionYields) {

    /**
     * Bound by Spring.
     *
     * @param enabled whether there is an engine
     * @param unguarded whether the application starts without an engine although methods want one; only where enabled is false
     * @param startWithoutDatabase whether the application starts while its database is away; until it is there, what needs a lease fails
     * @param database where the leases are; by default the application's MongoDB database
     * @param collection where the leases are; by default {@code leases}
     * @param namespace leases of different namespaces have nothing to do with each other; by default the application's name
     * @param instance what this process is called in documents and listings; by default the host name and process id
     * @param partitions over how many clock documents the leases are spread; the same in all processes of the namespace
     * @param maximumDriftPpm by how much the rate of any clock may be wrong, in parts per million
     * @param sessionLength how long leases stay held after the last sign of life of their process
     * @param heartbeatPeriod from one sign of life to the next
     * @param operationBudget the longest time for one operation, retries included
     * @param commandBudget the longest time that the server may spend on one command
     * @param closeBudget the longest time for which closing blocks
     * @param retention how long the document of a vacant lease is kept
     * @param occurrenceRetention how long the record of an occurrence is kept, after which it counts as not done
     * @param housekeeping when documents that are not needed any more are removed
     * @param gated how transactions that are gated by a lease are run
     * @param elections the names of leader elections in which the application takes part, besides those that methods name
     * @param electionPriority which process leads first in all elections of those that wait: the one with the higher number
     * @param electionYields whether a leader steps down when a process with a higher priority waits
     */
    @ConstructorBinding
    public LeaseholdProperties {
        elections.forEach(LeaseholdProperties::checkElection);
    }

    private static void checkElection(String election) {
        try {
            LeaseNames.checkName(election);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("leasehold.elections: " + e.getMessage(), e);
        }
    }

    /**
     * As of 0.1.0: with the engine's retention of occurrences.
     *
     * @param enabled whether there is an engine
     * @param unguarded whether the application starts without an engine although methods want one
     * @param startWithoutDatabase whether the application starts while its database is away
     * @param database where the leases are
     * @param collection where the leases are
     * @param namespace of the leases
     * @param instance what this process is called
     * @param partitions over how many clock documents the leases are spread
     * @param maximumDriftPpm by how much the rate of any clock may be wrong, in parts per million
     * @param sessionLength how long leases stay held after the last sign of life of their process
     * @param heartbeatPeriod from one sign of life to the next
     * @param operationBudget the longest time for one operation
     * @param commandBudget the longest time for one command
     * @param closeBudget the longest time for which closing blocks
     * @param retention how long the document of a vacant lease is kept
     * @param housekeeping when documents that are not needed any more are removed
     * @param gated how transactions that are gated by a lease are run
     * @param elections the names of leader elections
     */
    public LeaseholdProperties(
            boolean enabled,
            Unguarded unguarded,
            boolean startWithoutDatabase,
            @Nullable String database,
            @Nullable String collection,
            @Nullable String namespace,
            @Nullable String instance,
            @Nullable Integer partitions,
            @Nullable Long maximumDriftPpm,
            @Nullable Duration sessionLength,
            @Nullable Duration heartbeatPeriod,
            @Nullable Duration operationBudget,
            @Nullable Duration commandBudget,
            @Nullable Duration closeBudget,
            @Nullable Duration retention,
            Housekeeping housekeeping,
            Gated gated,
            List<String> elections) {
        this(
                enabled,
                unguarded,
                startWithoutDatabase,
                database,
                collection,
                namespace,
                instance,
                partitions,
                maximumDriftPpm,
                sessionLength,
                heartbeatPeriod,
                operationBudget,
                commandBudget,
                closeBudget,
                retention,
                null,
                housekeeping,
                gated,
                elections,
                0,
                false);
    }

    /** Whether methods may run without a lease where there is no engine. */
    public enum Unguarded {
        /** The application does not start. */
        REFUSE,
        /** They run in every process, and the log says once how many they are. */
        ALLOW
    }

    /**
     * When documents that are not needed any more are removed.
     *
     * @param enabled whether this process does it
     * @param period from one time to the next
     */
    public record Housekeeping(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("10m") Duration period) {

        /**
         * Refuses what no schedule can keep.
         *
         * @param enabled whether this process does it
         * @param period 1 ms to 36,500 days
         */
        public Housekeeping {
            DurationRange.check("leasehold.housekeeping.period", period);
        }
    }

    /**
     * How transactions that are gated by a lease are run.
     *
     * @param retryTime how long a transaction that meets conflicts is run again; with zero never
     */
    public record Gated(@DefaultValue("10s") Duration retryTime) {

        /**
         * Refuses a time that is out of range.
         *
         * @param retryTime zero, or 1 ms to 36,500 days
         */
        public Gated {
            DurationRange.checkOrZero("leasehold.gated.retry-time", retryTime);
        }
    }
}
