package dev.leasehold.engine.internal.time;

/**
 * The two time sources of an engine. Passed in, so that tests and simulations control the time.
 *
 * <p>Implementations are thread-safe and never block.
 */
public interface EngineClock {

    /**
     * Nanoseconds that have elapsed since an arbitrary origin, which stays the same for the lifetime of this clock.
     *
     * <p>As with {@link System#nanoTime()} the value may be negative and may wrap around: only the difference of two readings means
     * anything. It must not go back and must not be set. It may stand still while the machine is suspended.
     */
    long monotonicNanos();

    /** Nanoseconds since the epoch, as people see them. The value may step in either direction at any time. */
    long wallNanos();
}
