package dev.leasehold.engine.commit;

import dev.leasehold.engine.protocol.Decision;
import dev.leasehold.engine.protocol.Decision.Rests;
import dev.leasehold.engine.protocol.Hold;
import dev.leasehold.engine.protocol.Situation;
import dev.leasehold.engine.store.ClockStatement;
import dev.leasehold.engine.store.GuardedTransaction;
import dev.leasehold.engine.store.LeaseGuard;
import dev.leasehold.engine.store.LeaseWrite;
import dev.leasehold.engine.store.StoredLease;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes about to be sent, with what they will answer.
 *
 * @param at who decided, and when
 * @param steps one for each operation
 */
record Planned(Situation at, List<Step> steps) {

    /** One operation and its write. */
    record Step(PendingOperation operation, Decision.Write decision) {

        /**
         * Whether it is written without the clock. Where somebody holds the document back the clock is taken along, since a
         * transaction is told so at once instead of waiting, and the others with it.
         */
        boolean isAlone() {
            return decision.rests() instanceof Rests.OnTheLeaseAlone && !operation.isContended();
        }

        boolean needsSession() {
            return decision.hold() instanceof Hold.Session;
        }
    }

    /** Those that are written without the clock. */
    Planned alone() {
        return having(Step::isAlone);
    }

    /** Those that share a transaction. */
    Planned together() {
        return having(step -> !step.isAlone());
    }

    Planned having(Predicate<Step> predicate) {
        return new Planned(at, steps.stream().filter(predicate).toList());
    }

    boolean isEmpty() {
        return steps.isEmpty();
    }

    boolean needsSession() {
        return steps.stream().anyMatch(Step::needsSession);
    }

    /** The writes of those that are written without the clock: each changes a document that is there. */
    List<LeaseWrite.Replace> singleWrites() {
        return steps.stream().map(step -> (LeaseWrite.Replace) step.decision().write()).toList();
    }

    /** Those whose write the leases show: nobody has written them since. */
    Planned shownBy(List<StoredLease> leases) {
        Map<String, LeaseGuard> found = guards(leases);
        LeaseGuard written = new LeaseGuard(at.writer(), at.stampNanos());
        return having(step -> written.equals(found.get(step.operation().name())));
    }

    /** Those whose lease is still what it was before the write. */
    Planned untouchedIn(List<StoredLease> leases) {
        Map<String, LeaseGuard> found = guards(leases);
        return having(step -> step.decision().write() instanceof LeaseWrite.Replace replace
                && replace.guard().equals(found.get(step.operation().name())));
    }

    /** Those whose lease cannot be read. */
    Planned damagedIn(List<StoredLease> leases) {
        Set<String> damaged = new HashSet<>();
        for (StoredLease lease : leases) {
            if (lease instanceof StoredLease.Corrupt) {
                damaged.add(lease.name());
            }
        }
        return having(step -> damaged.contains(step.operation().name()));
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
    Planned without(Planned others) {
        Set<String> names = others.names();
        return having(step -> !names.contains(step.operation().name()));
    }

    Set<String> names() {
        return steps.stream().map(step -> step.operation().name()).collect(Collectors.toSet());
    }

    List<PendingOperation> operations() {
        return steps.stream().map(Step::operation).toList();
    }

    GuardedTransaction transaction(long acknowledgedNanos) {
        return new GuardedTransaction(
                clockStatement(acknowledgedNanos),
                steps.stream().map(step -> step.decision().write()).toList(),
                clockApart());
    }

    /**
     * Whether to learn what a conflict was about, at the price of holding the clock for longer: where several can be told
     * apart by it, and for one that has waited for so long that somebody will want to know.
     */
    private boolean clockApart() {
        return steps.stream()
                .map(Step::operation)
                .anyMatch(operation ->
                        operation.isContended() && (steps.size() > 1 || Backoff.isLongest(operation.failures())));
    }

    private ClockStatement clockStatement(long acknowledgedNanos) {
        boolean restsOnFloor = steps.stream().anyMatch(step -> step.decision().rests() instanceof Rests.OnTokenFloor);
        return new ClockStatement(
                at.writer(),
                acknowledgedNanos,
                at.stampNanos(),
                restsOnFloor ? at.tokenFloor() : null,
                absentWriters(),
                evictedWriters(),
                greatestRemovedToken());
    }

    private Set<String> absentWriters() {
        Set<String> writers = new HashSet<>();
        for (Step step : steps) {
            if (step.decision().rests() instanceof Rests.OnAbsentWriter absent) {
                writers.add(absent.writer());
            }
        }
        return writers;
    }

    private Map<String, Long> evictedWriters() {
        Map<String, Long> writers = new HashMap<>();
        for (Step step : steps) {
            if (step.decision().rests() instanceof Rests.OnEviction eviction) {
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
