package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G8;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Answer.Shown;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * G8: a refusal or a reading shows each lease as a majority had it at some moment of the call. The reason of a refusal is one that fits the
 * operation and that state. It is shown as past its expiry only when its last writer's clock has passed what that stored; behind the latest
 * expiry the clock has passed that, and it is no further away than what was stored, stretched by the drift. A reading leaves no lease out,
 * and has them in the order of their names.
 */
record ShownLeaseInvariant(Model history, Violations violations) {

    /** The reason by which an operator is told that there is nothing to be pinned. */
    private static final String UNCHANGED = "UNCHANGED";

    private static final String NOT_SO = ", and at no moment of the call a majority had it so";

    void check() {
        for (Call call : history.calls.values()) {
            Answer answer = call.answer;
            if (answer == null) {
                continue;
            }
            if (answer.kind() == Answer.Kind.NO || call.isReading()) {
                answer.shown().forEach(shown -> checkShown(call, answer, shown));
            }
            if (answer.kind() == Answer.Kind.YES && call.isReading()) {
                checkOrder(call, answer.shown());
                checkCompleteness(call, answer.shown());
            }
            checkUnchanged(call);
        }
    }

    private void violation(Call call, String lease, String what) {
        violations.add(G8, call.answeredNanos, lease, "the caller of %s was told %s,", call, what);
    }

    private void checkShown(Call call, Answer answer, Shown shown) {
        if (!history.lease(shown.lease()).anyDuring(call, row -> agrees(call, answer, shown, row))) {
            String reason = answer.reason() == null ? "" : " (" + answer.reason() + ")";
            violation(call, shown.lease(), "that " + words(shown) + NOT_SO + reason);
        }
    }

    private static String words(Shown shown) {
        return shown.lease()
                + (shown.corrupt() ? " is damaged" : " is held by " + shown.holder() + " with token " + shown.token())
                + (shown.expired() ? " past its expiry" : "")
                + (shown.safeAfterNanos() == Incarnation.NEVER
                        ? ""
                        : " and may be taken after " + Violations.seconds(shown.safeAfterNanos()));
    }

    /** Whether it follows from a state of the document that the lease is shown so, and that the answer is what it is. */
    private boolean agrees(Call call, Answer answer, Shown shown, @Nullable LeaseRow row) {
        boolean isSo = isSo(shown, row, call.answeredNanos);
        if (!isSo || row != null && !row.sound()) {
            return isSo;
        }
        boolean free = row != null && isFree(row, call.answeredNanos);
        String reason = answer.kind() == Answer.Kind.NO ? answer.reason() : null;
        return (reason == null
                        || RefusalReasons.fit(
                                call, reason, shown, row, free, isKeptFree(call, shown, row), mayHold(call, row)))
                && (row == null || shown.holder() == null || !history.isInside() || follows(call, shown, row));
    }

    /** Whether the clock of the engine that released it has not passed yet until when it is kept free. */
    private boolean isKeptFree(Call call, Shown shown, @Nullable LeaseRow row) {
        StoredTime stored = row == null || row.holder() != null
                ? null
                : history.lease(shown.lease()).storedExpiry(row);
        return stored != null
                && history.isInside()
                && !stored.isOver(call.answeredNanos)
                && !stored.isOver(call.answeredNanos, history.aheadNanos(stored.by(), call.answeredNanos));
    }

    /** Outside of the assumptions two engines may share a writer's name. */
    private boolean mayHold(Call call, @Nullable LeaseRow row) {
        return !history.isInside()
                || row != null
                        && history.leaseOf(call).windows.stream()
                                .anyMatch(window -> window.by == call.by
                                        && window.tenure.token() == row.token()
                                        && window.touches(call.calledNanos, call.answeredNanos));
    }

    private boolean isSo(Shown shown, @Nullable LeaseRow row, long atNanos) {
        if (row == null) {
            return shown.holder() == null && shown.token() == 0 && !shown.corrupt();
        }
        if (!row.sound() || shown.corrupt()) {
            return !row.sound() && shown.corrupt();
        }
        boolean holderIsSo = row.holder() == null || shown.holder() == null
                ? shown.holder() == null && (row.holder() == null || isFree(row, atNanos))
                : row.holder().equals(shown.holder());
        return holderIsSo && (shown.token() == 0 || shown.token() == row.token());
    }

    /** A lease that an absent writer's session kept belongs to no holder. */
    private boolean isFree(LeaseRow row, long atNanos) {
        WriterLog writer = history.writers.get(row.writer());
        return row.expiryNanos() == null && (writer == null || writer.wasRemovedBy(atNanos));
    }

    // ---- the latest expiry ----

    private boolean follows(Call call, Shown shown, LeaseRow row) {
        StoredTime stored = row.expiryNanos() == null
                ? session(row, call)
                : history.lease(shown.lease()).storedExpiry(row);
        return stored == null
                || (!shown.expired() || stored.isOver(call.answeredNanos))
                        && (shown.safeAfterNanos() == Incarnation.NEVER
                                || !isEarly(call, shown, stored) && !isLate(call, shown, stored));
    }

    /** A machine that falls asleep before comes to that instant by a clock that may run at another rate then. */
    private boolean isEarly(Call call, Shown shown, StoredTime stored) {
        long behindNanos = call.by.clock.afterElapsedNanos(shown.safeAfterNanos(), 1);
        return behindNanos < history.finishedNanos
                && history.machines.isAwake(call.by.machine, call.answeredNanos, behindNanos)
                && !stored.isOver(behindNanos)
                && !stored.isOver(behindNanos, history.aheadNanos(stored.by(), call.answeredNanos));
    }

    private boolean isLate(Call call, Shown shown, StoredTime stored) {
        return shown.safeAfterNanos() - call.answeredNanos > history.bounds.outlivedNanos(stored.lengthNanos());
    }

    /** By the oldest sign of life that the call may have seen. One of the very instant of the call may have come after its read. */
    private @Nullable StoredTime session(LeaseRow row, Call call) {
        WriterLog.Version oldest = null;
        for (WriterLog.Version version : history.writer(row.writer()).versions) {
            long majorityNanos = version.commit().majorityNanos;
            if (oldest == null ? majorityNanos <= call.answeredNanos : majorityNanos < call.calledNanos) {
                oldest = version;
            }
        }
        return StoredTime.ofSession(oldest);
    }

    // ---- readings ----

    private void checkOrder(Call call, List<Shown> shown) {
        for (int i = 1; i < shown.size(); i++) {
            String lease = shown.get(i).lease();
            String before = shown.get(i - 1).lease();
            if (before.compareTo(lease) > 0) {
                violation(call, lease, "of " + before + " before " + lease + ", against their order");
            }
        }
    }

    private void checkCompleteness(Call call, List<Shown> shown) {
        for (LeaseLog lease : history.leases.values()) {
            long times = shown.stream()
                    .filter(each -> each.lease().equals(lease.name))
                    .count();
            boolean isDue = call.kind() == Kind.REFRESH || !lease.anyDuring(call, row -> row == null);
            if (times > 1 || times == 0 && isDue) {
                violation(call, lease.name, "of " + lease.name + " " + times + " times");
            }
        }
    }

    /** There is one reason to leave the pins of a lease as they are: that there is none. What was damaged may have looked like that. */
    private void checkUnchanged(Call call) {
        if ((call.kind() == Kind.PIN || call.kind() == Kind.UNPIN) && call.isAnsweredFor(UNCHANGED)) {
            LeaseLog lease = history.leaseOf(call);
            if (call.calledNanos > lease.mendedNanos() && !lease.anyDuring(call, row -> row == null || !row.sound())) {
                violation(call, lease.name, "that there is no such lease, and there was all the time");
            }
        }
    }
}
