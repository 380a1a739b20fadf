package dev.leasehold.engine.internal.time;

/**
 * What one read says about one writer's clock: at {@code readEndedNanos} on the reader's clock, the writer's clock showed at least
 * {@code writerStampNanos}. Immutable.
 *
 * <p>It is no statement about the reader's own entries. Those are compared with the reader's clock directly.
 *
 * @param readBeganNanos the reader's clock before the read was sent, in nanoseconds
 * @param readEndedNanos the reader's clock after the answer was there, in nanoseconds
 * @param writerStampNanos the newest stamp of the writer in the answer, on the writer's clock, in nanoseconds
 */
public record Observation(long readBeganNanos, long readEndedNanos, long writerStampNanos) {

    /**
     * Checks the order of the two readings.
     *
     * @throws ClockWentBackException if the read ended before it began
     */
    public Observation {
        requireInOrder(readBeganNanos, readEndedNanos);
    }

    public static void requireInOrder(long readBeganNanos, long readEndedNanos) {
        if (readEndedNanos < readBeganNanos) {
            throw new ClockWentBackException(readBeganNanos, readEndedNanos);
        }
    }

    /**
     * The bound on the reader's clock for an instant of the writer's clock. The beginning of the read takes no part: the stamp may be
     * as young as the end of the read.
     */
    public long safeAfterNanos(long xNanos, Drift drift) {
        return ExpiryBound.nanos(readEndedNanos, writerStampNanos, xNanos, drift);
    }
}
