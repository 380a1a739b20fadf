package dev.leasehold.bench.measure;

/**
 * What processes have used.
 *
 * @param processorNanos time on all processors, with what the JVM does beside
 * @param threadWaits how often one of their threads left its processor to wait; {@link #UNKNOWN} where the system does not tell
 */
public record ProcessCost(long processorNanos, long threadWaits) {

    /** No number of waits. */
    public static final long UNKNOWN = -1;

    /** {@return whether the number of waits is known} */
    public boolean knowsThreadWaits() {
        return threadWaits != UNKNOWN;
    }

    /** {@return what both have used} */
    public ProcessCost plus(ProcessCost other) {
        return new ProcessCost(
                processorNanos + other.processorNanos,
                knowsThreadWaits() && other.knowsThreadWaits() ? threadWaits + other.threadWaits : UNKNOWN);
    }
}
