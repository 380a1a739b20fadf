package dev.leasehold.engine.internal.session;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.runtime.Backoff;
import org.jspecify.annotations.Nullable;

/** How long to wait before the next attempt at most. */
public final class RetryWindow {

    private RetryWindow() {}

    /**
     * The longest wait after so many failures within one operation, longer if the database has too much to do: then as
     * long as its own drivers wait.
     *
     * @param failures 1 or more
     * @param last the last of them; null if it says nothing
     */
    public static long nanos(int failures, @Nullable LeaseException last) {
        boolean overloaded = last instanceof LeaseUnavailableException unavailable && unavailable.isOverloaded();
        return overloaded ? Backoff.longWindowNanos(failures) : Backoff.windowNanos(failures);
    }
}
