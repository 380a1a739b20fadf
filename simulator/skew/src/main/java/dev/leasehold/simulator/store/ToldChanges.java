package dev.leasehold.simulator.store;

import dev.leasehold.engine.store.LeaseChange;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a change stream tells of a write: it sees which fields were updated, and not what was there before. */
final class ToldChanges {

    private ToldChanges() {}

    static void of(String id, @Nullable Document before, @Nullable Document after, List<LeaseChange> told) {
        if (before instanceof Document.Clock clock && after instanceof Document.Clock next) {
            if (next.writers().size() < clock.writers().size()) {
                writersGone(clock, next, told);
            }
        } else if (before instanceof Document.Lease lease) {
            ofLease(Ids.nameOfLease(id), lease, (Document.Lease) after, told);
        }
    }

    private static void writersGone(Document.Clock before, Document.Clock after, List<LeaseChange> told) {
        for (String writer : before.writers().keySet()) {
            if (!after.writers().containsKey(writer)) {
                told.add(new LeaseChange.WriterGone(writer));
            }
        }
    }

    /** First documents are not told of. */
    private static void ofLease(
            String name, Document.Lease before, Document.@Nullable Lease after, List<LeaseChange> told) {
        if (after == null) {
            told.add(new LeaseChange.Freed(name));
            return;
        }
        boolean holder = !Objects.equals(before.content().holder(), after.content().holder());
        boolean token = before.content().token() != after.content().token() || before.isSound() != after.isSound();
        boolean unpinned = !before.content().pins().isEmpty() && after.content().pins().isEmpty();
        if (token && !(holder && after.content().isVacant())) {
            told.add(new LeaseChange.Taken(name));
        } else if (token || holder || unpinned) {
            told.add(new LeaseChange.Freed(name));
        }
    }
}
