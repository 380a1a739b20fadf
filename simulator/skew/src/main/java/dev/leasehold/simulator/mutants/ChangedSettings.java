package dev.leasehold.simulator.mutants;

import dev.leasehold.engine.internal.commit.EngineSettings;
import dev.leasehold.engine.internal.time.Drift;

/** Engines that are configured in another way than the service has asked for. */
final class ChangedSettings {

    private static final long TEN_MILLIS_NANOS = 10_000_000;

    private ChangedSettings() {}

    /** All clocks are taken to run at the same rate. */
    static EngineSettings noMargin(EngineSettings it) {
        return changed(it, new Drift(0), it.operationBudgetNanos(), it.retentionNanos(), it.heartbeatNanos());
    }

    /** Only one of two clocks is taken to be wrong. */
    static EngineSettings halfMargin(EngineSettings it) {
        return changed(
                it,
                new Drift(it.drift().ppm() / 2),
                it.operationBudgetNanos(),
                it.retentionNanos(),
                it.heartbeatNanos());
    }

    /** A call has twice the time that it was given. */
    static EngineSettings twiceTheBudget(EngineSettings it) {
        return changed(it, it.drift(), 2 * it.operationBudgetNanos(), it.retentionNanos(), it.heartbeatNanos());
    }

    /** A vacant document is kept for ten milliseconds. */
    static EngineSettings shortRetention(EngineSettings it) {
        return changed(it, it.drift(), it.operationBudgetNanos(), TEN_MILLIS_NANOS, it.heartbeatNanos());
    }

    /** A heartbeat is due every ten milliseconds. */
    static EngineSettings manyHeartbeats(EngineSettings it) {
        return changed(it, it.drift(), it.operationBudgetNanos(), it.retentionNanos(), TEN_MILLIS_NANOS);
    }

    private static EngineSettings changed(
            EngineSettings it, Drift drift, long operationNanos, long retentionNanos, long heartbeatNanos) {
        return new EngineSettings(
                it.namespace(),
                it.partitions(),
                it.instance(),
                drift,
                operationNanos,
                it.closeBudgetNanos(),
                retentionNanos,
                it.sessionNanos(),
                heartbeatNanos,
                it.singleWritesMax());
    }
}
