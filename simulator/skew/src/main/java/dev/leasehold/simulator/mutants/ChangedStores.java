package dev.leasehold.simulator.mutants;

import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.store.ClockStamps;
import dev.leasehold.engine.internal.store.ClockStatement;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.ForwardingStore;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.IdleTransaction;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.simulator.plan.Components;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Stores that write something else than the engine asks for, or answer something else than the database does. */
final class ChangedStores {

    private static final long HALF_SECOND_NANOS = 500_000_000;

    private ChangedStores() {}

    // ---- writes of leases ----

    private interface LeaseChange {
        LeaseWrite changed(LeaseWrite write, String writer);
    }

    private static LeaseStore withWrites(LeaseStore store, LeaseChange change) {
        return new ForwardingStore(store) {
            @Override
            public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
                List<LeaseWrite> writes = transaction.writes().stream()
                        .map(write -> change.changed(write, transaction.clock().writer()))
                        .toList();
                return super.commit(Components.with(transaction, "writes", writes), mayCommit);
            }

            @Override
            public WriteOutcome writeLeases(String writer, List<? extends LeaseWrite.Alone> writes) {
                return super.writeLeases(
                        writer,
                        writes.stream()
                                .map(write -> (LeaseWrite.Alone) change.changed(write, writer))
                                .toList());
            }
        };
    }

    /** The guard of a lease names its last writer, and not which of its writes. */
    static LeaseStore guardedByWriterAlone(LeaseStore store) {
        return withWrites(
                store,
                (write, writer) -> write instanceof LeaseWrite.Replace replace
                                && store.read(Set.of(replace.name()), writer)
                                                .leases()
                                                .get(0)
                                        instanceof StoredLease.Sound found
                                && found.document()
                                        .writer()
                                        .equals(replace.guard().writer())
                        ? Components.with(replace, "guard", found.document().guard())
                        : write);
    }

    /** The stored expiry of a term is half a second too early. */
    static LeaseStore expiringEarly(LeaseStore store) {
        return withWrites(store, (write, writer) -> {
            if (write instanceof LeaseWrite.Insert insert) {
                return new LeaseWrite.Insert(early(insert.document()));
            }
            return write instanceof LeaseWrite.Replace it
                    ? Components.with(it, "document", early(it.document()))
                    : write;
        });
    }

    private static LeaseDocument early(LeaseDocument it) {
        Long expiryNanos = it.expiryNanos();
        return it.isVacant() || expiryNanos == null
                ? it
                : Components.with(it, "expiryNanos", expiryNanos - HALF_SECOND_NANOS);
    }

    /** The end of a tenure leaves the gate stripes as they are. */
    static LeaseStore leavingStripes(LeaseStore store) {
        return withWrites(
                store,
                (write, writer) ->
                        write instanceof LeaseWrite.Replace it && it.document().isVacant()
                                ? Components.with(it, "stripes", 0)
                                : write);
    }

    // ---- writes of the clock document ----

    /** A session is ended whatever time its writer has shown meanwhile. */
    static LeaseStore evictingAnyWriter(LeaseStore store) {
        return new ForwardingStore(store) {
            @Override
            public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
                ClockStatement clock = transaction.clock();
                ClockStatement changed = Components.with(clock, "evictedWriters", newest(clock.evictedWriters()));
                return super.commit(Components.with(transaction, "clock", changed), mayCommit);
            }

            @Override
            public WriteOutcome writeClock(ClockWrite write) {
                return super.writeClock(
                        write instanceof ClockWrite.Clear clear
                                ? new ClockWrite.Clear(clear.prunings(), newest(clear.evictions()))
                                : write);
            }

            private Map<String, Long> newest(Map<String, Long> seen) {
                Map<String, Long> newest = new LinkedHashMap<>();
                seen.forEach((writer, seenNanos) -> newest.put(writer, newest(writer, seenNanos)));
                return newest;
            }

            private long newest(String writer, long seenNanos) {
                WriterEntry.Sound entry = entry(this, writer);
                return entry == null ? seenNanos : entry.timeNanos();
            }
        };
    }

    /** An entry that has the name of a new writer is removed. */
    static LeaseStore replacingEntries(LeaseStore store) {
        return new ForwardingStore(store) {
            @Override
            public WriteOutcome writeClock(ClockWrite write) {
                WriteOutcome outcome = super.writeClock(write);
                boolean missed = write instanceof ClockWrite.Register && outcome.verdict() == Verdict.MISSED;
                WriterEntry.Sound entry = missed ? entry(this, write.writer()) : null;
                if (entry == null) {
                    return outcome;
                }
                super.writeClock(ClockWrite.Clear.of(List.of(entry)));
                return super.writeClock(write);
            }
        };
    }

    private static WriterEntry.@Nullable Sound entry(LeaseStore store, String writer) {
        return store.read(Set.of(), writer).clock().writers().get(writer) instanceof WriterEntry.Sound sound
                ? sound
                : null;
    }

    /** An engine that is closed leaves its session as it is. */
    static LeaseStore withoutLeaving(LeaseStore store) {
        return new ForwardingStore(store) {
            @Override
            public WriteOutcome writeClock(ClockWrite write) {
                return write instanceof ClockWrite.Leave ? WriteOutcome.APPLIED : super.writeClock(write);
            }
        };
    }

    // ---- answers ----

    /** What is not known counts as that. */
    static LeaseStore knowing(LeaseStore store, WriteOutcome known) {
        return new ForwardingStore(store) {
            @Override
            public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
                return known(super.commit(transaction, mayCommit));
            }

            @Override
            public WriteOutcome writeLeases(String writer, List<? extends LeaseWrite.Alone> writes) {
                return known(super.writeLeases(writer, writes));
            }

            private WriteOutcome known(WriteOutcome outcome) {
                return outcome.verdict() == Verdict.UNKNOWN ? known : outcome;
            }
        };
    }

    static WriteOutcome notDone() {
        return WriteOutcome.unavailable(new LeaseUnavailableException("no answer", null));
    }

    private static LeaseStore withReads(LeaseStore store, UnaryOperator<Snapshot> change) {
        return new ForwardingStore(store) {
            @Override
            public Snapshot read(Set<String> names, String writer) {
                return change.apply(super.read(names, writer));
            }
        };
    }

    /** Of two reads of the same leases the second is answered with what the first has shown. */
    static LeaseStore readingEveryOtherTime(LeaseStore store) {
        Map<Set<String>, Snapshot> before = new LinkedHashMap<>();
        return new ForwardingStore(store) {
            @Override
            public Snapshot read(Set<String> names, String writer) {
                Snapshot shown = before.get(names);
                before.clear();
                if (shown == null) {
                    shown = super.read(names, writer);
                    before.put(names, shown);
                }
                return shown;
            }
        };
    }

    /** A damaged lease counts as damage of everything that is read with it, for as long as the engine lives. */
    static LeaseStore damagedByOne(LeaseStore store) {
        StoredLease.Corrupt[] damaged = new StoredLease.Corrupt[1];
        return withReads(store, snapshot -> {
            for (StoredLease lease : snapshot.leases()) {
                damaged[0] = damaged[0] == null && lease instanceof StoredLease.Corrupt corrupt ? corrupt : damaged[0];
            }
            if (damaged[0] != null) {
                throw new CorruptDocumentException(damaged[0].documentId(), damaged[0].field(), damaged[0].found());
            }
            return snapshot;
        });
    }

    /** Every session is taken to be as long as one's own. */
    static LeaseStore withSessionLength(LeaseStore store, long sessionNanos) {
        return withReads(store, snapshot -> {
            Map<String, WriterEntry> writers =
                    new LinkedHashMap<>(snapshot.clock().writers());
            writers.replaceAll((name, entry) -> entry instanceof WriterEntry.Sound it && it.sessionNanos() != null
                    ? Components.with(it, "sessionNanos", sessionNanos)
                    : entry);
            return Components.with(snapshot, "clock", Components.with(snapshot.clock(), "writers", writers));
        });
    }

    /** A look, and a read after it, shows of each other writer the newest stamp of any incarnation on its machine. */
    static LeaseStore withStampsOfMachines(LeaseStore store) {
        return new ForwardingStore(store) {
            private final Map<String, Long> newestNanos = new HashMap<>();

            @Override
            public ClockStamps stamps(String writer) {
                ClockStamps read = super.stamps(writer);
                read.stampsNanos().forEach((each, nanos) -> newestNanos.merge(machine(each), nanos, Math::max));
                Map<String, Long> shownNanos = new LinkedHashMap<>(read.stampsNanos());
                shownNanos.replaceAll((each, nanos) -> newest(each, nanos));
                return new ClockStamps(read.clock(), shownNanos);
            }

            @Override
            public Snapshot read(Set<String> names, String writer) {
                Snapshot read = super.read(names, writer);
                Map<String, WriterEntry> shown =
                        new LinkedHashMap<>(read.clock().writers());
                shown.replaceAll((each, entry) -> entry instanceof WriterEntry.Sound it && !each.equals(writer)
                        ? Components.with(it, "timeNanos", newest(each, it.timeNanos()))
                        : entry);
                return Components.with(read, "clock", Components.with(read.clock(), "writers", shown));
            }

            private long newest(String writer, long nanos) {
                return Math.max(nanos, newestNanos.getOrDefault(machine(writer), nanos));
            }
        };
    }

    private static String machine(String writer) {
        return writer.substring(0, writer.indexOf('#'));
    }

    /** A look shows no writer. */
    static LeaseStore withoutStamps(LeaseStore store) {
        return new ForwardingStore(store) {
            @Override
            public ClockStamps stamps(String writer) {
                return new ClockStamps(super.stamps(writer).clock(), Map.of());
            }
        };
    }

    /** A page of leases has only those that are held. */
    static LeaseStore listingOnlyTheHeld(LeaseStore store) {
        return new ForwardingStore(store) {
            @Override
            public Page page(@Nullable String belowId, int limit, String writer) {
                Page page = super.page(belowId, limit, writer);
                List<StoredLease> held = page.snapshot().leases().stream()
                        .filter(lease -> !(lease instanceof StoredLease.Sound it
                                && it.document().isVacant()))
                        .toList();
                return new Page(Components.with(page.snapshot(), "leases", held), page.lastId());
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

    /** An engine that ends one transaction ends all that are idle. */
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
