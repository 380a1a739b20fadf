package dev.leasehold.simulator.check;

import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Faults;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The engines that ran, machine by machine, and what befell their machines. */
final class Lives {

    private final List<Machine> machines = new ArrayList<>();
    private int engines;

    /** What the engines of one machine have in common. */
    private static final class Machine {
        private final MachineClock clock;
        private final boolean clockStops;
        private final List<Life> lives = new ArrayList<>(2);
        private final Instants sends = new Instants();
        private final Instants sleepsFrom = new Instants();
        private final Instants sleepsUntil = new Instants();
        private long wakesNanos;
        private long unevenNanos = Long.MAX_VALUE;

        Machine(MachineClock clock) {
            this.clock = clock;
            this.clockStops = clock.stoppedNanos(0, Long.MAX_VALUE) > 0;
        }
    }

    Lives(List<MachineClock> clocks) {
        for (int i = 0; i < clocks.size(); i++) {
            machines.add(new Machine(clocks.get(i)));
        }
    }

    /** How many were started so far. */
    int count() {
        return engines;
    }

    /** When a machine made its first step after it was last asleep. */
    long wakeNanos(int machine) {
        return machines.get(machine).wakesNanos;
    }

    /** Whether a machine could make steps all the time between two instants. */
    boolean isAwake(int machine, long fromNanos, long toNanos) {
        Machine its = machines.get(machine);
        for (int i = 0; i < its.sleepsFrom.size(); i++) {
            if (its.sleepsFrom.get(i) <= toNanos && its.sleepsUntil.get(i) >= fromNanos) {
                return false;
            }
        }
        return true;
    }

    /** When a machine that can make steps can do so no longer; MAX_VALUE if it never falls asleep again. */
    long awakeUntilNanos(int machine, long fromNanos) {
        Machine its = machines.get(machine);
        for (int i = 0; i < its.sleepsFrom.size(); i++) {
            if (its.sleepsFrom.get(i) >= fromNanos) {
                return its.sleepsFrom.get(i);
            }
        }
        return Long.MAX_VALUE;
    }

    /** When a machine can make steps again, if it cannot at an instant. */
    long awakeFromNanos(int machine, long atNanos) {
        Machine its = machines.get(machine);
        long awakeNanos = atNanos;
        for (int i = 0; i < its.sleepsFrom.size(); i++) {
            if (its.sleepsFrom.get(i) <= awakeNanos) {
                awakeNanos = Math.max(awakeNanos, its.sleepsUntil.get(i));
            }
        }
        return awakeNanos;
    }

    /** Whether time of day and monotonic time of a machine have gone apart by then. */
    boolean hasUnevenTime(int machine, long atNanos) {
        return machines.get(machine).unevenNanos <= atNanos;
    }

    Life of(int machine, int incarnation) {
        Life life = find(machine, incarnation);
        if (life == null) {
            throw new IllegalArgumentException(
                    "engine " + incarnation + " of machine " + machine + " was never started");
        }
        return life;
    }

    /** Null for one that is not ready yet: it may have made the clock document already. */
    @Nullable Life find(int machine, int incarnation) {
        List<Life> lives = machines.get(machine).lives;
        for (int i = lives.size() - 1; i >= 0; i--) {
            if (lives.get(i).incarnation() == incarnation) {
                return lives.get(i);
            }
        }
        return null;
    }

    void started(Event.Started started) {
        Machine machine = machines.get(started.machine());
        machine.lives.add(new Life(started, machine.clock, machine.clockStops, machine.sends));
        engines++;
    }

    void sent(Event.Message message) {
        machines.get(message.machine()).sends.add(message.atNanos());
    }

    /**
     * A fault of a machine. An engine that is being closed may still be there beside the next one.
     *
     * @return those that a crash has ended
     */
    List<Life> befall(Event.Fault fault) {
        Machine machine = machines.get(fault.machine());
        if (fault.fault().equals(Faults.CRASH)) {
            return crash(machine, fault.atNanos());
        }
        if (fault.fault().equals(Faults.WALL_STEP) || fault.fault().equals(Faults.SUSPEND)) {
            machine.unevenNanos = Math.min(machine.unevenNanos, fault.atNanos());
        }
        if (Sleeps.isOne(fault)) {
            sleep(machine, fault);
        }
        return List.of();
    }

    private static List<Life> crash(Machine machine, long atNanos) {
        List<Life> ended = new ArrayList<>(2);
        for (int i = 0; i < machine.lives.size(); i++) {
            Life life = machine.lives.get(i);
            if (life.isAliveAt(atNanos)) {
                life.stopped(atNanos);
                ended.add(life);
            }
        }
        return ended;
    }

    private static void sleep(Machine machine, Event.Fault fault) {
        machine.sleepsFrom.add(fault.atNanos());
        machine.sleepsUntil.add(fault.untilNanos());
        machine.wakesNanos = Math.max(machine.wakesNanos, fault.untilNanos());
        for (int i = 0; i < machine.lives.size(); i++) {
            machine.lives.get(i).cannotAct(fault.atNanos());
        }
    }
}
