package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Answer.Shown;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.Operation.Kind;
import org.jspecify.annotations.Nullable;

/**
 * G8: a held lease is shown as past its expiry only when its last writer's clock has passed what that stored, and a refusal because it is
 * held goes with what is shown. The latest expiry that is shown follows from what a majority had stored at some moment of the call: behind
 * it the writer's clock has passed the expiry, and it is no further away than what was stored, stretched by the drift.
 */
final class ShownExpiryInvariant implements Invariant {

    /** What a writer has stored, on its own clock: from a stamp on, that was written by then, for so long. */
    private record Stored(Incarnation by, long stampNanos, long writtenNanos, long lengthNanos) {

        boolean isOver(long atNanos) {
            return by.hasPassed(atNanos, stampNanos, writtenNanos, lengthNanos);
        }
    }

    @Override
    public void check(Model history, Violations violations) {
        if (!history.conditions().inside()) {
            return;
        }
        for (Call call : history.calls()) {
            Answer answer = call.answer();
            boolean reads = call.kind() == Kind.REFRESH || call.kind() == Kind.LIST;
            if (answer != null && (answer.kind() == Answer.Kind.NO || reads)) {
                for (Shown shown : answer.shown()) {
                    if (shown.holder() != null && !shown.corrupt()) {
                        check(history, call, answer, shown, violations);
                    }
                }
            }
        }
    }

    private static void check(Model history, Call call, Answer answer, Shown shown, Violations violations) {
        boolean fits = isReason(answer, shown);
        if (!fits || !follows(history, call, shown)) {
            violations.add(
                    Guarantee.G8,
                    call.answeredNanos(),
                    shown.lease(),
                    "the caller of " + call + " of " + Words.seconds(call.calledNanos()) + " was shown at "
                            + Words.seconds(call.answeredNanos()) + " that this lease is "
                            + (shown.expired() ? "" : "not ") + "past its expiry, and may be taken from "
                            + Words.seconds(shown.safeAfterNanos()) + " on, which does not "
                            + (fits ? "follow from what was stored" : "go with a no of " + answer.reason()));
        }
    }

    private static boolean isReason(Answer answer, Shown shown) {
        String reason = answer.kind() == Answer.Kind.NO && answer.reason() != null ? answer.reason() : "";
        return switch (reason) {
            case "HELD", "NOT_EXPIRED" -> !shown.expired();
            case "HELD_PAST_EXPIRY" -> shown.expired();
            default -> true;
        };
    }

    private static boolean follows(Model history, Call call, Shown shown) {
        LeaseLog lease = history.lease(shown.lease());
        boolean[] wasThere = new boolean[1];
        boolean follows = Moments.any(lease, call, row -> {
            if (row == null
                    || !row.sound()
                    || row.token() != shown.token()
                    || !String.valueOf(row.holder()).equals(shown.holder())) {
                return false;
            }
            wasThere[0] = true;
            Stored stored = row.expiryNanos() == null ? ofSession(history, row, call) : ofTerm(lease, row);
            return stored == null || follows(history, call, shown, stored);
        });
        return follows || !wasThere[0];
    }

    private static boolean follows(Model history, Call call, Shown shown, Stored stored) {
        boolean isSaid = shown.safeAfterNanos() < Incarnation.NEVER;
        return (!shown.expired() || stored.isOver(call.answeredNanos()))
                && (!isSaid || !isEarly(history, call, shown, stored) && !isLate(history, call, shown, stored));
    }

    /** A machine that falls asleep before comes to that instant by a clock that may run at another rate then. */
    private static boolean isEarly(Model history, Call call, Shown shown, Stored stored) {
        long behindNanos = call.by().afterElapsedNanos(shown.safeAfterNanos(), 1);
        return behindNanos < history.finishedNanos()
                && history.machines().isAwake(call.by().machine(), call.answeredNanos(), behindNanos)
                && !stored.isOver(behindNanos);
    }

    private static boolean isLate(Model history, Call call, Shown shown, Stored stored) {
        return shown.safeAfterNanos() - call.answeredNanos() > history.bounds().outlivedNanos(stored.lengthNanos());
    }

    private static @Nullable Stored ofTerm(LeaseLog lease, LeaseRow row) {
        for (Tenure tenure : lease.tenures()) {
            for (Tenure.Write write : tenure.writes()) {
                if (tenure.held().token() == row.token()
                        && write.writtenNanos() == row.writtenNanos()
                        && row.expiryNanos() != null) {
                    return new Stored(
                            write.by(),
                            row.writtenNanos(),
                            write.commit().atNanos(),
                            row.expiryNanos() - row.writtenNanos());
                }
            }
        }
        return null;
    }

    /** By the oldest sign of life that the call may have seen. */
    private static @Nullable Stored ofSession(Model history, LeaseRow row, Call call) {
        WriterLog writer = history.writer(row.writer());
        WriterLog.Version oldest = null;
        for (int i = 0; writer != null && i < writer.versions().size(); i++) {
            WriterLog.Version version = writer.versions().get(i);
            long majorityNanos = version.commit().majorityNanos();
            // One of the very instant of the call may have come after its read.
            if (oldest == null ? majorityNanos <= call.answeredNanos() : majorityNanos < call.calledNanos()) {
                oldest = version;
            }
        }
        WriterRow entry = oldest == null ? null : oldest.row();
        Incarnation by = oldest == null ? null : oldest.commit().by();
        return oldest == null || entry == null || entry.sessionNanos() == null || by == null
                ? null
                : new Stored(by, entry.timeNanos(), oldest.commit().atNanos(), entry.sessionNanos());
    }
}
