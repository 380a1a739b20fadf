package dev.leasehold.simulator.world;

/** The simulator itself has failed; it is no finding about the engine. */
public final class SimulatorFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public SimulatorFailure(String message) {
        super(message);
    }
}
