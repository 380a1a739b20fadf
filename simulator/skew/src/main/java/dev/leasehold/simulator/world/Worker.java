package dev.leasehold.simulator.world;

import dev.leasehold.simulator.logging.Ear;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that runs one actor after the other, whenever it has the baton. */
final class Worker implements Runnable {

    private final Ear ear;
    private @Nullable Thread thread;
    private @Nullable Actor assigned;
    private boolean ended;
    private volatile boolean hasBaton;

    Worker(Ear ear) {
        this.ear = ear;
    }

    /** For the thread that drives a world from outside. */
    static Worker ofThisThread(Ear ear) {
        Worker worker = new Worker(ear);
        worker.thread = Thread.currentThread();
        ear.hearThisThread();
        return worker;
    }

    void start(String name) {
        thread = Threads.start(name, this);
    }

    boolean isThisThread() {
        return thread == Thread.currentThread();
    }

    /** The next actor that this thread is to run, when it has the baton. */
    void assign(Actor actor) {
        assigned = actor;
    }

    /** Whoever calls this has the baton no longer. */
    void pass() {
        hasBaton = true;
        LockSupport.unpark(thread);
    }

    void awaitBaton() {
        while (!hasBaton) {
            LockSupport.park(this);
        }
        hasBaton = false;
    }

    void end() {
        ended = true;
        pass();
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        ear.hearThisThread();
        while (true) {
            awaitBaton();
            if (ended) {
                return;
            }
            Actor actor = Objects.requireNonNull(assigned);
            while (actor != null) {
                actor.runOn(this);
                actor = actor.world().driveOn(this);
            }
        }
    }
}
