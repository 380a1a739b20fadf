package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Answer.Shown;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Operation.Kind;
import org.jspecify.annotations.Nullable;

/**
 * G8: a refusal or a reading shows each lease as a majority had it at some moment of the call, and the reason of a refusal is one that fits
 * the operation and that state. A reading leaves no lease out, and has them in the order of their names.
 */
final class ShownStateInvariant implements Invariant {

    /** The reason by which an operator is told that there is nothing to be pinned. */
    private static final String UNCHANGED = "UNCHANGED";

    @Override
    public void check(Model history, Violations violations) {
        for (Call call : history.calls()) {
            Answer answer = call.answer();
            boolean reads = call.kind() == Kind.REFRESH || call.kind() == Kind.LIST;
            if (answer == null || answer.kind() == Answer.Kind.UNKNOWN || answer.kind() == Answer.Kind.YES && !reads) {
                continue;
            }
            for (Shown shown : answer.shown()) {
                checkState(history, call, answer, shown, violations);
            }
            if (reads && answer.kind() == Answer.Kind.YES) {
                checkOrder(call, answer, violations);
                checkCompleteness(history, call, answer, violations);
            }
            checkUnchanged(history, call, violations);
        }
    }

    private static void violation(Call call, String lease, String what, Violations violations) {
        violations.add(
                Guarantee.G8,
                call.answeredNanos(),
                lease,
                "the caller of " + call + " of " + Words.seconds(call.calledNanos()) + " was told at "
                        + Words.seconds(call.answeredNanos()) + " " + what);
    }

    private static void checkState(Model history, Call call, Answer answer, Shown shown, Violations violations) {
        boolean[] wasSo = new boolean[1];
        boolean hasReason = Moments.any(history.lease(shown.lease()), call, row -> {
            boolean isSo = isSo(history, shown, row, call.answeredNanos());
            wasSo[0] |= isSo;
            return isSo && isReason(history, call, answer, row);
        });
        if (!hasReason) {
            violation(
                    call,
                    shown.lease(),
                    "that " + words(shown)
                            + (wasSo[0]
                                    ? ", which is no reason for a no of " + answer.reason()
                                    : ", and at no moment of the call a majority had it so"),
                    violations);
        }
    }

    private static boolean isReason(Model history, Call call, Answer answer, @Nullable LeaseRow row) {
        String reason = answer.reason();
        if (answer.kind() != Answer.Kind.NO || reason == null || row != null && !row.sound()) {
            return true;
        }
        boolean free = row != null && isFree(history, row, call.answeredNanos());
        return RefusalReasons.areOf(call.kind(), reason)
                && RefusalReasons.fits(
                        call, reason, row, free, history.conditions().inside());
    }

    private static boolean isSo(Model history, Shown shown, @Nullable LeaseRow row, long atNanos) {
        if (row == null) {
            return shown.holder() == null && shown.token() == 0 && !shown.corrupt();
        }
        if (!row.sound() || shown.corrupt()) {
            return !row.sound() && shown.corrupt();
        }
        boolean holderIsSo = row.holder() == null || shown.holder() == null
                ? shown.holder() == null && (row.holder() == null || isFree(history, row, atNanos))
                : row.holder().equals(shown.holder());
        return holderIsSo && (shown.token() == 0 || shown.token() == row.token());
    }

    /** A lease that an absent writer's session kept belongs to nobody. */
    private static boolean isFree(Model history, LeaseRow row, long atNanos) {
        WriterLog writer = history.writer(row.writer());
        return row.expiryNanos() == null && (writer == null || writer.wasRemovedBy(atNanos));
    }

    private static String words(Shown shown) {
        if (shown.corrupt()) {
            return shown.lease() + " is damaged";
        }
        return shown.lease()
                + (shown.holder() == null ? " is held by nobody" : " is held by " + shown.holder())
                + (shown.token() == 0 ? "" : " with token " + shown.token());
    }

    private static void checkOrder(Call call, Answer answer, Violations violations) {
        for (int i = 1; i < answer.shown().size(); i++) {
            String lease = answer.shown().get(i).lease();
            String before = answer.shown().get(i - 1).lease();
            if (before.compareTo(lease) > 0) {
                violation(call, lease, "of " + before + " before " + lease + ", against their order", violations);
            }
        }
    }

    private static void checkCompleteness(Model history, Call call, Answer answer, Violations violations) {
        for (LeaseLog lease : history.leases()) {
            int times = 0;
            for (Shown shown : answer.shown()) {
                times += shown.lease().equals(lease.name()) ? 1 : 0;
            }
            boolean isDue = call.kind() == Kind.REFRESH || !Moments.any(lease, call, row -> row == null);
            if (times > 1 || times == 0 && isDue) {
                violation(call, lease.name(), "of " + lease.name() + " " + times + " times", violations);
            }
        }
    }

    /** There is one reason to leave the pins of a lease as they are: that there is none. What was unsettled may have looked like that. */
    private static void checkUnchanged(Model history, Call call, Violations violations) {
        boolean asksForPins = call.kind() == Kind.PIN || call.kind() == Kind.UNPIN;
        if (asksForPins && call.isAnsweredFor(UNCHANGED)) {
            LeaseLog lease = history.lease(String.valueOf(call.lease()));
            if (call.calledNanos() > lease.unsettledNanos()
                    && !Moments.any(lease, call, row -> row == null || !row.sound())) {
                violation(call, lease.name(), "that there is no such lease, and there was all the time", violations);
            }
        }
    }
}
