package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.SECOND;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.Machine.Rate;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.NetworkConditions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Puts whole parts of a plan in the plain state: the weather, the database, the settings, clocks, fates, seeds. */
final class PlainerParts implements Shrinking {

    static final long SESSION_NANOS = 10 * SECOND;
    static final long HEARTBEAT_NANOS = 3 * SECOND;
    static final long OPERATION_NANOS = 5 * SECOND;
    static final long COMMAND_NANOS = 2 * SECOND;
    static final long CLOSE_NANOS = 2 * SECOND;
    static final long RETENTION_NANOS = 3_600 * SECOND;

    private static final List<UnaryOperator<Setting>> SETTINGS = List.of(
            setting -> setting.with(NetworkConditions.PERFECT),
            setting -> setting.with(DatabaseConditions.PLAIN),
            setting -> setting.withPartitions(1),
            setting -> setting.withLateness(null),
            setting -> setting.withLength(setting.lengthNanos() / 2),
            PlainerParts::plainDurations);

    private static final List<UnaryOperator<Machine>> MACHINES = List.of(
            machine -> new Machine(0, PlanRules.PLAIN_WALL_NANOS, 1, List.of(new Rate(0, 0))),
            machine -> machine.withSessions(null),
            machine -> machine.withRates(List.of(new Rate(0, 0))),
            machine -> machine.withRates(machine.rates().subList(0, 1)),
            machine -> machine.withRates(
                    machine.rates().subList(0, Math.max(1, machine.rates().size() - 1))),
            machine -> new Machine(
                    0, machine.wallNanos(), machine.wallPrecisionNanos(), machine.rates(), machine.sessionPercent()),
            machine -> new Machine(
                    machine.monotonicNanos(),
                    PlanRules.PLAIN_WALL_NANOS,
                    machine.wallPrecisionNanos(),
                    machine.rates(),
                    machine.sessionPercent()),
            machine -> new Machine(
                    machine.monotonicNanos(), machine.wallNanos(), 1, machine.rates(), machine.sessionPercent()));

    private static final List<UnaryOperator<Command>> COMMANDS = List.of(
            command -> new Command(command.atNanos(), command.machine(), command.seed(), null, command.action()),
            command -> new Command(command.atNanos(), command.machine(), 0, command.fault(), command.action()),
            command -> new Command(
                    command.atNanos(), command.machine(), command.seed(), command.fault(), plainer(command.action())),
            command -> new Command(
                    command.atNanos(), command.machine(), command.seed(), command.fault(), unstriped(command.action())),
            command -> new Command(
                    command.atNanos(),
                    command.machine(),
                    command.seed(),
                    command.fault(),
                    uncancelled(command.action())),
            command -> new Command(
                    command.atNanos(),
                    command.machine(),
                    command.seed(),
                    command.fault(),
                    notKeptFree(command.action())));

    @Override
    public void shrink(Plan plan, Predicate<Plan> accept) {
        Plan best = plan;
        for (UnaryOperator<Setting> change : SETTINGS) {
            best = better(best, best.with(change.apply(best.setting())), accept);
        }
        for (UnaryOperator<Command> change : COMMANDS) {
            best = better(best, best.with(best.commands().stream().map(change).toList()), accept);
            for (int i = 0; i < best.commands().size(); i++) {
                best = better(best, best.with(replaced(best.commands(), i, change)), accept);
            }
        }
        for (UnaryOperator<Machine> change : MACHINES) {
            for (int i = 0; i < best.machines().size(); i++) {
                best = better(best, best.withMachines(replaced(best.machines(), i, change)), accept);
            }
        }
    }

    private static Plan better(Plan best, Plan candidate, Predicate<Plan> accept) {
        return accept.test(candidate) ? candidate : best;
    }

    private static <T> List<T> replaced(List<T> values, int index, UnaryOperator<T> change) {
        List<T> changed = new ArrayList<>(values);
        changed.set(index, change.apply(values.get(index)));
        return changed;
    }

    private static Setting plainDurations(Setting setting) {
        return new Setting(
                setting.inside(),
                setting.driftPpm(),
                SESSION_NANOS,
                HEARTBEAT_NANOS,
                OPERATION_NANOS,
                COMMAND_NANOS,
                CLOSE_NANOS,
                RETENTION_NANOS,
                setting.leases(),
                setting.partitions(),
                setting.lengthNanos(),
                setting.threadLateNanos(),
                setting.singleWritesMax(),
                setting.network(),
                setting.database());
    }

    /** A handle without an owner's name and without a term of its own is the plainest. */
    private static Action plainer(Action action) {
        return action instanceof Action.Acquire acquire ? acquire.withoutOwnerAndTerm() : action;
    }

    private static Action unstriped(Action action) {
        return action instanceof Action.Acquire acquire ? acquire.withStripes(null) : action;
    }

    private static Action notKeptFree(Action action) {
        return action instanceof Action.Acquire acquire ? acquire.withAtLeast(null) : action;
    }

    private static Action uncancelled(Action action) {
        return action instanceof Action.Acquire acquire ? acquire.withCancel(null) : action;
    }
}
