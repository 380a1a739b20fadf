package dev.leasehold.simulator.world;

import dev.leasehold.engine.runtime.EngineThread;
import java.util.ArrayDeque;
import java.util.Deque;

/** A background thread of an engine, as an actor that is there while there is something to run. */
public final class ProgramThread implements EngineThread {

    private final Program program;
    private final String name;
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private boolean busy;
    private boolean stopping;

    public ProgramThread(Program program, String name) {
        this.program = program;
        this.name = name;
    }

    @Override
    public void execute(Runnable task) {
        program.requireAlive();
        if (!stopping) {
            add(task);
        }
    }

    @Override
    public void executeAfter(long delayNanos, Runnable task) {
        program.requireAlive();
        NegativeWait.record(program, delayNanos);
        if (!stopping) {
            program.afterLocal(delayNanos, () -> {
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
            program.start(name, this::work);
        }
    }

    private void work() {
        while (!tasks.isEmpty()) {
            tasks.poll().run();
        }
        busy = false;
    }
}
