package dev.leasehold.mergequeue.queue;

/** To which round a request belongs that registers, or changes, while another one holds. */
public enum Newcomers {
    /** To the next: the holder was chosen without it, so the holder's success says nothing of it. */
    NEXT_ROUND("next-round"),
    /**
     * To that of the holder, unless its priority is higher. The holder's success completes it, though the holder was chosen without it:
     * right only where a lower priority means that the holder's commit contains the other one.
     */
    JOIN_HOLDER("join-holder");

    private final String text;

    Newcomers(String text) {
        this.text = text;
    }

    /** {@return how it is written in a configuration} */
    public String text() {
        return text;
    }
}
