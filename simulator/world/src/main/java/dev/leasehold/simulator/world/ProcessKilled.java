package dev.leasehold.simulator.world;

/** Ends what runs on a machine that has crashed, or in a world that is over. Nothing is to catch it and go on. */
public final class ProcessKilled extends Error {

    private static final long serialVersionUID = 1L;
    static final ProcessKilled GONE = new ProcessKilled();

    private ProcessKilled() {
        super("the process is no more", null, false, false);
    }
}
