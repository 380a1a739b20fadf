package dev.leasehold.engine.internal.operations;

import dev.leasehold.engine.Housekeeping;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.commit.LeaseReader;
import dev.leasehold.engine.internal.commit.Operations;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.partition.PartitionEngine;
import dev.leasehold.engine.internal.partition.PartitionRouter;
import dev.leasehold.engine.internal.rules.ObservedLease;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Removes vacant leases, page by page, the entries of silent writers, old records of occurrences, and the tickets of absent writers. */
public final class Housekeeper {

    /** The documents removed at a time: the budgets of a batch start together, and a lease has one more document per gate stripe. */
    private static final int DOCUMENTS_AT_ONCE = LeaseReader.PAGE_SIZE;

    /** The entries of writers removed at a time. */
    private static final int WRITERS_AT_ONCE = 1_000;

    /** The largest number of records of which one write removes the old ones: what it has not removed in its short time is not counted. */
    private static final int RECORDS_AT_ONCE = 100;

    /** The largest number of queues that are tidied at a time: each may need two commands. */
    private static final int QUEUES_AT_ONCE = 25;

    private final PartitionRouter router;
    private final Operations operations;
    private final LeaseListing listing;
    private final long retentionNanos;

    /** @param retentionNanos how long the record of an occurrence is kept */
    public Housekeeper(PartitionRouter router, Operations operations, LeaseListing listing, long retentionNanos) {
        this.router = router;
        this.operations = operations;
        this.listing = listing;
        this.retentionNanos = retentionNanos;
    }

    /** Cleans every partition, also after a failure; the first failure is thrown at the end. */
    public Housekeeping run() throws InterruptedException {
        operations.checkOpen();
        Progress progress = new Progress();
        for (PartitionEngine partition : router.all()) {
            try {
                listing.forEachPage(partition, page -> removeVacant(page, progress));
                pruneWriters(partition, progress);
                progress.forgotten += removeByPage(
                        partition,
                        (store, belowId) -> store.removeOldOccurrences(belowId, RECORDS_AT_ONCE, retentionNanos),
                        "removal of old occurrences");
                // Last: the tickets of the writers that were removed above go too.
                removeByPage(
                        partition, (store, belowId) -> store.tidyQueues(belowId, QUEUES_AT_ONCE), "tidying of queues");
            } catch (LeaseException e) {
                progress.failed(e);
            }
        }
        if (progress.failure != null) {
            throw progress.failure;
        }
        return new Housekeeping(
                progress.removed, progress.vacant - progress.removed, progress.pruned, progress.forgotten);
    }

    private interface PageRemoval {
        LeaseStore.Removal from(LeaseStore store, @Nullable String belowId);
    }

    /** Looks at a page at a time, from the highest id down, and returns how many documents were removed. */
    private int removeByPage(PartitionEngine partition, PageRemoval removal, String what) throws InterruptedException {
        int removed = 0;
        LeaseStore.Removal page = new LeaseStore.Removal(0, null);
        do {
            String belowId = page.lastId();
            page = operations.ofStore(partition.reads(), store -> removal.from(store, belowId), what);
            removed += page.removed();
        } while (page.lastId() != null);
        return removed;
    }

    private static final class Progress {
        private int vacant;
        private int removed;
        private int pruned;
        private int forgotten;
        private @Nullable LeaseException failure;

        void failed(LeaseException e) {
            if (failure == null) {
                failure = e;
            } else {
                failure.addSuppressed(e);
            }
        }
    }

    private void removeVacant(LeaseReader.Page page, Progress progress) throws InterruptedException {
        List<Request> part = new ArrayList<>();
        int documents = 0;
        for (ObservedLease observed : page.leases()) {
            if (observed instanceof ObservedLease.Lease lease && !lease.isHeld()) {
                int more = 1 + lease.document().stripes();
                if (documents + more > DOCUMENTS_AT_ONCE) {
                    remove(part, progress);
                    part.clear();
                    documents = 0;
                }
                part.add(new Request.Remove(lease.name()));
                documents += more;
            }
        }
        remove(part, progress);
    }

    private void remove(List<Request> removals, Progress progress) throws InterruptedException {
        for (PendingOperation removal :
                removals.stream().map(operations::submit).toList()) {
            if (operations.await(removal).refusal() == null) {
                progress.removed++;
            }
        }
        progress.vacant += removals.size();
    }

    /**
     * Removes many entries at once. If one of them was written meanwhile, or the server needs too long for so many, none is
     * removed, and fewer are tried; after a success more again. If not even one can be written, the rest is left to the next
     * housekeeping.
     */
    private void pruneWriters(PartitionEngine partition, Progress progress) throws InterruptedException {
        List<WriterEntry.Sound> stale = operations.read(partition.reads()::silentWriters, "listing of writers");
        int done = 0;
        int size = WRITERS_AT_ONCE;
        while (done < stale.size()) {
            List<WriterEntry.Sound> part = stale.subList(done, Math.min(stale.size(), done + size));
            WriteOutcome.Verdict verdict =
                    operations.read(deadlineNanos -> partition.prune(part, deadlineNanos), "pruning of writers");
            if (verdict == WriteOutcome.Verdict.APPLIED) {
                progress.pruned += part.size();
                done += part.size();
                size = Math.min(WRITERS_AT_ONCE, 2 * size);
            } else if (part.size() > 1 && isAboutSomeOfThem(verdict)) {
                size = part.size() / 2;
            } else if (verdict == WriteOutcome.Verdict.MISSED) {
                done++;
            } else {
                return;
            }
        }
    }

    /** A write that takes too long counts as a conflict. */
    private static boolean isAboutSomeOfThem(WriteOutcome.Verdict verdict) {
        return verdict == WriteOutcome.Verdict.MISSED || verdict == WriteOutcome.Verdict.CONFLICT;
    }
}
