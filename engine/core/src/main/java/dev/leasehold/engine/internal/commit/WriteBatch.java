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
 * Planned writes, each with its operation and the result that the operation gets if the write lands.
 *
 * @param at the writer that decided, and the instant
 * @param steps one for each operation
 */
record WriteBatch(DecisionContext at, List<Step> steps) {

    /**
     * The largest number of statements in a transaction, not counting that of the clock document. Only gate stripes
     * make a batch exceed it. One transaction for all of them would block the clock document for all other engines for
     * seconds.
     */
    private static final int STATEMENTS_MAX = 2_000;

    /**
     * Well below the half hour for which servers remember a driver session, and its transactions, after its last
     * command.
     */
    private static final long REMEMBERED_NANOS = 600_000_000_000L;

    /** One operation and its write. */
    record Step(PendingOperation operation, Decision.Write decision) {

        /**
         * Whether it is written without the clock document. If the lease document is contended, it is written in a
         * transaction with the clock: a transaction fails at once on a conflict, where a single write would wait and
         * delay the other writes of its command.
         */
        boolean isAlone() {
            return decision.dependency() instanceof WriteDependency.OnTheLeaseAlone
                    && !operation.retryState().isContended();
        }

        boolean needsSession() {
            return decision.basis() instanceof HoldBasis.Session;
        }

        private Evidence in(@Nullable StoredLease found) {
            if (found instanceof StoredLease.Corrupt) {
                return Evidence.DAMAGED;
            }
            LeaseGuard guard =
                    found instanceof StoredLease.Sound sound ? sound.document().guard() : null;
            // A removal leaves no lease, and a pin does not show which write set it.
            if (decision.write() instanceof LeaseWrite.Insert insert) {
                return insert.document().guard().equals(guard) ? Evidence.LANDED : Evidence.OVERWRITTEN;
            }
            if (decision.write() instanceof LeaseWrite.Replace replace) {
                return replace.document().guard().equals(guard)
                        ? Evidence.LANDED
                        : replace.guard().equals(guard) ? Evidence.UNTOUCHED : Evidence.OVERWRITTEN;
            }
            return Evidence.OVERWRITTEN;
        }
    }

    /** What a lease that was read after a write shows of it. */
    enum Evidence {
        /** The lease is as the write leaves it. */
        LANDED,
        /** The lease is as it was before: the write did not land. */
        UNTOUCHED,
        /** Nothing: another engine has written the lease since. */
        OVERWRITTEN,
        /** Nothing: the document is damaged. The write may reappear when it is repaired. */
        DAMAGED
    }

    /**
     * Whether servers may have forgotten the transaction by now. Then a server that does not know it proves nothing.
     * Either clock decides, since the monotonic clock may have stood still while the machine was suspended.
     */
    boolean mayBeForgottenByServer(StampClock clock) {
        return clock.nowNanos() - at.nowNanos() > REMEMBERED_NANOS
                || clock.wallNanos() - at.wallNanos() > REMEMBERED_NANOS;
    }

    /** The writes without the clock document if there are at most {@code most}, else none. */
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

    /** The longest prefix that fits into one transaction. */
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

    /** The statements of writes without the clock document: each replaces an existing lease document. */
    List<LeaseWrite.Replace> singleWrites() {
        List<LeaseWrite.Replace> writes = new ArrayList<>(steps.size());
        for (Step step : steps) {
            writes.add((LeaseWrite.Replace) step.decision().write());
        }
        return writes;
    }

    /** The steps of whose writes these leases show that. */
    WriteBatch showing(Evidence evidence, List<StoredLease> leases) {
        Map<String, StoredLease> found = new HashMap<>();
        leases.forEach(lease -> found.put(lease.name(), lease));
        return filter(step -> step.in(found.get(step.operation().name())) == evidence);
    }

    /** The steps for leases that the other batch does not contain. */
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
     * Whether to send the clock and the leases apart, which shows which document a conflict was about but holds the
     * clock for longer. Worth it for a contended batch of several, which can then be split, and for a single operation
     * that has failed so often that its error should name the cause.
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
        Long tokenFloor = null;
        Set<String> absentWriters = new HashSet<>();
        Map<String, Long> evictedWriters = new HashMap<>();
        Long removedToken = null;
        for (Step step : steps) {
            WriteDependency dependency = step.decision().dependency();
            if (dependency instanceof WriteDependency.OnTokenFloor) {
                tokenFloor = at.tokenFloor();
            } else if (dependency instanceof WriteDependency.OnAbsentWriter absent) {
                absentWriters.add(absent.writer());
            } else if (dependency instanceof WriteDependency.OnEviction eviction) {
                evictedWriters.put(eviction.writer(), eviction.timeNanos());
            }
            if (step.decision().write() instanceof LeaseWrite.Remove remove) {
                removedToken = removedToken == null ? remove.token() : Math.max(removedToken, remove.token());
            }
        }
        return new ClockStatement(
                at.writer(),
                acknowledgedNanos,
                at.stampNanos(),
                tokenFloor,
                absentWriters,
                evictedWriters,
                removedToken);
    }
}
