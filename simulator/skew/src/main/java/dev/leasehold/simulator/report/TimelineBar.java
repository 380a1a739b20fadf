package dev.leasehold.simulator.report;

/**
 * What a lane shows from one instant to another one.
 *
 * @param fromNanos where it begins
 * @param toNanos where it ends; the same for a single instant; {@link Long#MAX_VALUE} if it never ends
 * @param styles class names in the style sheet
 * @param label stands in it or right of it
 * @param tip is shown to a reader who points at it
 */
record TimelineBar(long fromNanos, long toNanos, String styles, String label, String tip) {

    /** One that is not over yet. */
    static TimelineBar from(long nanos, String styles, String label, String tip) {
        return new TimelineBar(nanos, Long.MAX_VALUE, styles, label, tip + "\nfrom " + TimeText.instant(nanos));
    }

    static TimelineBar at(long nanos, String styles, String label, String tip) {
        return new TimelineBar(nanos, nanos, styles, label, tip + "\nat " + TimeText.instant(nanos));
    }

    TimelineBar until(long nanos) {
        return new TimelineBar(fromNanos, nanos, styles, label, tip + "\nto " + TimeText.instant(nanos));
    }

    TimelineBar with(String style, String words, String more) {
        return new TimelineBar(fromNanos, toNanos, styles + ' ' + style, label + words, tip + '\n' + more);
    }
}
