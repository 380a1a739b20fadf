package dev.leasehold.simulator.mutants;

import dev.leasehold.engine.internal.store.ClockStatement;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.ForwardingStore;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseGuard;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.simulator.plan.Components;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Stores that write something else than the engine asks for. */
final class ChangedWrites {

    private static final long HALF_SECOND_NANOS = 500_000_000;

    private ChangedWrites() {}

    /** A store that changes each write of a lease. */
    private abstract static class OfLeases extends ForwardingStore {

        OfLeases(LeaseStore store) {
            super(store);
        }

        abstract LeaseWrite changed(LeaseWrite write, String writer);

        @Override
        public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
            String writer = transaction.clock().writer();
            List<LeaseWrite> writes = transaction.writes().stream()
                    .map(write -> changed(write, writer))
                    .toList();
            return super.commit(Components.with(transaction, "writes", writes), mayCommit);
        }

        @Override
        public WriteOutcome writeLeases(String writer, List<LeaseWrite.Replace> writes) {
            return super.writeLeases(
                    writer,
                    writes.stream()
                            .map(write -> (LeaseWrite.Replace) changed(write, writer))
                            .toList());
        }
    }

    private static LeaseStore changing(LeaseStore store, UnaryOperator<LeaseWrite> change) {
        return new OfLeases(store) {
            @Override
            LeaseWrite changed(LeaseWrite write, String writer) {
                return change.apply(write);
            }
        };
    }

    /** The guard of a lease names its last writer, and not which of its writes. */
    static LeaseStore guardedByWriterAlone(LeaseStore store) {
        return new OfLeases(store) {
            @Override
            LeaseWrite changed(LeaseWrite write, String writer) {
                return write instanceof LeaseWrite.Replace replace
                        ? Components.with(replace, "guard", newest(replace.name(), replace.guard(), writer))
                        : write;
            }

            private LeaseGuard newest(String name, LeaseGuard seen, String writer) {
                StoredLease found = read(Set.of(name), writer).leases().get(0);
                return found instanceof StoredLease.Sound it
                                && it.document().writer().equals(seen.writer())
                        ? it.document().guard()
                        : seen;
            }
        };
    }

    /** The stored expiry of a term is half a second too early. */
    static LeaseStore expiringEarly(LeaseStore store) {
        return changing(store, write -> {
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
        return changing(
                store,
                write -> write instanceof LeaseWrite.Replace it && it.document().isVacant()
                        ? Components.with(it, "stripes", 0)
                        : write);
    }

    /** A release counts as written, and is not sent. */
    static LeaseStore withoutReleases(LeaseStore store) {
        return new ForwardingStore(store) {
            @Override
            public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
                boolean onlyReleases = transaction.writes().stream().allMatch(ChangedWrites::isRelease);
                return onlyReleases && mayCommit.getAsBoolean()
                        ? WriteOutcome.APPLIED
                        : super.commit(transaction, mayCommit);
            }

            @Override
            public WriteOutcome writeLeases(String writer, List<LeaseWrite.Replace> writes) {
                return writes.stream().allMatch(ChangedWrites::isRelease)
                        ? WriteOutcome.APPLIED
                        : super.writeLeases(writer, writes);
            }
        };
    }

    private static boolean isRelease(LeaseWrite write) {
        return write instanceof LeaseWrite.Replace it && it.document().isVacant() && !it.unlessPinned();
    }

    // ---- the clock document ----

    /** A session is ended whatever time its writer has shown meanwhile. */
    static LeaseStore evictingAnybody(LeaseStore store) {
        return new ForwardingStore(store) {
            @Override
            public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
                ClockStatement clock = transaction.clock();
                Map<String, Long> evicted = new LinkedHashMap<>();
                clock.evictedWriters().forEach((writer, seen) -> evicted.put(writer, newest(writer, seen)));
                ClockStatement changed = Components.with(clock, "evictedWriters", evicted);
                return super.commit(Components.with(transaction, "clock", changed), mayCommit);
            }

            @Override
            public WriteOutcome writeClock(ClockWrite write) {
                return super.writeClock(
                        write instanceof ClockWrite.Evict evict
                                ? new ClockWrite.Evict(evict.writer(), newest(evict.writer(), evict.timeNanos()))
                                : write);
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
                super.writeClock(
                        entry.sessionNanos() == null
                                ? new ClockWrite.Prune(entry.writer(), entry.timeNanos())
                                : new ClockWrite.Evict(entry.writer(), entry.timeNanos()));
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

    /** A heartbeat that has failed is the last that is sent. */
    static LeaseStore withHeartbeatsUntilOneFails(LeaseStore store) {
        return new ForwardingStore(store) {
            private @Nullable WriteOutcome failure;

            @Override
            public WriteOutcome writeClock(ClockWrite write) {
                if (!(write instanceof ClockWrite.Heartbeat)) {
                    return super.writeClock(write);
                }
                if (failure != null) {
                    return failure;
                }
                WriteOutcome outcome = super.writeClock(write);
                if (outcome.verdict() != Verdict.APPLIED && outcome.verdict() != Verdict.MISSED) {
                    failure = outcome;
                }
                return outcome;
            }
        };
    }
}
