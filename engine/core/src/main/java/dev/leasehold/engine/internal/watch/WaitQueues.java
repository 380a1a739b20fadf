package dev.leasehold.engine.internal.watch;

import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.internal.rules.WaitQueue.QueueView;
import dev.leasehold.engine.internal.store.LeaseChange;
import java.util.Set;

/** The wait queues of this engine, as polls and the change stream serve them. Event loop only. */
public interface WaitQueues {

    boolean isEmpty();

    /** Whether changes should be reported: an acquire waits whose first attempt is over, or a closed ticket is watched. */
    boolean needChanges();

    /** The leases that are waited for while no attempt runs. */
    Set<String> idleNames();

    /** The leases for which this engine waits near the head. */
    Set<String> nearNames();

    /** A lease and its queue as read. */
    void onPolled(LeaseState state, QueueView view);

    /** A lease has changed. Ignored if no acquire waits for it. */
    void onChange(LeaseChange.OfLease change);

    /** A change of a lease that is not held here shows that the session of this engine keeps it: likely a grant to a ticket of this engine. */
    void onGranted(LeaseChange.OfLease change);

    /** The session of a writer in a partition has ended; which leases it kept is unknown here. */
    void onSessionEnded(String partition);

    /** Changes may have been missed. */
    void onGap();
}
