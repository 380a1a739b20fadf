package dev.leasehold.simulator.estimate;

/**
 * What an estimate is made for.
 *
 * @param sessionNanos the length of a session
 * @param heartbeatNanos from one sign of life of a session to the next
 * @param termNanos the term of a lease whose handle renews it at each third
 * @param driftPpm the drift bound; clocks run anywhere within it
 * @param latency of one way between an engine and the database
 * @param replication from a write until a majority has it
 * @param clients how many want the lease, the holder included
 * @param gatesPerMinute how many gated transactions are begun
 * @param gateLength how long one is worked on while it is open
 */
public record Circumstances(
        long sessionNanos,
        long heartbeatNanos,
        long termNanos,
        long driftPpm,
        Span latency,
        Span replication,
        int clients,
        int gatesPerMinute,
        Span gateLength) {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final long LENGTH_MIN_NANOS = 500 * MILLI;
    private static final long LENGTH_MAX_NANOS = 600 * SECOND;
    private static final long HEARTBEAT_MIN_NANOS = 10 * MILLI;
    private static final long OPERATION_MAX_NANOS = 10 * SECOND;
    /** In histories of this kind a lease that lasts twice as long for others would not end. */
    private static final long DRIFT_MAX_PPM = 200_000;
    /** An engine looks that often at what it waits for: nobody tells it of signs of life. */
    private static final long LOOK_NANOS = 5 * SECOND;
    /** And that often within the length of a session, until it knows when the next heartbeat is due. */
    private static final int LOOKS_OF_A_SESSION = 16;

    private static final int CLIENTS_MAX = 50;
    private static final int GATES_MAX = 6_000;

    /** Lengths of time that an engine refuses, or that no history has room for, end here. */
    public Circumstances {
        time("session", sessionNanos, LENGTH_MIN_NANOS, LENGTH_MAX_NANOS, "");
        time("term", termNanos, LENGTH_MIN_NANOS, LENGTH_MAX_NANOS, "");
        time("heartbeat", heartbeatNanos, HEARTBEAT_MIN_NANOS, (sessionNanos - 1) / 2, ", below half of the session,");
        range("drift", driftPpm, 0, DRIFT_MAX_PPM, " ppm");
        range("number of clients", clients, 2, CLIENTS_MAX, "");
        range("number of gated transactions per minute", gatesPerMinute, 1, GATES_MAX, "");
        long shortestNanos = Math.min(sessionNanos, termNanos);
        time("latency", latency.maxNanos(), 0, shortestNanos / 20, ", a twentieth of session and term,");
        time("replication", replication.maxNanos(), 0, shortestNanos / 10, ", a tenth of session and term,");
        time("gate length", gateLength.maxNanos(), 0, shortestNanos, ", the shorter of session and term,");
    }

    private static void range(String what, long value, long min, long max, String unit) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    what + " " + value + " is refused: " + min + " to " + max + unit + " are possible");
        }
    }

    private static void time(String what, long nanos, long minNanos, long maxNanos, String rule) {
        if (nanos < minNanos || nanos > maxNanos) {
            throw new IllegalArgumentException(what + " " + Times.words(nanos) + " is refused: " + Times.words(minNanos)
                    + " to " + Times.words(maxNanos) + rule + " are possible");
        }
    }

    /** How long a lease is good after its newest sign of life. */
    long lengthNanos(Kind kind) {
        return kind == Kind.SESSION ? sessionNanos : termNanos;
    }

    /** From one sign of life to the next. */
    long renewalNanos(Kind kind) {
        return kind == Kind.SESSION ? heartbeatNanos : termNanos / 3;
    }

    /** Below both lengths, so that an engine accepts them. */
    long operationNanos() {
        return Math.min(OPERATION_MAX_NANOS, Math.min(sessionNanos, termNanos) / 2);
    }

    /** How long others wait for a lease that they see just as it was renewed, on the slowest clock. */
    long stretchedNanos(Kind kind) {
        double rho = driftPpm / 1e6;
        return (long) Math.ceil(lengthNanos(kind) * ((1 + rho) / (1 - rho)) / (1 - rho));
    }

    /**
     * How late a take-over comes at the most when nothing is lost: the last sign of life arrives when its sender is dead already, is seen
     * at the next look, the lease runs out, and who waits reads it, writes and commits.
     */
    public long ruleNanos(Kind kind) {
        return stretchedNanos(kind) + lookNanos(kind) + 8 * latency.maxNanos() + 3 * replication.maxNanos();
    }

    private long lookNanos(Kind kind) {
        return kind == Kind.SESSION ? Math.min(LOOK_NANOS, sessionNanos / LOOKS_OF_A_SESSION) : LOOK_NANOS;
    }

    /** What keeps a lease. */
    public enum Kind {
        /** The heartbeat of its engine's session. */
        SESSION("session"),
        /** Its own term, which a handle renews. */
        TERM("term");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }
}
