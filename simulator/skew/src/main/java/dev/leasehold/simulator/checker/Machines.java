package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Faults;
import dev.leasehold.simulator.history.Marks;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The engines that ran, and what befell their machines, the network and the database. */
final class Machines {

    private final List<MachineClock> clocks;
    private final Recording.WriterNames names;
    final List<Incarnation> incarnations = new ArrayList<>();
    private final List<Event.Fault> faults = new ArrayList<>();
    private final List<Event.Message> lost = new ArrayList<>();
    private final List<Event.Reached> conflicts = new ArrayList<>();
    /** When the last fault was over. */
    long faultsNanos;

    Machines(Recording recording) {
        this.clocks = recording.clocks();
        this.names = recording.names();
    }

    void started(Event.Started started) {
        incarnations.add(new Incarnation(started, clocks.get(started.machine()), names));
    }

    /** Null for one that is not ready yet: it may have made the clock document already. */
    @Nullable Incarnation find(int machine, int number) {
        return Model.newest(incarnations, each -> each.machine == machine && each.number == number);
    }

    Incarnation of(int machine, int number) {
        Incarnation incarnation = find(machine, number);
        if (incarnation == null) {
            throw new IllegalArgumentException("engine " + number + " of machine " + machine + " was never started");
        }
        return incarnation;
    }

    /** Takes note of a fault, and says whether it is one during which its machine makes no step. */
    boolean befall(Event.Fault fault) {
        faults.add(fault);
        faultsNanos = Math.max(faultsNanos, fault.untilNanos());
        if (fault.fault().equals(Faults.CRASH)) {
            // Also an engine that was still being closed is no more.
            incarnations.stream()
                    .filter(incarnation -> incarnation.machine == fault.machine())
                    .forEach(incarnation -> incarnation.stopped(fault.atNanos()));
        }
        return isSleep(fault);
    }

    private static boolean isSleep(Event.Fault fault) {
        return fault.machine() >= 0 && fault.untilNanos() > fault.atNanos() && Faults.isSleep(fault.fault());
    }

    /** It is trouble if it was lost, or its sender waited for it no longer. */
    void message(Event.Message message) {
        switch (message.leg()) {
            case REQUEST_LOST, REPLY_LOST, GIVEN_UP -> lost.add(message);
            case SENT, EXECUTED, ANSWERED, RECEIVED -> {}
        }
    }

    void reached(Event.Reached reached) {
        if (reached.mark().equals(Marks.CONFLICT)) {
            conflicts.add(reached);
        }
    }

    /** How often a transaction of a machine met another one between two instants. */
    long conflicts(int machine, long fromNanos, long toNanos) {
        return conflicts.stream()
                .filter(conflict -> conflict.machine() == machine
                        && conflict.atNanos() >= fromNanos
                        && conflict.atNanos() <= toNanos)
                .count();
    }

    /** Whether anything went wrong between two instants that could be in the way of a machine. */
    boolean isTroubled(int machine, long fromNanos, long toNanos) {
        return faults.stream()
                        .anyMatch(fault -> (fault.machine() < 0 || fault.machine() == machine)
                                && !fault.fault().equals(Faults.RESTART)
                                && overlaps(fault, fromNanos, toNanos))
                || lost.stream()
                        .anyMatch(message -> message.machine() == machine
                                && message.atNanos() >= fromNanos
                                && message.atNanos() <= toNanos);
    }

    /** Whether anything went wrong up to an instant. */
    boolean isAnyTroubled(long toNanos) {
        return faults.stream().anyMatch(fault -> !fault.fault().equals(Faults.RESTART) && fault.atNanos() <= toNanos)
                || lost.stream().anyMatch(message -> message.atNanos() <= toNanos);
    }

    /** When the last fault of a kind that began before an instant is over, where each takes so long; 0 for none. */
    long lastOverNanos(String fault, long takesNanos, long beforeNanos) {
        return faults.stream()
                .filter(each -> each.fault().equals(fault) && each.atNanos() < beforeNanos)
                .mapToLong(each -> each.atNanos() + takesNanos)
                .max()
                .orElse(0);
    }

    private static boolean overlaps(Event.Fault fault, long fromNanos, long toNanos) {
        return fault.atNanos() <= toNanos && fault.untilNanos() >= fromNanos;
    }

    private Stream<Event.Fault> sleeps(int machine) {
        return faults.stream().filter(fault -> fault.machine() == machine && isSleep(fault));
    }

    /** Whether a machine could make steps all the time between two instants. */
    boolean isAwake(int machine, long fromNanos, long toNanos) {
        return sleeps(machine).noneMatch(sleep -> overlaps(sleep, fromNanos, toNanos));
    }

    /** When a machine falls asleep for the first time from an instant on. */
    long awakeUntilNanos(int machine, long fromNanos) {
        return sleeps(machine)
                .mapToLong(Event.Fault::atNanos)
                .filter(nanos -> nanos >= fromNanos)
                .min()
                .orElse(Incarnation.NEVER);
    }

    /** When a machine can make steps again, if it cannot at an instant. */
    long awakeFromNanos(int machine, long atNanos) {
        return sleeps(machine)
                .reduce(
                        atNanos,
                        (nanos, sleep) -> sleep.atNanos() <= nanos ? Math.max(nanos, sleep.untilNanos()) : nanos,
                        Math::max);
    }

    /** When a machine was asleep for the last time; 0 for never. */
    long wokeNanos(int machine) {
        return sleeps(machine).mapToLong(Event.Fault::untilNanos).max().orElse(0);
    }

    /** Whether time of day and monotonic time of a machine have gone apart by then. */
    boolean hasUnevenTime(int machine, long atNanos) {
        return faults.stream()
                .anyMatch(fault -> fault.machine() == machine
                        && fault.atNanos() <= atNanos
                        && (fault.fault().equals(Faults.WALL_STEP)
                                || fault.fault().equals(Faults.SUSPEND)));
    }
}
