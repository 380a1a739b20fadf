package dev.leasehold.simulator.world;

import dev.leasehold.simulator.history.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A process on a host, until it ends or crashes. */
public final class SimulatedProcess {

    private final Simulation simulation;
    private final SimulatedMachine simulatedMachine;
    private final int incarnation;
    private final List<SimulatedThread> threads = new ArrayList<>();
    private Runnable afterSteps = () -> {};
    private boolean alive = true;

    SimulatedProcess(Simulation simulation, SimulatedMachine simulatedMachine, int incarnation) {
        this.simulation = simulation;
        this.simulatedMachine = simulatedMachine;
        this.incarnation = incarnation;
    }

    public Simulation simulation() {
        return simulation;
    }

    public SimulatedMachine simulatedMachine() {
        return simulatedMachine;
    }

    public int incarnation() {
        return incarnation;
    }

    public boolean isAlive() {
        return alive && !simulation.isOver();
    }

    /** To be run whenever this process has done something and rests. It must not wait. */
    public void afterSteps(Runnable look) {
        afterSteps = look;
    }

    void look() {
        if (isAlive()) {
            try {
                afterSteps.run();
            } catch (ProcessKilled e) {
                // The look itself may be one step too many, which ends the world.
            }
        }
    }

    /** Nothing of a dead process may have an effect any more, not even while its stacks unwind. */
    public void requireAlive() {
        simulation.countStep();
        if (!isAlive()) {
            throw ProcessKilled.GONE;
        }
    }

    /** Starts a thread. Its body may wait. */
    public void start(String name, Runnable body) {
        if (isAlive()) {
            SimulatedThread simulatedThread = new SimulatedThread(this, name, body);
            threads.add(simulatedThread);
            simulation.resume(simulatedThread);
        }
    }

    /** Runs something that does not wait, after what is to happen at this instant already. */
    public void soon(Runnable step) {
        simulation.push(this, simulation.nowNanos(), step);
    }

    /** The same, at an instant of true time. */
    public void at(long trueNanos, Runnable step) {
        simulation.push(this, trueNanos, step);
    }

    /** The same, after a time on the host's monotonic clock. */
    public void afterLocal(long delayNanos, Runnable step) {
        if (delayNanos <= 0) {
            soon(step);
        } else {
            simulation.pushLocal(this, delayNanos, step);
        }
    }

    /**
     * Waits until the future is complete, or until the time has passed on the host's monotonic clock. To be called by a simulated thread of this
     * program.
     *
     * @return whether it is complete
     */
    public boolean await(CompletableFuture<?> future, long timeoutNanos) {
        requireAlive();
        if (!future.isDone()) {
            Signal done = new Signal();
            future.whenComplete((result, thrown) -> done.give());
            simulation.await(this, done, timeoutNanos);
        }
        requireAlive();
        return future.isDone();
    }

    /** The same for a signal. */
    boolean await(Signal signal, long timeoutNanos) {
        requireAlive();
        if (!signal.isGiven()) {
            simulation.await(this, signal, timeoutNanos);
        }
        requireAlive();
        return signal.isGiven();
    }

    /** Where real threads would not wait, an engine that asks for less than nothing has miscalculated. It goes on without a wait. */
    public void checkWait(long waitNanos) {
        if (waitNanos < 0) {
            simulation.record(new Event.Broken(
                    simulation.nowNanos(), simulatedMachine.number(), "it asked for a wait of " + waitNanos + " ns"));
        }
    }

    /** Waits until the time has passed on the host's monotonic clock. To be called by a simulated thread of this process. */
    public void pause(long localNanos) {
        await(new Signal(), localNanos);
    }

    void ended(SimulatedThread simulatedThread) {
        threads.remove(simulatedThread);
    }

    /** The process is gone from one instant to the next. Its threads unwind without being able to do anything. */
    void kill() {
        alive = false;
        for (SimulatedThread simulatedThread : List.copyOf(threads)) {
            if (simulatedThread.worker() == null) {
                simulatedThread.abandon();
                threads.remove(simulatedThread);
            } else {
                simulation.resume(simulatedThread);
            }
        }
    }

    /** For the end of the world: a thread that has to unwind yet. */
    @Nullable SimulatedThread anyStarted() {
        for (SimulatedThread simulatedThread : threads) {
            if (simulatedThread.worker() != null) {
                return simulatedThread;
            }
        }
        return null;
    }
}
