package dev.leasehold.engine.commit;

import dev.leasehold.engine.protocol.Decision;
import dev.leasehold.engine.protocol.Decision.Rests;
import dev.leasehold.engine.protocol.Situation;
import dev.leasehold.engine.store.ClockStatement;
import dev.leasehold.engine.store.GuardedTransaction;
import dev.leasehold.engine.store.LeaseWrite;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A transaction about to be sent, with what it will answer.
 *
 * @param at who decided, and when
 * @param steps one for each operation
 */
record Planned(Situation at, List<Step> steps) {

    /** One operation and its write. */
    record Step(PendingOperation operation, Decision.Write decision) {}

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
