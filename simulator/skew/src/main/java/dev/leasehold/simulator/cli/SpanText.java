package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.estimate.Span;

/** Reads {@code 5ms..50ms}, or one time that does not vary. */
final class SpanText {

    private SpanText() {}

    /** Refuses what is no span. */
    static Span span(String text) {
        int dots = text.indexOf("..");
        long minNanos = TimeText.nanos(dots < 0 ? text : text.substring(0, dots));
        long maxNanos = dots < 0 ? minNanos : TimeText.nanos(text.substring(dots + 2));
        if (maxNanos < minNanos) {
            throw new IllegalArgumentException("span '" + text + "' is refused: it ends before it begins");
        }
        return new Span(minNanos, maxNanos);
    }
}
