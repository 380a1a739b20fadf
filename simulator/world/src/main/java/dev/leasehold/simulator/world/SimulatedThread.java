package dev.leasehold.simulator.world;

import org.jspecify.annotations.Nullable;

/** A thread of a process: it runs ordinary code that may wait. */
final class SimulatedThread {

    private final SimulatedProcess simulatedProcess;
    private final String name;
    private final Runnable body;
    /** Counts its waits, so that what ended an earlier one does not end a later one. */
    private long wait;

    private @Nullable Worker worker;
    private boolean done;

    SimulatedThread(SimulatedProcess simulatedProcess, String name, Runnable body) {
        this.simulatedProcess = simulatedProcess;
        this.name = name;
        this.body = body;
    }

    Simulation simulation() {
        return simulatedProcess.simulation();
    }

    SimulatedProcess simulatedProcess() {
        return simulatedProcess;
    }

    @Nullable Worker worker() {
        return worker;
    }

    void runsOn(Worker worker) {
        this.worker = worker;
    }

    /** It was never begun, and will not be. */
    void abandon() {
        done = true;
    }

    boolean isDone() {
        return done;
    }

    long currentWait() {
        return wait;
    }

    void waitIsOver() {
        wait++;
    }

    void runOn(Worker worker) {
        this.worker = worker;
        Simulation simulation = simulation();
        simulation.running(this);
        try {
            body.run();
        } catch (ProcessKilled e) {
            // The process is no more.
        } catch (RuntimeException | Error e) {
            simulation.broken(simulatedProcess, name, e);
        } finally {
            done = true;
            simulatedProcess.ended(this);
        }
    }
}
