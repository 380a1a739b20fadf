package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.internal.rules.Decision;
import dev.leasehold.engine.internal.rules.Decision.WriteDependency;
import dev.leasehold.engine.internal.rules.DecisionContext;
import dev.leasehold.engine.internal.rules.HoldBasis;
import dev.leasehold.engine.internal.runtime.Backoff;
import dev.leasehold.engine.internal.store.ClockStatement;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseGuard;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Writes about to be sent, with what they will answer.
 *
 * @param at who decided, and when
 * @param steps one for each operation
 */
record WriteBatch(DecisionContext at, List<Step> steps) {

    /**
     * How many statements a transaction has at the most, that of the clock apart. Only gate stripes make a batch take more. A
     * transaction of all of them would keep everybody else from the clock for seconds.
     */
    private static final int STATEMENTS_MAX = 2_000;

    /** Servers forget a driver session half an hour after its last command at the earliest. */
    private static final long REMEMBERED_NANOS = 600_000_000_000L;

    /** One operation and its write. */
    record Step(PendingOperation operation, Decision.Write decision) {

        /**
         * Whether it is written without the clock. Where somebody holds the document back the clock is taken along, since a
         * transaction is told so at once instead of waiting, and the others with it.
         */
        boolean isAlone() {
            return decision.dependency() instanceof WriteDependency.OnTheLeaseAlone
                    && !operation.retryState().isContended();
        }

        boolean needsSession() {
            return decision.basis() instanceof HoldBasis.Session;
        }

        /** Whether a lease is as this write leaves it. A removal leaves none, and a pin leaves no trace of who wrote it. */
        private boolean isShownBy(@Nullable LeaseGuard found) {
            LeaseWrite write = decision.write();
            if (write instanceof LeaseWrite.Insert insert) {
                return insert.document().guard().equals(found);
            }
            return write instanceof LeaseWrite.Replace replace
                    && replace.document().guard().equals(found);
        }
    }

    /**
     * Whether servers may have forgotten by now what became of it, so that what they do not know may have happened. Either clock tells: the
     * monotonic one may have stood still while the machine was suspended.
     */
    boolean mayBeForgottenByServer(StampClock clock) {
        return clock.nowNanos() - at.nowNanos() > REMEMBERED_NANOS
                || clock.wallNanos() - at.wallNanos() > REMEMBERED_NANOS;
    }

    /** Those that are written without the clock, if they are no more than so many. */
    WriteBatch alone(int most) {
        WriteBatch alone = filter(Step::isAlone);
        return alone.steps.size() <= most ? alone : none();
    }

    WriteBatch none() {
        return filter(step -> false);
    }

    WriteBatch filter(Predicate<Step> predicate) {
        List<Step> those = new ArrayList<>(steps.size());
        for (Step step : steps) {
            if (predicate.test(step)) {
                those.add(step);
            }
        }
        return new WriteBatch(at, those);
    }

    /** Those that share the next transaction: from the first on, as many as go into one. */
    WriteBatch forOneTransaction() {
        int statements = 0;
        int count = 0;
        for (Step step : steps) {
            statements += step.decision().write().statements();
            if (statements > STATEMENTS_MAX) {
                break;
            }
            count++;
        }
        return count == steps.size() ? this : new WriteBatch(at, steps.subList(0, count));
    }

    boolean isEmpty() {
        return steps.isEmpty();
    }

    boolean needsSession() {
        for (Step step : steps) {
            if (step.needsSession()) {
                return true;
            }
        }
        return false;
    }

    /** The writes of those that are written without the clock: each changes a document that is there. */
    List<LeaseWrite.Replace> singleWrites() {
        List<LeaseWrite.Replace> writes = new ArrayList<>(steps.size());
        for (Step step : steps) {
            writes.add((LeaseWrite.Replace) step.decision().write());
        }
        return writes;
    }

    /** Those whose write the leases show: nobody has written them since. */
    WriteBatch shownBy(List<StoredLease> leases) {
        Map<String, LeaseGuard> found = guards(leases);
        return filter(step -> step.isShownBy(found.get(step.operation().name())));
    }

    /** Those whose lease is still what it was before the write. */
    WriteBatch untouchedIn(List<StoredLease> leases) {
        Map<String, LeaseGuard> found = guards(leases);
        return filter(step -> step.decision().write() instanceof LeaseWrite.Replace replace
                && replace.guard().equals(found.get(step.operation().name())));
    }

    /** Those whose lease cannot be read. */
    WriteBatch damagedIn(List<StoredLease> leases) {
        Set<String> damaged = new HashSet<>();
        for (StoredLease lease : leases) {
            if (lease instanceof StoredLease.Corrupt) {
                damaged.add(lease.name());
            }
        }
        return filter(step -> damaged.contains(step.operation().name()));
    }

    private static Map<String, LeaseGuard> guards(List<StoredLease> leases) {
        Map<String, LeaseGuard> guards = new HashMap<>();
        for (StoredLease lease : leases) {
            if (lease instanceof StoredLease.Sound sound) {
                guards.put(lease.name(), sound.document().guard());
            }
        }
        return guards;
    }

    /** All but some of them. */
    WriteBatch without(WriteBatch others) {
        Set<String> names = others.names();
        return filter(step -> !names.contains(step.operation().name()));
    }

    Set<String> names() {
        Set<String> names = new HashSet<>();
        for (Step step : steps) {
            names.add(step.operation().name());
        }
        return names;
    }

    List<PendingOperation> operations() {
        List<PendingOperation> operations = new ArrayList<>(steps.size());
        for (Step step : steps) {
            operations.add(step.operation());
        }
        return operations;
    }

    GuardedTransaction transaction(long acknowledgedNanos) {
        List<LeaseWrite> writes = new ArrayList<>(steps.size());
        for (Step step : steps) {
            writes.add(step.decision().write());
        }
        return new GuardedTransaction(clockStatement(acknowledgedNanos), writes, clockApart());
    }

    /**
     * Whether to learn what a conflict was about, at the price of holding the clock for longer: where several can be told
     * apart by it, and for one that has waited for so long that somebody will want to know.
     */
    private boolean clockApart() {
        for (Step step : steps) {
            PendingOperation operation = step.operation();
            if (operation.retryState().isContended()
                    && (steps.size() > 1
                            || Backoff.isLongest(operation.retryState().failures()))) {
                return true;
            }
        }
        return false;
    }

    private ClockStatement clockStatement(long acknowledgedNanos) {
        return new ClockStatement(
                at.writer(),
                acknowledgedNanos,
                at.stampNanos(),
                restsOnTokenFloor() ? at.tokenFloor() : null,
                absentWriters(),
                evictedWriters(),
                greatestRemovedToken());
    }

    private boolean restsOnTokenFloor() {
        for (Step step : steps) {
            if (step.decision().dependency() instanceof WriteDependency.OnTokenFloor) {
                return true;
            }
        }
        return false;
    }

    private Set<String> absentWriters() {
        Set<String> writers = new HashSet<>();
        for (Step step : steps) {
            if (step.decision().dependency() instanceof WriteDependency.OnAbsentWriter absent) {
                writers.add(absent.writer());
            }
        }
        return writers;
    }

    private Map<String, Long> evictedWriters() {
        Map<String, Long> writers = new HashMap<>();
        for (Step step : steps) {
            if (step.decision().dependency() instanceof WriteDependency.OnEviction eviction) {
                writers.put(eviction.writer(), eviction.timeNanos());
            }
        }
        return writers;
    }

    @Nullable Long greatestRemovedToken() {
        Long greatest = null;
        for (Step step : steps) {
            if (step.decision().write() instanceof LeaseWrite.Remove remove) {
                greatest = greatest == null ? remove.token() : Math.max(greatest, remove.token());
            }
        }
        return greatest;
    }
}
