package dev.leasehold.simulator.world;

/** Ends what runs on a machine that has crashed, or in a world that is over. Nobody is to catch it and go on. */
public final class Gone extends Error {

    private static final long serialVersionUID = 1L;
    static final Gone GONE = new Gone();

    private Gone() {
        super("the program is no more", null, false, false);
    }
}
