package dev.leasehold.simulator.history;

/** The names of faults that come from the weather; those of actions and fates go by the names of their types, in capitals. */
public final class Faults {

    public static final String LATE = "LATE";
    public static final String LOST_REQUEST = "LOST_REQUEST";
    public static final String LOST_REPLY = "LOST_REPLY";
    public static final String REFUSED = "REFUSED";
    public static final String UNANSWERED = "UNANSWERED";
    public static final String REPEATED = "REPEATED";
    /** The server ended a transaction that was open for too long. */
    public static final String LIFETIME = "LIFETIME";

    private Faults() {}
}
