package dev.leasehold.bench.measure;

/** What came of a goal. */
public sealed interface Verdict {

    /** {@return the goal} */
    Goal goal();

    /** {@return met, not met, or why that is not known} */
    String words();

    /**
     * It was measured.
     *
     * @param goal what was to be reached
     * @param ratio what was reached
     * @param isMet whether that is enough
     * @param values of which the ratio is one
     */
    record Judged(Goal goal, Spread ratio, boolean isMet, String values) implements Verdict {
        @Override
        public String words() {
            return isMet ? "met" : "not met";
        }
    }

    /**
     * It could not be measured.
     *
     * @param goal what was to be reached
     * @param reason why not
     */
    record NotMeasured(Goal goal, String reason) implements Verdict {
        @Override
        public String words() {
            return "not measured: " + reason;
        }
    }
}
