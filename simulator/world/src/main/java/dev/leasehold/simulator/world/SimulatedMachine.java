package dev.leasehold.simulator.world;

import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.conditions.SeededRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A machine in the world. One process at a time runs on it. */
public final class SimulatedMachine {

    private final Simulation simulation;
    private final int number;
    private final MachineClock clock;
    private final SeededRandom seededRandom;
    private final Deque<Simulation.Entry> backlog = new ArrayDeque<>();
    private final List<PendingFault> faults = new ArrayList<>();
    private @Nullable SimulatedProcess simulatedProcess;
    private int incarnations;
    private int wakes;
    private int faultFree;
    private LongConsumer onCrash = downNanos -> crash();
    private long asleepUntilNanos = Long.MIN_VALUE;
    private long cutOffUntilNanos = Long.MIN_VALUE;

    private static final class PendingFault {
        private final MessageFault messageFault;
        private int left;

        PendingFault(MessageFault messageFault) {
            this.messageFault = messageFault;
            this.left = messageFault.afterMessages();
        }
    }

    SimulatedMachine(Simulation simulation, int number, MachineClock clock, long seed) {
        this.simulation = simulation;
        this.number = number;
        this.clock = clock;
        this.seededRandom = new SeededRandom(seed);
    }

    public int number() {
        return number;
    }

    public MachineClock clock() {
        return clock;
    }

    /** What is drawn on behalf of this host. */
    public SeededRandom seededRandom() {
        return seededRandom;
    }

    public long monotonicNanos() {
        return clock.monotonicNanos(simulation.nowNanos());
    }

    public long wallNanos() {
        return clock.wallNanos(simulation.nowNanos());
    }

    /** Starts a process. The one before may still be about to end. */
    public SimulatedProcess startProcess() {
        SimulatedProcess started = new SimulatedProcess(simulation, this, incarnations++);
        simulatedProcess = started;
        simulation.processes().add(started);
        return started;
    }

    /** What a crash means on this host: it is given for how long the machine stays down. */
    public void onCrash(LongConsumer onCrash) {
        this.onCrash = onCrash;
    }

    /** The machine crashes, and starts again after a while. */
    public void crashFor(long downNanos) {
        onCrash.accept(downNanos);
    }

    /** Ends all processes from one instant to the next. */
    public void crash() {
        simulatedProcess = null;
        faultFree = 0;
        backlog.clear();
        for (SimulatedProcess killed : simulation.processes()) {
            if (killed.simulatedMachine() == this) {
                killed.kill();
            }
        }
    }

    /** The machine makes no step until then. */
    public void sleep(long untilNanos) {
        if (untilNanos > asleepUntilNanos) {
            asleepUntilNanos = untilNanos;
            simulation.at(untilNanos, this::wake);
        }
    }

    public boolean isAsleep() {
        return simulation.nowNanos() < asleepUntilNanos;
    }

    void defer(Simulation.Entry entry) {
        backlog.add(entry);
    }

    /** How many times it has woken up. */
    public int wakes() {
        return wakes;
    }

    private void wake() {
        if (!isAsleep()) {
            wakes++;
            if (simulatedProcess != null) {
                // What looks after each step looks now too.
                simulatedProcess.soon(() -> {});
            }
            while (!backlog.isEmpty()) {
                simulation.pushAgain(backlog.poll());
            }
        }
    }

    /** No message gets through until then. */
    public void cutOff(long untilNanos) {
        cutOffUntilNanos = Math.max(cutOffUntilNanos, untilNanos);
    }

    /** Messages get through again. */
    public void reconnect() {
        cutOffUntilNanos = Long.MIN_VALUE;
    }

    boolean isCutOff() {
        return simulation.nowNanos() < cutOffUntilNanos;
    }

    /** Until the end, messages of this host take no time and nothing befalls them. */
    public void beginFaultFree() {
        faultFree++;
    }

    public void endFaultFree() {
        faultFree--;
    }

    boolean isFaultFree() {
        return faultFree > 0;
    }

    /** The fate befalls a message that is sent from now on. */
    public void await(MessageFault messageFault) {
        faults.add(new PendingFault(messageFault));
    }

    /** What befalls the message that is sent now; null for nothing special. */
    @Nullable MessageFault nextMessageFault() {
        MessageFault due = null;
        for (Iterator<PendingFault> all = faults.iterator(); all.hasNext(); ) {
            PendingFault pending = all.next();
            if (pending.left > 0) {
                pending.left--;
            } else if (due == null) {
                due = pending.messageFault;
                all.remove();
            }
        }
        return due;
    }

    /** From now on nothing befalls anything. */
    public void heal() {
        faults.clear();
        cutOffUntilNanos = Long.MIN_VALUE;
        if (isAsleep()) {
            asleepUntilNanos = simulation.nowNanos();
            clock.endStop(asleepUntilNanos);
            wake();
        }
    }
}
