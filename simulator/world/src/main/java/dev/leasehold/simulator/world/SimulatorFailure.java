package dev.leasehold.simulator.world;

/** The simulator itself has failed; it is no finding about the engine, which must not catch it and go on. */
public final class SimulatorFailure extends Error {

    private static final long serialVersionUID = 1L;

    public SimulatorFailure(String message) {
        super(message);
    }
}
