package dev.leasehold.engine.internal.operations;

import dev.leasehold.engine.Housekeeping;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.commit.LeaseReader;
import dev.leasehold.engine.internal.commit.PartitionEngine;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.rules.ObservedLease;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.ClockWrite;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Clears away what nobody needs any more, one page of leases after the other. */
public final class Housekeeper {

    /** How many documents are to be removed at a time. The time of each begins with the first, and gate stripes make a lease into many. */
    private static final int DOCUMENTS_AT_ONCE = LeaseReader.PAGE_SIZE;

    private final PartitionRouter router;
    private final OperationCalls calls;
    private final LeaseListing listing;

    public Housekeeper(PartitionRouter router, OperationCalls calls, LeaseListing listing) {
        this.router = router;
        this.calls = calls;
        this.listing = listing;
    }

    /** A partition that fails keeps none of the others from being cleared; the first failure is thrown at the end. */
    public Housekeeping run() throws InterruptedException {
        Tally tally = new Tally();
        for (PartitionEngine partition : router.all()) {
            try {
                clear(partition, tally);
            } catch (LeaseException e) {
                tally.failed(e);
            }
        }
        if (tally.failure != null) {
            throw tally.failure;
        }
        return new Housekeeping(tally.removed, tally.vacant - tally.removed, tally.pruned);
    }

    private static final class Tally {
        private int vacant;
        private int removed;
        private int pruned;
        private @Nullable LeaseException failure;

        void failed(LeaseException e) {
            if (failure == null) {
                failure = e;
            } else {
                failure.addSuppressed(e);
            }
        }
    }

    private void clear(PartitionEngine partition, Tally tally) throws InterruptedException {
        listing.forEachPage(partition, page -> {
            for (List<Request> part : removals(page)) {
                tally.removed += await(part.stream().map(calls::submit).toList());
                tally.vacant += part.size();
            }
        });
        tally.pruned += pruneWriters(partition);
    }

    private static List<List<Request>> removals(LeaseReader.Listed page) {
        List<List<Request>> parts = new ArrayList<>();
        int ofLastPart = 0;
        for (ObservedLease observed : page.sightings()) {
            if (observed instanceof ObservedLease.Lease lease && !lease.isHeld()) {
                int documents = 1 + lease.document().stripes();
                if (parts.isEmpty() || ofLastPart + documents > DOCUMENTS_AT_ONCE) {
                    parts.add(new ArrayList<>());
                    ofLastPart = 0;
                }
                parts.get(parts.size() - 1).add(new Request.Remove(lease.name()));
                ofLastPart += documents;
            }
        }
        return parts;
    }

    private int await(List<PendingOperation> removals) throws InterruptedException {
        int removed = 0;
        for (PendingOperation removal : removals) {
            if (calls.await(removal).refusal() == null) {
                removed++;
            }
        }
        return removed;
    }

    private int pruneWriters(PartitionEngine partition) throws InterruptedException {
        int pruned = 0;
        for (ClockWrite removal : calls.read(partition.reads()::silentWriters, "listing of writers")) {
            pruned += calls.read(untilNanos -> partition.prune(removal, untilNanos), "pruning of writers") ? 1 : 0;
        }
        return pruned;
    }
}
