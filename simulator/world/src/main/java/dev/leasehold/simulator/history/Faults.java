package dev.leasehold.simulator.history;

import java.util.Set;

/** The names of faults. Those of messages go by the names of their kinds. */
public final class Faults {

    public static final String PAUSE = "PAUSE";
    public static final String MIGRATE = "MIGRATE";
    public static final String SUSPEND = "SUSPEND";
    public static final String CRASH = "CRASH";
    public static final String WALL_STEP = "WALL_STEP";
    public static final String CUT_OFF = "CUT_OFF";
    public static final String FAIL_OVER = "FAIL_OVER";
    public static final String LAG = "LAG";
    public static final String STRAY = "STRAY";
    public static final String STORM = "STORM";
    /** An engine is asked to close, and another one is started: nothing that is in the way of either. */
    public static final String RESTART = "RESTART";

    public static final String LATE = "LATE";
    public static final String LOST_REQUEST = "LOST_REQUEST";
    public static final String LOST_REPLY = "LOST_REPLY";
    public static final String REFUSED = "REFUSED";
    public static final String UNANSWERED = "UNANSWERED";
    public static final String REPEATED = "REPEATED";
    /** The server ended a transaction that was open for too long. */
    public static final String LIFETIME = "LIFETIME";

    private static final Set<String> SLEEPS = Set.of(PAUSE, MIGRATE, SUSPEND, "PAUSE_WHEN_SENT", "PAUSE_WHEN_DONE");

    private Faults() {}

    /** Whether the machine makes no step while it lasts. */
    public static boolean isSleep(String fault) {
        return SLEEPS.contains(fault);
    }
}
