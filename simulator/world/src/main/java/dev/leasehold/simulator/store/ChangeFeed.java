package dev.leasehold.simulator.store;

import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.engine.internal.store.LeaseChange;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a change stream tells of a write: it sees which fields were updated, and not what was there before. */
final class ChangeFeed {

    private ChangeFeed() {}

    static void of(String id, @Nullable Document before, @Nullable Document after, List<ChangeEvent> told) {
        if (before instanceof Document.Clock clock && after instanceof Document.Clock next) {
            if (next.writers().size() < clock.writers().size()) {
                writersGone(id, clock, next, told);
            }
        } else if (before instanceof Document.Lease lease) {
            LeaseChange change = ofLease(Ids.nameOfLease(id), lease, (Document.Lease) after);
            if (change != null) {
                told.add(new ChangeEvent(LeaseIds.namespaceOf(lease.content().namespace()), change));
            }
        }
    }

    private static void writersGone(
            String partition, Document.Clock before, Document.Clock after, List<ChangeEvent> told) {
        for (String writer : before.writers().keySet()) {
            if (!after.writers().containsKey(writer)) {
                told.add(new ChangeEvent(
                        LeaseIds.namespaceOf(partition), new LeaseChange.WriterGone(partition, writer)));
            }
        }
    }

    /** First documents are not told of. Null where there is nothing to tell. */
    private static @Nullable LeaseChange ofLease(String name, Document.Lease before, Document.@Nullable Lease after) {
        if (after == null) {
            return new LeaseChange.Freed(name);
        }
        boolean holder =
                !Objects.equals(before.content().holder(), after.content().holder());
        boolean token = before.content().token() != after.content().token() || before.isSound() != after.isSound();
        if (token && !(holder && after.content().isVacant())) {
            return new LeaseChange.Taken(name);
        }
        boolean unpinned =
                !before.content().pins().isEmpty() && after.content().pins().isEmpty();
        return token || holder || unpinned ? new LeaseChange.Freed(name) : null;
    }
}
