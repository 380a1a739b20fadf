package dev.leasehold.simulator.world;

import dev.leasehold.engine.internal.runtime.EngineThread;
import java.util.ArrayDeque;
import java.util.Deque;

/** A background thread of an engine, as an actor that is there while there is something to run. */
public final class SimulatedProcessThread implements EngineThread {

    private final SimulatedProcess simulatedProcess;
    private final String name;
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private boolean busy;
    private boolean stopping;

    public SimulatedProcessThread(SimulatedProcess simulatedProcess, String name) {
        this.simulatedProcess = simulatedProcess;
        this.name = name;
    }

    @Override
    public void execute(Runnable task) {
        simulatedProcess.requireAlive();
        if (!stopping) {
            add(task);
        }
    }

    @Override
    public void executeAfter(long delayNanos, Runnable task) {
        simulatedProcess.requireAlive();
        NegativeWait.record(simulatedProcess, delayNanos);
        if (!stopping) {
            simulatedProcess.afterLocal(delayNanos, () -> {
                if (!stopping) {
                    add(task);
                }
            });
        }
    }

    @Override
    public void stop() {
        stopping = true;
    }

    private void add(Runnable task) {
        tasks.add(task);
        if (!busy) {
            busy = true;
            simulatedProcess.start(name, this::work);
        }
    }

    private void work() {
        while (!tasks.isEmpty()) {
            tasks.poll().run();
        }
        busy = false;
    }
}
