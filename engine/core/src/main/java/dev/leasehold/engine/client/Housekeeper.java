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
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Clears away what nobody needs any more, one page of leases after the other. */
final class Housekeeper {

    private final String namespace;
    private final CommitPath path;
    private final CallerWait wait;
    private final LongSupplier deadlineNanos;

    Housekeeper(String namespace, CommitPath path, CallerWait wait, LongSupplier deadlineNanos) {
        this.namespace = namespace;
        this.path = path;
        this.wait = wait;
        this.deadlineNanos = deadlineNanos;
    }

    Housekeeping run() throws InterruptedException {
        int removed = 0;
        int vacant = 0;
        String belowId = null;
        do {
            LeaseReader.Listed page = page(belowId);
            List<PendingOperation> removals = submitRemovals(page);
            vacant += removals.size();
            removed += await(removals);
            belowId = page.lastId();
        } while (belowId != null);
        return new Housekeeping(removed, vacant - removed, pruneWriters());
    }

    private LeaseReader.Listed page(@Nullable String belowId) throws InterruptedException {
        long untilNanos = deadlineNanos.getAsLong();
        return wait.read(path.reads().page(belowId, untilNanos), untilNanos, "listing");
    }

    private List<PendingOperation> submitRemovals(LeaseReader.Listed page) {
        List<PendingOperation> removals = new ArrayList<>();
        for (Sighting sighting : page.sightings()) {
            if (sighting instanceof Sighting.Lease lease && lease.document().isVacant()) {
                removals.add(new PendingOperation(namespace, new Request.Remove(lease.name()), deadlineNanos.getAsLong()));
            }
        }
        removals.forEach(path.groupCommit()::submit);
        return removals;
    }

    private int await(List<PendingOperation> removals) throws InterruptedException {
        int removed = 0;
        for (PendingOperation removal : removals) {
            if (wait.reply(removal).refusal() == null) {
                removed++;
            }
        }
        return removed;
    }

    private int pruneWriters() throws InterruptedException {
        long untilNanos = deadlineNanos.getAsLong();
        int pruned = 0;
        for (ClockWrite removal :
                wait.read(path.reads().silentWriters(untilNanos), untilNanos, "listing of writers")) {
            long pruneUntilNanos = deadlineNanos.getAsLong();
            pruned += wait.read(path.prune(removal, pruneUntilNanos), pruneUntilNanos, "pruning of writers") ? 1 : 0;
        }
        return pruned;
    }
}
