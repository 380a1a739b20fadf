package dev.leasehold.mergequeue.queue;

/** Which request may win next when a holder has failed. */
public enum AfterFailure {
    /** The same rule goes on: that with the highest priority of all, newcomers included, once the set has settled. */
    COLLECT("collect"),
    /** The next highest of those that remain wins at its next poll; newcomers wait for the next round. */
    PASS_ON("pass-on");

    private final String text;

    AfterFailure(String text) {
        this.text = text;
    }

    /** {@return how it is written in a configuration} */
    public String text() {
        return text;
    }
}
