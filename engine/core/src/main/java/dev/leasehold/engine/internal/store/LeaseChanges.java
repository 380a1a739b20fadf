package dev.leasehold.engine.internal.store;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import java.util.List;

/**
 * Tells which leases of a namespace others have ended, soon after a majority has it. Nothing is decided from it: it says
 * when a look is worthwhile. Used by one thread; {@link #close} may be called by any.
 */
public interface LeaseChanges extends AutoCloseable {

    /**
     * Waits for changes, for about half a second at the most.
     *
     * @return what has happened since the call before, or since the first call began; empty for nothing
     * @throws LeaseUnavailableException when trying again may help; changes may have been missed
     * @throws LeaseException when the server does not allow it
     */
    List<LeaseChange> await();

    /** Ends what is open. Never throws. */
    @Override
    void close();
}
