package dev.leasehold.engine.internal.eventloop;

import dev.leasehold.engine.internal.runtime.LogContext;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;

/**
 * Logs failures that repeat for many leases at once, as in an outage: as a warning only the first of all leases that has failed once,
 * twice, four times and so on; every other as debug. Starts anew once none of them fails any more. Event loop only.
 */
public final class FailureLog {

    private final Logger log;
    private final String format;
    private final Set<Object> failing = new HashSet<>();
    private int warnedFailures;

    /** @param format of the subject, the number of failures in a row, how many leases are failing, and the message */
    public FailureLog(Logger log, String format) {
        this.log = log;
        this.format = format;
    }

    /**
     * One more failure in a row.
     *
     * @param key by which the end of its failures is told
     * @param subject for the line
     */
    public void failed(Object key, LogContext subject, int failures, Throwable failure) {
        failing.add(key);
        if (failures > warnedFailures && LeaseContext.isWarned(failures)) {
            warnedFailures = failures;
            Throwable trace = LeaseContext.stackTraceOf(failure);
            log.warn(format, subject, failures, failing.size(), failure.getMessage(), trace);
        } else {
            log.debug(format, subject, failures, failing.size(), failure.getMessage());
        }
    }

    /** It fails no longer, or is not tried any more. No effect if it had not failed. */
    public void ended(Object key) {
        if (failing.remove(key) && failing.isEmpty()) {
            warnedFailures = 0;
        }
    }
}
