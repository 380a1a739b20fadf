package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Faults;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The engines that ran, and what befell their machines, the network and the database. */
final class Machines {

    /** Something went wrong, on one machine or, with -1, for all. */
    private record Trouble(int machine, long fromNanos, long untilNanos, boolean sleeps) {}

    private final List<MachineClock> clocks;
    private final List<Incarnation> incarnations = new ArrayList<>();
    private final List<Trouble> troubles = new ArrayList<>();
    private final long[] unevenNanos;
    private long faultsNanos;

    Machines(List<MachineClock> clocks) {
        this.clocks = clocks;
        this.unevenNanos = new long[clocks.size()];
        Arrays.fill(unevenNanos, Incarnation.NEVER);
    }

    void started(Event.Started started) {
        incarnations.add(new Incarnation(started, clocks.get(started.machine())));
    }

    List<Incarnation> incarnations() {
        return incarnations;
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
        boolean sleeps = fault.machine() >= 0 && fault.untilNanos() > fault.atNanos() && Faults.isSleep(fault.fault());
        if (!fault.fault().equals(Faults.RESTART)) {
            troubles.add(new Trouble(fault.machine(), fault.atNanos(), fault.untilNanos(), sleeps));
        }
        faultsNanos = Math.max(faultsNanos, fault.untilNanos());
        if (fault.fault().equals(Faults.CRASH)) {
            crash(fault.machine(), fault.atNanos());
        }
        if (fault.fault().equals(Faults.WALL_STEP) || fault.fault().equals(Faults.SUSPEND)) {
            unevenNanos[fault.machine()] = Math.min(unevenNanos[fault.machine()], fault.atNanos());
        }
        return sleeps;
    }

    /** Also an engine that was still being closed is no more. */
    private void crash(int machine, long atNanos) {
        for (int i = 0; i < incarnations.size(); i++) {
            if (incarnations.get(i).machine() == machine) {
                incarnations.get(i).stopped(atNanos);
            }
        }
    }

    /** A message was lost, or nobody waited for it any longer. */
    void lostMessage(Event.Message message) {
        troubles.add(new Trouble(message.machine(), message.atNanos(), message.atNanos(), false));
    }

    /** When the last fault was over. */
    long faultsNanos() {
        return faultsNanos;
    }

    /** Whether anything went wrong between two instants that could be in the way of a machine. */
    boolean isTroubled(int machine, long fromNanos, long toNanos) {
        for (int i = 0; i < troubles.size(); i++) {
            Trouble trouble = troubles.get(i);
            if ((trouble.machine() < 0 || trouble.machine() == machine)
                    && trouble.fromNanos() <= toNanos
                    && trouble.untilNanos() >= fromNanos) {
                return true;
            }
        }
        return false;
    }

    /** Whether a machine could make steps all the time between two instants. */
    boolean isAwake(int machine, long fromNanos, long toNanos) {
        for (int i = 0; i < troubles.size(); i++) {
            Trouble trouble = troubles.get(i);
            if (trouble.sleeps()
                    && trouble.machine() == machine
                    && trouble.fromNanos() <= toNanos
                    && trouble.untilNanos() >= fromNanos) {
                return false;
            }
        }
        return true;
    }

    /** When a machine falls asleep for the first time from an instant on. */
    long awakeUntilNanos(int machine, long fromNanos) {
        long untilNanos = Incarnation.NEVER;
        for (int i = 0; i < troubles.size(); i++) {
            Trouble trouble = troubles.get(i);
            if (trouble.sleeps() && trouble.machine() == machine && trouble.fromNanos() >= fromNanos) {
                untilNanos = Math.min(untilNanos, trouble.fromNanos());
            }
        }
        return untilNanos;
    }

    /** When a machine can make steps again, if it cannot at an instant. */
    long awakeFromNanos(int machine, long atNanos) {
        long awakeNanos = atNanos;
        for (int i = 0; i < troubles.size(); i++) {
            Trouble trouble = troubles.get(i);
            if (trouble.sleeps() && trouble.machine() == machine && trouble.fromNanos() <= awakeNanos) {
                awakeNanos = Math.max(awakeNanos, trouble.untilNanos());
            }
        }
        return awakeNanos;
    }

    /** When a machine was asleep for the last time; 0 for never. */
    long wokeNanos(int machine) {
        long wokeNanos = 0;
        for (int i = 0; i < troubles.size(); i++) {
            Trouble trouble = troubles.get(i);
            if (trouble.sleeps() && trouble.machine() == machine) {
                wokeNanos = Math.max(wokeNanos, trouble.untilNanos());
            }
        }
        return wokeNanos;
    }

    /** Whether time of day and monotonic time of a machine have gone apart by then. */
    boolean hasUnevenTime(int machine, long atNanos) {
        return unevenNanos[machine] <= atNanos;
    }
}
