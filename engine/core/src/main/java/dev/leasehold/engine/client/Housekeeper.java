package dev.leasehold.engine.client;

import dev.leasehold.engine.Housekeeping;
import dev.leasehold.engine.commit.CommitPath;
import dev.leasehold.engine.commit.LeaseReader;
import dev.leasehold.engine.commit.PendingOperation;
import dev.leasehold.engine.protocol.Request;
import dev.leasehold.engine.protocol.Sighting;
import dev.leasehold.engine.store.ClockWrite;
import java.util.ArrayList;
import java.util.List;

/** Clears away what nobody needs any more, one page of leases after the other. */
final class Housekeeper {

    private final CommitPath path;
    private final Calls calls;
    private final Listing listing;

    Housekeeper(CommitPath path, Calls calls, Listing listing) {
        this.path = path;
        this.calls = calls;
        this.listing = listing;
    }

    Housekeeping run() throws InterruptedException {
        Tally tally = new Tally();
        listing.forEachPage(page -> {
            List<PendingOperation> removals = submitRemovals(page);
            tally.removed += await(removals);
            tally.vacant += removals.size();
        });
        return new Housekeeping(tally.removed, tally.vacant - tally.removed, pruneWriters());
    }

    private static final class Tally {
        private int vacant;
        private int removed;
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

    private int pruneWriters() throws InterruptedException {
        int pruned = 0;
        for (ClockWrite removal : calls.read(path.reads()::silentWriters, "listing of writers")) {
            pruned += calls.read(untilNanos -> path.prune(removal, untilNanos), "pruning of writers") ? 1 : 0;
        }
        return pruned;
    }
}
