package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.internal.rules.Decision;
import dev.leasehold.engine.internal.rules.Decision.WriteDependency;
import dev.leasehold.engine.internal.rules.DecisionContext;
import dev.leasehold.engine.internal.rules.HoldBasis;
import dev.leasehold.engine.internal.runtime.Backoff;
import dev.leasehold.engine.internal.store.ClockStatement;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

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
        return alone.steps.size() <= most ? alone : new WriteBatch(at, List.of());
    }

    WriteBatch filter(Predicate<Step> predicate) {
        return new WriteBatch(at, steps.stream().filter(predicate).toList());
    }

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
        return steps.stream()
                .anyMatch(step -> step.decision().basis() instanceof HoldBasis.Session
                        || step.decision().write() instanceof LeaseWrite.Enqueue);
    }

    /** From here on its tickets may be granted. */
    void sendTickets() {
        for (Step step : steps) {
            if (step.decision().write() instanceof LeaseWrite.Enqueue enqueue) {
                step.operation().sends(enqueue.waiter());
            }
        }
    }

    /** The statements of writes without the clock document: each replaces a lease document, or is of a queue. */
    List<LeaseWrite.Alone> singleWrites() {
        return steps.stream()
                .map(step -> (LeaseWrite.Alone) step.decision().write())
                .toList();
    }

    /** The steps for leases that the other batch does not contain. */
    WriteBatch without(WriteBatch others) {
        Set<String> names = others.names();
        return filter(step -> !names.contains(step.operation().name()));
    }

    Set<String> names() {
        return steps.stream().map(step -> step.operation().name()).collect(Collectors.toSet());
    }

    List<PendingOperation> operations() {
        return steps.stream().map(Step::operation).toList();
    }

    GuardedTransaction transaction(long acknowledgedNanos) {
        List<LeaseWrite> writes =
                steps.stream().map(step -> step.decision().write()).toList();
        return new GuardedTransaction(clockStatement(acknowledgedNanos), writes, clockApart());
    }

    /**
     * Whether to send the clock and the leases apart, which shows which document a conflict was about but holds the
     * clock for longer. Worth it for a contended batch of several, which can then be split, and for a single operation
     * whose lease is known to be blocked, or that has failed so often that its error should name the cause.
     */
    private boolean clockApart() {
        return steps.stream()
                .map(step -> step.operation().retryState())
                .anyMatch(retries -> retries.isContended()
                        && (steps.size() > 1 || retries.isLeaseBlocked() || Backoff.isLongest(retries.failures())));
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
                long token = remove.guard().token();
                removedToken = removedToken == null ? token : Math.max(removedToken, token);
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
