package dev.leasehold.simulator.world;

import dev.leasehold.simulator.log.LogListener;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that runs one thread after the other, whenever it has the baton. */
final class Worker implements Runnable {

    private static final ThreadLocal<@Nullable Worker> OF_THREAD = new ThreadLocal<>();

    private final LogListener logListener;
    private @Nullable Thread thread;
    private @Nullable SimulatedThread assigned;
    private boolean ended;
    private volatile boolean hasBaton;

    Worker(LogListener logListener) {
        this.logListener = logListener;
    }

    /** For the thread that drives a world from outside. */
    static Worker ofThisThread(LogListener logListener) {
        Worker worker = new Worker(logListener);
        worker.thread = Thread.currentThread();
        logListener.attachToThread();
        return worker;
    }

    /** For a thread that comes from outside again and again, and does not belong to this simulation. */
    static Worker visiting(LogListener logListener) {
        Worker worker = new Worker(logListener);
        worker.thread = Thread.currentThread();
        return worker;
    }

    /** Whether the thread that asks is there for threads alone. */
    static boolean isCurrent() {
        return OF_THREAD.get() != null;
    }

    void start(String name) {
        thread = Threads.start(name, this);
    }

    boolean isThisThread() {
        return thread == Thread.currentThread();
    }

    /** The next thread that this thread is to run, when it has the baton. */
    void assign(SimulatedThread simulatedThread) {
        assigned = simulatedThread;
    }

    /** The thread that calls this has the baton no longer. */
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

    void awaitEnd() {
        boolean interrupted = false;
        while (thread != null && thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        OF_THREAD.set(this);
        logListener.attachToThread();
        while (true) {
            awaitBaton();
            if (ended) {
                return;
            }
            SimulatedThread simulatedThread = Objects.requireNonNull(assigned);
            while (simulatedThread != null) {
                simulatedThread.runOn(this);
                simulatedThread = simulatedThread.simulation().driveOn(this);
            }
        }
    }
}
