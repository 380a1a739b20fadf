package dev.leasehold.simulator.plan;

import dev.leasehold.simulator.checker.Conditions;
import dev.leasehold.simulator.checker.Recording;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.NetworkConditions;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.WriterName;
import java.util.ArrayList;
import java.util.List;

/**
 * What happened when a plan was played.
 *
 * @param plan what was played
 * @param events in the order in which they happened
 * @param clocks of each machine, as they ran
 * @param steps how many steps the world made
 */
public record History(Plan plan, List<Event> events, List<MachineClock> clocks, long steps) {

    /** What the checker is told of it. */
    public Recording recording() {
        return new Recording(conditions(), clocks, events, WriterName::isOf);
    }

    private Conditions conditions() {
        Setting setting = plan.setting();
        NetworkConditions network = setting.network();
        DatabaseConditions database = setting.database();
        List<Long> sessions = new ArrayList<>();
        List<Long> heartbeats = new ArrayList<>();
        for (int machine = 0; machine < plan.machines().size(); machine++) {
            sessions.add(plan.sessionNanos(machine));
            heartbeats.add(plan.heartbeatNanos(machine));
        }
        return new Conditions(
                setting.inside(),
                setting.driftPpm(),
                sessions,
                heartbeats,
                setting.operationNanos(),
                setting.commandNanos(),
                setting.closeNanos(),
                setting.retentionNanos(),
                setting.partitions(),
                setting.threadLateNanos() == null ? 0 : setting.threadLateNanos(),
                2 * network.delayNanos()
                        + network.jitterNanos()
                        + database.replicationNanos()
                        + database.replicationJitterNanos() / 2,
                2 * (network.delayNanos() + network.jitterNanos())
                        + database.replicationNanos()
                        + database.replicationJitterNanos(),
                database.lifetimeNanos() + database.sweepNanos(),
                database.watches(),
                plan.machines().size() - 1);
    }
}
