package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G3;

import dev.leasehold.simulator.history.Change.LeaseRow;
import org.jspecify.annotations.Nullable;

/**
 * G3: a lease is taken from its holder only when the clock of the lease's last writer has passed the expiry which that writer stored. For
 * a lease that a session keeps this is the end of the session: its writer's entry is removed by another engine, or the lease is taken
 * while the entry stands, only when the writer's clock has passed that. A vacant lease with an expiry is taken only when the clock of
 * the writer that keeps it free has passed it.
 */
record ExpiryInvariant(Model history, Violations violations) implements Invariant {

    @Override
    public void check() {
        for (LeaseLog.Version version : history.versions) {
            LeaseRow before = version.before();
            Tenure ended = version.ended();
            if (before != null && ended != null && ended.end == Tenure.End.TAKEN && ended.sessionEnded == null) {
                checkTaken(version, before, ended);
            } else if (before != null && before.sound() && before.holder() == null && version.begun() != null) {
                check("nobody", version.lease().storedExpiry(before), version.commit(), version.lease().name);
            }
        }
        for (WriterLog writer : history.writers()) {
            for (WriterLog.Version version : writer.versions) {
                WriterLog.Version entry = version.entryBefore();
                if (version.row() == null && entry != null && version.commit().by != entry.commit().by) {
                    check(
                            "the session of " + writer.name,
                            StoredTime.ofSession(entry),
                            version.commit(),
                            keptLease(version.commit()));
                }
            }
        }
    }

    private void checkTaken(LeaseLog.Version version, LeaseRow before, Tenure ended) {
        WriterLog writer = history.writer(before.writer());
        StoredTime stored = version.lease().storedExpiry(before);
        if (before.expiryNanos() == null && writer != null) {
            stored = StoredTime.ofSession(writer.at(version.commit().atNanos));
        }
        check(ended.held, stored, version.commit(), ended.held.lease());
    }

    /** One of the leases that the session kept whose end a write was; null if it kept none. */
    private @Nullable String keptLease(Commit evicted) {
        return history.tenures.stream()
                .filter(tenure -> tenure.sessionEnded == evicted)
                .map(tenure -> tenure.held.lease())
                .findFirst()
                .orElse(null);
    }

    private void check(Object who, @Nullable StoredTime stored, Commit taken, @Nullable String lease) {
        if (stored != null && !stored.isOver(taken.atNanos)) {
            violations.addInside(
                    G3, taken.atNanos, lease, "%s was guaranteed the lease: %s; %s took it", who, stored, taken);
        }
    }
}
