package dev.leasehold.engine.internal.mongo;

import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseChanges;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** What one watch has told so far. */
final class Watch {

    private final LeaseChanges changes;
    private final List<LeaseChange> told = new ArrayList<>();

    private Watch(LeaseChanges changes) {
        this.changes = changes;
    }

    /** A watch that has begun, and misses nothing from now on. */
    static Watch begun(MongoLeaseStore store) {
        return begun(store.changes());
    }

    static Watch begun(LeaseChanges changes) {
        Watch watch = new Watch(changes);
        watch.told.addAll(changes.await());
        return watch;
    }

    LeaseChanges changes() {
        return changes;
    }

    /** Everything up to this one. */
    private static LeaseChange withoutDocument(LeaseChange change) {
        if (change instanceof LeaseChange.Taken taken) {
            return new LeaseChange.Taken(taken.name(), null);
        }
        return change instanceof LeaseChange.Freed freed ? new LeaseChange.Freed(freed.name(), null) : change;
    }

    List<LeaseChange> toldUpTo(LeaseChange last) {
        Awaitility.await().pollInSameThread().until(() -> {
            changes.await().stream().map(Watch::withoutDocument).forEach(told::add);
            return told.contains(last);
        });
        return told;
    }
}
