package dev.leasehold.engine.client;

import dev.leasehold.engine.Housekeeping;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.commit.CommitPath;
import dev.leasehold.engine.commit.LeaseReader;
import dev.leasehold.engine.commit.PendingOperation;
import dev.leasehold.engine.protocol.Request;
import dev.leasehold.engine.protocol.Sighting;
import dev.leasehold.engine.store.ClockWrite;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Clears away what nobody needs any more, one page of leases after the other. */
final class Housekeeper {

    /** How many documents are to be removed at a time. The time of each begins with the first, and gate stripes make a lease into many. */
    private static final int DOCUMENTS_AT_ONCE = LeaseReader.PAGE_SIZE;

    private final Partitions partitions;
    private final Calls calls;
    private final Listing listing;

    Housekeeper(Partitions partitions, Calls calls, Listing listing) {
        this.partitions = partitions;
        this.calls = calls;
        this.listing = listing;
    }

    /** A partition that fails keeps none of the others from being cleared; the first failure is thrown at the end. */
    Housekeeping run() throws InterruptedException {
        Tally tally = new Tally();
        for (CommitPath path : partitions.all()) {
            try {
                clear(path, tally);
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

    private void clear(CommitPath path, Tally tally) throws InterruptedException {
        listing.forEachPage(path, page -> {
            for (List<Request> part : removals(page)) {
                tally.removed += await(part.stream().map(calls::submit).toList());
                tally.vacant += part.size();
            }
        });
        tally.pruned += pruneWriters(path);
    }

    private static List<List<Request>> removals(LeaseReader.Listed page) {
        List<List<Request>> parts = new ArrayList<>();
        int ofLastPart = 0;
        for (Sighting sighting : page.sightings()) {
            if (sighting instanceof Sighting.Lease lease && !lease.isHeld()) {
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

    private int pruneWriters(CommitPath path) throws InterruptedException {
        int pruned = 0;
        for (ClockWrite removal : calls.read(path.reads()::silentWriters, "listing of writers")) {
            pruned += calls.read(untilNanos -> path.prune(removal, untilNanos), "pruning of writers") ? 1 : 0;
        }
        return pruned;
    }
}
