package dev.leasehold.simulator.cli;

/**
 * When a batch is over.
 *
 * @param histories after so many
 * @param timeNanos or after this time, if that is sooner
 */
record Goal(long histories, long timeNanos) {

    /** About how long it will yet take. */
    long leftNanos(long played, long goneNanos) {
        double byHistories = played == 0 ? Double.MAX_VALUE : (double) goneNanos / played * (histories - played);
        return Math.max(0, (long) Math.min(byHistories, timeNanos - goneNanos));
    }

    /** Of a thousand, how many are done. */
    long donePerMille(long played, long goneNanos) {
        double done = Math.max((double) played / histories, (double) goneNanos / timeNanos);
        return Math.min(1000, (long) (done * 1000));
    }
}
