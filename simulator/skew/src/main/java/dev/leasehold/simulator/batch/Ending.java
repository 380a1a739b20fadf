package dev.leasehold.simulator.batch;

import java.util.List;

/** How a run ends. */
public enum Ending {
    /** All promises were held, and what must be reached was reached. */
    HELD(0),
    /** One of G1 to G6, G8 and T2 was broken. */
    UNSAFE(1),
    /** G7 or a limit was broken. */
    NOT_LIVE(2),
    /** Not everything was reached that a batch must reach to be worth something, or a mutant survived. */
    BLIND(3),
    /** A history did not repeat. */
    NOT_DETERMINISTIC(4),
    /** The simulator failed, or the engine did in a way that is none of a promise. */
    CRASHED(5);

    private final int exitCode;

    Ending(int exitCode) {
        this.exitCode = exitCode;
    }

    /** What the process answers to its caller. */
    public int exitCode() {
        return exitCode;
    }

    /**
     * How a batch ends.
     *
     * @param failures of the batch; the worst of them counts
     * @param missing what was never reached
     */
    public static Ending of(List<Failure> failures, List<String> missing) {
        Ending worst = missing.isEmpty() ? HELD : BLIND;
        for (Failure failure : failures) {
            Ending ending = of(failure);
            worst = ending.isWorseThan(worst) ? ending : worst;
        }
        return worst;
    }

    /** How it ends if this is all that failed. */
    public static Ending of(Failure failure) {
        if (failure instanceof Failure.Crashed) {
            return CRASHED;
        }
        if (failure instanceof Failure.Unrepeatable) {
            return NOT_DETERMINISTIC;
        }
        return ((Failure.Broken) failure).violation().guarantee().isSafety() ? UNSAFE : NOT_LIVE;
    }

    /** Trouble of the simulator counts before what it found, and that before what it did not find. */
    private boolean isWorseThan(Ending other) {
        return rank() > other.rank();
    }

    private int rank() {
        return switch (this) {
            case HELD -> 0;
            case BLIND -> 1;
            case NOT_LIVE -> 2;
            case UNSAFE -> 3;
            case NOT_DETERMINISTIC -> 4;
            case CRASHED -> 5;
        };
    }
}
