package dev.leasehold.simulator.plan;

import dev.leasehold.simulator.clock.Machine;
import java.util.List;

/**
 * One history to be played.
 *
 * @param profile from which profile it was drawn
 * @param seed from which it was drawn; what is drawn while it is played comes from the seeds of its parts
 * @param setting of all engines, of the database and of the network
 * @param machines one engine runs on each, from the beginning on; the last one is the observer's, for which there is no command: after
 *     the faults its engine tries for every lease
 * @param commands in the order of their instants
 */
public record Plan(String profile, long seed, Setting setting, List<Machine> machines, List<Command> commands) {

    public Plan {
        machines = List.copyOf(machines);
        commands = List.copyOf(commands);
    }

    /** The length of the session of the engine on a machine. */
    public long sessionNanos(int machine) {
        return machines.get(machine).own(setting.sessionNanos());
    }

    /** From one heartbeat of the engine on a machine to the next. */
    public long heartbeatNanos(int machine) {
        return machines.get(machine).own(setting.heartbeatNanos());
    }

    /** The length of the longest session that any engine may have. */
    public long longestSessionNanos() {
        return machines.stream()
                .mapToLong(machine -> machine.own(setting.sessionNanos()))
                .max()
                .orElse(0);
    }

    /** The same with another value of one component. */
    Plan with(String component, Object value) {
        return Components.with(this, component, value);
    }
}
