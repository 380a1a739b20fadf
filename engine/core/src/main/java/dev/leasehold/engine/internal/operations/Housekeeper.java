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

/** Removes vacant leases, page by page, and the entries of silent writers. */
public final class Housekeeper {

    /** The documents removed at a time: the budgets of a batch start together, and a lease has one more document per gate stripe. */
    private static final int DOCUMENTS_AT_ONCE = LeaseReader.PAGE_SIZE;

    private final PartitionRouter router;
    private final OperationCalls calls;
    private final LeaseListing listing;

    public Housekeeper(PartitionRouter router, OperationCalls calls, LeaseListing listing) {
        this.router = router;
        this.calls = calls;
        this.listing = listing;
    }

    /** Cleans every partition, also after a failure; the first failure is thrown at the end. */
    public Housekeeping run() throws InterruptedException {
        Progress progress = new Progress();
        for (PartitionEngine partition : router.all()) {
            try {
                clean(partition, progress);
            } catch (LeaseException e) {
                progress.failed(e);
            }
        }
        if (progress.failure != null) {
            throw progress.failure;
        }
        return new Housekeeping(progress.removed, progress.vacant - progress.removed, progress.pruned);
    }

    private static final class Progress {
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

    private void clean(PartitionEngine partition, Progress progress) throws InterruptedException {
        listing.forEachPage(partition, page -> {
            for (List<Request> part : removals(page)) {
                progress.removed += await(part.stream().map(calls::submit).toList());
                progress.vacant += part.size();
            }
        });
        progress.pruned += pruneWriters(partition);
    }

    private static List<List<Request>> removals(LeaseReader.Listed page) {
        List<List<Request>> parts = new ArrayList<>();
        int documentsOfLastPart = 0;
        for (ObservedLease observed : page.sightings()) {
            if (observed instanceof ObservedLease.Lease lease && !lease.isHeld()) {
                int documents = 1 + lease.document().stripes();
                if (parts.isEmpty() || documentsOfLastPart + documents > DOCUMENTS_AT_ONCE) {
                    parts.add(new ArrayList<>());
                    documentsOfLastPart = 0;
                }
                parts.get(parts.size() - 1).add(new Request.Remove(lease.name()));
                documentsOfLastPart += documents;
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
