package dev.leasehold.simulator.conditions;

/**
 * How messages between machines and the database fare. Each of the two ways of an exchange is drawn for itself.
 *
 * @param delayNanos the shortest time of one way
 * @param jitterNanos up to this is added, evenly
 * @param latePpm how many ways of a million take longer
 * @param lateNanos up to this is added to those, evenly
 * @param lostRequestPpm how many requests of a million never arrive
 * @param lostReplyPpm how many replies of a million never arrive
 * @param refusedPpm how many requests of a million the server answers with a passing error, without carrying them out
 * @param unansweredPpm how many requests of a million the server carries out and answers with a passing error
 * @param repeatedPpm how many requests of a million arrive a second time, up to {@code lateNanos} later
 */
public record NetworkConditions(
        long delayNanos,
        long jitterNanos,
        int latePpm,
        long lateNanos,
        int lostRequestPpm,
        int lostReplyPpm,
        int refusedPpm,
        int unansweredPpm,
        int repeatedPpm) {

    /** Everything arrives at once. */
    public static final NetworkConditions PERFECT = new NetworkConditions(0, 0, 0, 0, 0, 0, 0, 0, 0);
}
