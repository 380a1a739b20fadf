package dev.leasehold.simulator.cli;

/**
 * When a batch is over.
 *
 * @param histories after so many
 * @param timeNanos or after this time, if that is sooner
 */
record Goal(long histories, long timeNanos) {

    private static final long SECOND_NANOS = 1_000_000_000;

    /** About how long it will yet take. */
    long leftNanos(long played, long goneNanos) {
        double byHistories = played == 0 ? Double.MAX_VALUE : (double) goneNanos / played * (histories - played);
        return Math.max(0, (long) Math.min(byHistories, timeNanos - goneNanos));
    }

    /** The length of a bar that shows it: so many histories, or else so many seconds. */
    long bar() {
        return isByTime() ? timeNanos / SECOND_NANOS : histories;
    }

    /** How much of that bar is done. */
    long barDone(long played, long goneNanos) {
        return Math.min(bar(), isByTime() ? goneNanos / SECOND_NANOS : played);
    }

    /** Whether it is over after a time, rather than after so many histories. */
    boolean isByTime() {
        return timeNanos < Long.MAX_VALUE;
    }
}
