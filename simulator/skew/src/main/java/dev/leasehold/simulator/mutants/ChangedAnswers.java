package dev.leasehold.simulator.mutants;

import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.ForwardingStore;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.IdleTransaction;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.simulator.plan.Components;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Stores that answer something else than the database does. */
final class ChangedAnswers {

    private ChangedAnswers() {}

    // ---- outcomes of writes ----

    /** What is not known counts as done. */
    static LeaseStore unknownIsYes(LeaseStore store) {
        return withOutcomes(store, outcome -> outcome.verdict() == Verdict.UNKNOWN ? WriteOutcome.APPLIED : outcome);
    }

    /** What is not known counts as not done. */
    static LeaseStore unknownIsNo(LeaseStore store) {
        return withOutcomes(store, outcome -> outcome.verdict() == Verdict.UNKNOWN ? undone() : outcome);
    }

    private static LeaseStore withOutcomes(LeaseStore store, UnaryOperator<WriteOutcome> change) {
        return new ForwardingStore(store) {
            @Override
            public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
                return change.apply(super.commit(transaction, mayCommit));
            }

            @Override
            public WriteOutcome writeLeases(String writer, List<LeaseWrite.Replace> writes) {
                return change.apply(super.writeLeases(writer, writes));
            }
        };
    }

    /** What had landed before its commit was sent again counts as not done. */
    static LeaseStore landedIsNo(LeaseStore store) {
        return new ForwardingStore(store) {
            @Override
            public WriteOutcome commitAgain() {
                WriteOutcome outcome = super.commitAgain();
                return outcome.verdict() == Verdict.APPLIED ? undone() : outcome;
            }
        };
    }

    private static WriteOutcome undone() {
        return WriteOutcome.unavailable(new LeaseUnavailableException("no answer", null));
    }

    // ---- reads ----

    /** Of two reads of the same leases the second is answered with what the first has shown. */
    static LeaseStore readingEveryOtherTime(LeaseStore store) {
        return new ForwardingStore(store) {
            private Set<String> namesBefore = Set.of();
            private @Nullable Snapshot before;

            @Override
            public Snapshot read(Set<String> names, String writer) {
                Snapshot shown = names.equals(namesBefore) ? before : null;
                if (shown == null) {
                    shown = super.read(names, writer);
                    namesBefore = names;
                    before = shown;
                } else {
                    before = null;
                }
                return shown;
            }
        };
    }

    /** A page of leases has only those that somebody holds. */
    static LeaseStore listingOnlyTheHeld(LeaseStore store) {
        return new ForwardingStore(store) {
            @Override
            public Page page(@Nullable String belowId, int limit, String writer) {
                Page page = super.page(belowId, limit, writer);
                List<StoredLease> held = page.snapshot().leases().stream()
                        .filter(lease -> !(lease instanceof StoredLease.Sound it
                                && it.document().isVacant()))
                        .toList();
                return new Page(new Snapshot(held, page.snapshot().clock()), page.lastId());
            }
        };
    }

    /** A damaged lease counts as damage of everything that is read with it, for as long as the engine lives. */
    static LeaseStore damagedByOne(LeaseStore store) {
        return new ForwardingStore(store) {
            private StoredLease.@Nullable Corrupt damaged;

            @Override
            public Snapshot read(Set<String> names, String writer) {
                Snapshot snapshot = super.read(names, writer);
                for (StoredLease lease : snapshot.leases()) {
                    damaged = damaged == null && lease instanceof StoredLease.Corrupt corrupt ? corrupt : damaged;
                }
                if (damaged != null) {
                    throw new CorruptDocumentException(damaged.documentId(), damaged.field(), damaged.found());
                }
                return snapshot;
            }
        };
    }

    /** Every session is taken to be as long as one's own. */
    static LeaseStore withSessionLength(LeaseStore store, long sessionNanos) {
        return new ForwardingStore(store) {
            @Override
            public Snapshot read(Set<String> names, String writer) {
                Snapshot snapshot = super.read(names, writer);
                ClockDocument clock = snapshot.clock();
                Map<String, WriterEntry> writers = new LinkedHashMap<>();
                clock.writers().forEach((name, entry) -> writers.put(name, withLength(entry)));
                return new Snapshot(snapshot.leases(), Components.with(clock, "writers", writers));
            }

            private WriterEntry withLength(WriterEntry entry) {
                return entry instanceof WriterEntry.Sound it && it.sessionNanos() != null
                        ? Components.with(it, "sessionNanos", sessionNanos)
                        : entry;
            }
        };
    }

    // ---- stuck transactions ----

    /** Nothing that is stuck is ended. */
    static LeaseStore endingNothing(LeaseStore store) {
        return new ForwardingStore(store) {
            @Override
            public void endTransactions(Collection<UUID> driverSessions) {
                // The mistake: it stays open.
            }
        };
    }

    /** Whoever ends one transaction ends all that are idle. */
    static LeaseStore endingEverything(LeaseStore store) {
        return new ForwardingStore(store) {
            @Override
            public void endTransactions(Collection<UUID> driverSessions) {
                super.endTransactions(idleTransactions().stream()
                        .map(IdleTransaction::driverSession)
                        .toList());
            }
        };
    }
}
