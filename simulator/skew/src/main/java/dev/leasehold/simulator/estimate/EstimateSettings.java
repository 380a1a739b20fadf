package dev.leasehold.simulator.estimate;

import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;

import dev.leasehold.simulator.report.TimeText;

/**
 * What an estimate is made for.
 *
 * @param sessionNanos the length of a session
 * @param heartbeatNanos from one heartbeat of a session to the next
 * @param termNanos the term of a lease whose handle renews it at each third
 * @param driftPpm the drift bound; clocks run anywhere within it
 * @param latency of one way between an engine and the database
 * @param replication from a write until a majority has it
 * @param clients how many want the lease, the holder included
 * @param gatesPerMinute how many gated transactions are begun
 * @param gateLength how long one is worked on while it is open
 */
public record EstimateSettings(
        long sessionNanos,
        long heartbeatNanos,
        long termNanos,
        long driftPpm,
        Span latency,
        Span replication,
        int clients,
        int gatesPerMinute,
        Span gateLength) {

    private static final long LENGTH_MIN_NANOS = 500 * MILLI;
    private static final long LENGTH_MAX_NANOS = 600 * SECOND;
    private static final long HEARTBEAT_MIN_NANOS = 10 * MILLI;
    private static final long OPERATION_MAX_NANOS = 10 * SECOND;
    /** In histories of this kind a lease that lasts twice as long for others would not end. */
    private static final long DRIFT_MAX_PPM = 200_000;
    /** An engine looks that often at a lease that it waits for, and at a session sixteen times within its length. */
    private static final long LOOK_NANOS = 5 * SECOND;

    private static final int LOOKS_OF_A_SESSION = 16;
    private static final int CLIENTS_MAX = 50;
    private static final int GATES_MAX = 6_000;

    /** What an engine refuses, or no history has room for, is refused. */
    public EstimateSettings {
        long shortestNanos = Math.min(sessionNanos, termNanos);
        time("session", sessionNanos, LENGTH_MIN_NANOS, LENGTH_MAX_NANOS, "");
        time("term", termNanos, LENGTH_MIN_NANOS, LENGTH_MAX_NANOS, "");
        time("heartbeat", heartbeatNanos, HEARTBEAT_MIN_NANOS, (sessionNanos - 1) / 2, ", below half of the session,");
        time("latency", latency.maxNanos(), 0, shortestNanos / 20, ", a twentieth of session and term,");
        time("replication", replication.maxNanos(), 0, shortestNanos / 10, ", a tenth of session and term,");
        time("gate length", gateLength.maxNanos(), 0, shortestNanos, ", the shorter of session and term,");
        number("drift", driftPpm, 0, DRIFT_MAX_PPM, " ppm");
        number("number of clients", clients, 2, CLIENTS_MAX, "");
        number("number of gated transactions per minute", gatesPerMinute, 1, GATES_MAX, "");
    }

    private static void number(String what, long value, long min, long max, String unit) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    what + " " + value + " is refused: " + min + " to " + max + unit + " are possible");
        }
    }

    private static void time(String what, long nanos, long minNanos, long maxNanos, String rule) {
        if (nanos < minNanos || nanos > maxNanos) {
            throw new IllegalArgumentException(what + " " + TimeText.brief(nanos) + " is refused: "
                    + TimeText.brief(minNanos) + " to " + TimeText.brief(maxNanos) + rule + " are possible");
        }
    }

    /** How long a lease is good after its newest heartbeat or renewal. */
    long lengthNanos(LeaseKind kind) {
        return kind == LeaseKind.SESSION ? sessionNanos : termNanos;
    }

    /** From one heartbeat or renewal to the next. */
    long renewalNanos(LeaseKind kind) {
        return kind == LeaseKind.SESSION ? heartbeatNanos : termNanos / 3;
    }

    /** Below both lengths, so that an engine accepts it. */
    long operationNanos() {
        return Math.min(OPERATION_MAX_NANOS, Math.min(sessionNanos, termNanos) / 2);
    }

    /**
     * How late a take-over comes at the most when nothing is lost: the last renewal arrives when its sender is dead already, is seen at the
     * next look, the lease runs out on the slowest clock, and the waiter reads it, writes and commits.
     */
    long boundNanos(LeaseKind kind) {
        double rho = driftPpm / 1e6;
        long stretchedNanos = (long) Math.ceil(lengthNanos(kind) * ((1 + rho) / (1 - rho)) / (1 - rho));
        long lookNanos =
                kind == LeaseKind.SESSION ? Math.min(LOOK_NANOS, sessionNanos / LOOKS_OF_A_SESSION) : LOOK_NANOS;
        return stretchedNanos + lookNanos + 8 * latency.maxNanos() + 3 * replication.maxNanos();
    }
}
