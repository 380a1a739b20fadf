package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Faults;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The engines that ran, and what befell their machines, the network and the database. */
final class Machines {

    /** Something went wrong, on one machine or, with -1, for all. */
    private record Trouble(int machine, long fromNanos, long untilNanos) {

        boolean overlaps(long otherFromNanos, long otherUntilNanos) {
            return fromNanos <= otherUntilNanos && untilNanos >= otherFromNanos;
        }
    }

    private final List<MachineClock> clocks;
    private final Recording.WriterNames names;
    final List<Incarnation> incarnations = new ArrayList<>();
    private final List<Trouble> troubles = new ArrayList<>();
    private final List<Trouble> sleeps = new ArrayList<>();
    private final long[] unevenNanos;
    /** When the last fault was over. */
    long faultsNanos;

    Machines(Recording recording) {
        this.clocks = recording.clocks();
        this.names = recording.names();
        this.unevenNanos = new long[clocks.size()];
        Arrays.fill(unevenNanos, Incarnation.NEVER);
    }

    void started(Event.Started started) {
        incarnations.add(new Incarnation(started, clocks.get(started.machine()), names));
    }

    /** Null for one that is not ready yet: it may have made the clock document already. */
    @Nullable Incarnation find(int machine, int number) {
        for (int i = incarnations.size() - 1; i >= 0; i--) {
            if (incarnations.get(i).is(machine, number)) {
                return incarnations.get(i);
            }
        }
        return null;
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
        boolean asleep = fault.machine() >= 0 && fault.untilNanos() > fault.atNanos() && Faults.isSleep(fault.fault());
        switch (fault.fault()) {
            case Faults.CRASH -> crash(fault.machine(), fault.atNanos());
            case Faults.WALL_STEP, Faults.SUSPEND ->
                unevenNanos[fault.machine()] = Math.min(unevenNanos[fault.machine()], fault.atNanos());
            default -> {}
        }
        Trouble trouble = new Trouble(fault.machine(), fault.atNanos(), fault.untilNanos());
        if (!fault.fault().equals(Faults.RESTART)) {
            troubles.add(trouble);
        }
        if (asleep) {
            sleeps.add(trouble);
        }
        faultsNanos = Math.max(faultsNanos, fault.untilNanos());
        return asleep;
    }

    /** Also an engine that was still being closed is no more. */
    private void crash(int machine, long atNanos) {
        for (Incarnation incarnation : incarnations) {
            if (incarnation.machine == machine) {
                incarnation.stopped(atNanos);
            }
        }
    }

    /** A message was lost, or its sender waited for it no longer. */
    void lostMessage(Event.Message message) {
        troubles.add(new Trouble(message.machine(), message.atNanos(), message.atNanos()));
    }

    /** Whether anything went wrong between two instants that could be in the way of a machine. */
    boolean isTroubled(int machine, long fromNanos, long toNanos) {
        return troubles.stream()
                .anyMatch(trouble -> (trouble.machine() < 0 || trouble.machine() == machine)
                        && trouble.overlaps(fromNanos, toNanos));
    }

    private Stream<Trouble> sleeps(int machine) {
        return sleeps.stream().filter(sleep -> sleep.machine() == machine);
    }

    /** Whether a machine could make steps all the time between two instants. */
    boolean isAwake(int machine, long fromNanos, long toNanos) {
        return sleeps(machine).noneMatch(sleep -> sleep.overlaps(fromNanos, toNanos));
    }

    /** When a machine falls asleep for the first time from an instant on. */
    long awakeUntilNanos(int machine, long fromNanos) {
        return sleeps(machine)
                .mapToLong(Trouble::fromNanos)
                .filter(nanos -> nanos >= fromNanos)
                .min()
                .orElse(Incarnation.NEVER);
    }

    /** When a machine can make steps again, if it cannot at an instant. */
    long awakeFromNanos(int machine, long atNanos) {
        return sleeps(machine)
                .reduce(
                        atNanos,
                        (nanos, sleep) -> sleep.fromNanos() <= nanos ? Math.max(nanos, sleep.untilNanos()) : nanos,
                        Math::max);
    }

    /** When a machine was asleep for the last time; 0 for never. */
    long wokeNanos(int machine) {
        return sleeps(machine).mapToLong(Trouble::untilNanos).max().orElse(0);
    }

    /** Whether time of day and monotonic time of a machine have gone apart by then. */
    boolean hasUnevenTime(int machine, long atNanos) {
        return unevenNanos[machine] <= atNanos;
    }
}
