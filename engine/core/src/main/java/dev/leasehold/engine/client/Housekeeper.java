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
            List<PendingOperation> removals = submitRemovals(page);
            tally.removed += await(removals);
            tally.vacant += removals.size();
        });
        tally.pruned += pruneWriters(path);
    }

    private List<PendingOperation> submitRemovals(LeaseReader.Listed page) {
        List<PendingOperation> removals = new ArrayList<>();
        for (Sighting sighting : page.sightings()) {
            if (sighting instanceof Sighting.Lease lease && !lease.isHeld()) {
                removals.add(calls.submit(new Request.Remove(lease.name())));
            }
        }
        return removals;
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
