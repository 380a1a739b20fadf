package dev.leasehold.simulator.check;

import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Event;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The engines that ran, machine by machine, and what befell their machines. */
final class Lives {

    private static final String CRASH = "CRASH";

    private final List<Machine> machines = new ArrayList<>();
    private int engines;

    /** What the engines of one machine have in common. */
    private static final class Machine {
        private final MachineClock clock;
        private final boolean clockStops;
        private final List<Life> lives = new ArrayList<>(2);
        private final Instants sends = new Instants();
        private long wakesNanos;

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

    Life of(int machine, int incarnation) {
        Life life = find(machine, incarnation);
        if (life == null) {
            throw new IllegalArgumentException("engine " + incarnation + " of machine " + machine + " was never started");
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
        if (fault.fault().equals(CRASH)) {
            return crash(machine, fault.atNanos());
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
        machine.wakesNanos = Math.max(machine.wakesNanos, fault.untilNanos());
        for (int i = 0; i < machine.lives.size(); i++) {
            machine.lives.get(i).cannotAct(fault.atNanos());
        }
    }
}
