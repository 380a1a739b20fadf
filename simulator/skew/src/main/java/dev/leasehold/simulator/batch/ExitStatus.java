package dev.leasehold.simulator.batch;

import java.util.List;

/** How a run ends, the worse the later: trouble of the simulator counts before what it found, and that before what it did not find. */
public enum ExitStatus {
    HELD(0, "every invariant held"),
    /** A batch did not reach what it must reach to be worth something, or a mutant survived. */
    COVERAGE_TOO_LOW(3, "no invariant was broken, but not everything was reached that must be"),
    NOT_LIVE(2, "an invariant of liveness or a limit was broken"),
    UNSAFE(1, "a safety invariant was broken"),
    NOT_DETERMINISTIC(4, "the same seed did not make the same history"),
    CRASHED(5, "the simulator or the engine crashed");

    private final int code;
    private final String words;

    ExitStatus(int code, String words) {
        this.code = code;
        this.words = words;
    }

    /** What the process answers to its caller. */
    public int code() {
        return code;
    }

    public String words() {
        return words;
    }

    /**
     * How a batch ends.
     *
     * @param failures of the batch; the worst of them counts
     * @param missing what was never reached
     */
    public static ExitStatus of(List<? extends Failure> failures, List<String> missing) {
        ExitStatus worst = missing.isEmpty() ? HELD : COVERAGE_TOO_LOW;
        for (Failure failure : failures) {
            worst = failure.status().compareTo(worst) > 0 ? failure.status() : worst;
        }
        return worst;
    }
}
