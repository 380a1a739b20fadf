package dev.leasehold.simulator.world;

import org.jspecify.annotations.Nullable;

/** A thread of a program: it runs ordinary code that may wait. */
final class Actor {

    private final Program program;
    private final String name;
    private final Runnable body;
    /** Counts its waits, so that what ended an earlier one does not end a later one. */
    private long wait;

    private @Nullable Worker worker;
    private boolean done;

    Actor(Program program, String name, Runnable body) {
        this.program = program;
        this.name = name;
        this.body = body;
    }

    World world() {
        return program.world();
    }

    Program program() {
        return program;
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
        World world = world();
        world.running(this);
        try {
            body.run();
        } catch (Gone e) {
            // The program is no more.
        } catch (RuntimeException | Error e) {
            world.broken(program, name, e);
        } finally {
            done = true;
            program.ended(this);
        }
    }
}
