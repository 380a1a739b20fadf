package dev.leasehold.operator.run;

/**
 * Decides what a command is sent, from how the lease stands. Pure.
 *
 * <p>A command is asked to end when the lease is lost, and when what is left of the validity is no longer than the grace period and three
 * seconds, because the database does not answer. It is killed when the grace period is over, and in any case before the validity is.
 *
 * @param graceNanos how long a command may take to end once it was asked to
 * @param killAtOnce whether it is not asked
 */
public record Supervision(long graceNanos, boolean killAtOnce) {

    /** A killed process is gone well within that time. */
    public static final long LAST_MOMENT_NANOS = 500_000_000;

    /** The watchdog counts in seconds, and must not be faster than this process. */
    public static final long LEAD_NANOS = Watchdog.MARGIN_NANOS + 1_000_000_000;

    /** What is to be done now. */
    public enum Step {
        GO_ON,
        ASK,
        KILL
    }

    /** How the lease stands. */
    public sealed interface Standing {

        /**
         * This process holds it.
         *
         * @param remainingNanos how long it does if nothing renews it
         */
        record Held(long remainingNanos) implements Standing {}

        /**
         * This process does not hold it.
         *
         * @param another whether another process may hold it without an order, so that there is no time for a question
         */
        record Lost(boolean another) implements Standing {}
    }

    /**
     * The next step.
     *
     * @param standing how the lease stands
     * @param sinceAskedNanos how long ago the command was asked to end; negative if it was not
     * @return what to do
     */
    public Step next(Standing standing, long sinceAskedNanos) {
        boolean isAsked = sinceAskedNanos >= 0;
        if (standing instanceof Standing.Held held && held.remainingNanos() > graceNanos + LEAD_NANOS && !isAsked) {
            return Step.GO_ON;
        }
        boolean isTooLate = standing instanceof Standing.Held held
                ? held.remainingNanos() <= LAST_MOMENT_NANOS
                : ((Standing.Lost) standing).another();
        if (killAtOnce || isTooLate || isAsked && sinceAskedNanos >= graceNanos) {
            return Step.KILL;
        }
        return isAsked ? Step.GO_ON : Step.ASK;
    }
}
