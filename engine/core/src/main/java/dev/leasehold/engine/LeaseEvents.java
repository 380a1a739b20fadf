package dev.leasehold.engine;

import java.util.List;

/** What happens in a namespace, as it happens. Used by one thread; {@link #close} may be called by any. */
public interface LeaseEvents extends AutoCloseable {

    /**
     * Waits for events, for about half a second at the most. The first call begins to watch, and does not wait.
     *
     * @return what has happened since the call before, in the order in which it did, and no event twice; empty for nothing, and after
     *     {@link #close}
     * @throws LeaseUnavailableException when calling again may help; events may have been missed
     * @throws LeaseStoreException when the server does not allow it, for lack of the right {@code changeStream} for instance
     */
    List<LeaseEvent> await();

    /** Ends what is open. Never throws. */
    @Override
    void close();
}
