package dev.leasehold.engine.internal.store;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import java.util.List;

/**
 * Reports which tenures of a namespace have ended or begun, soon after a majority has the change. No decision rests on
 * it; it only shows when a read is worthwhile. Used by one thread; any thread may call {@link #close}.
 */
public interface LeaseChanges extends AutoCloseable {

    /**
     * Waits for changes, for about half a second at most.
     *
     * @return the changes since the previous call, or since the first call began; empty if there are none
     * @throws LeaseUnavailableException if a retry may help; changes may have been missed
     * @throws LeaseException if the server does not allow it
     */
    List<LeaseChange> await();

    /** Closes the change stream. Never throws. */
    @Override
    void close();
}
