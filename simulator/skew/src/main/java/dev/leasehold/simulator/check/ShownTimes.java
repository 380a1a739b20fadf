package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Answer.Shown;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The part of G8 about the times that an answer shows of a held lease: whether it is certainly past its expiry, which is also why some things
 * are refused, and from when on it is so. That instant is one at which the clock of the writer has passed what it stored, and none after
 * which it has done so for long.
 */
final class ShownTimes {

    /**
     * What a writer has stored, on its own clock.
     *
     * @param life whose clock that is
     * @param stampNanos from when on
     * @param lengthNanos for how long
     * @param sentNanos when the stamp was sent at the latest, in true time
     */
    private record Stored(Life life, long stampNanos, long lengthNanos, long sentNanos) {

        boolean isOver(long atNanos) {
            return !life.isNotPast(atNanos, life.passedNanos(atNanos, stampNanos, sentNanos), lengthNanos);
        }
    }

    private final Trial trial;
    private final Findings findings;
    private final Patience patience;

    ShownTimes(Trial trial, Findings findings) {
        this.trial = trial;
        this.findings = findings;
        this.patience = new Patience(trial.history().plan());
    }

    void judge(Call call, Answer answer, Shown shown) {
        if (shown.holder() == null || shown.corrupt() || !findings.isInside()) {
            return;
        }
        if (!isReason(answer, shown)) {
            report(
                    call,
                    shown,
                    "was told no for the reason " + answer.reason() + ", and shown that this lease is "
                            + (shown.expired() ? "" : "not ") + "past its expiry");
        } else if (!wasSo(call, shown)) {
            report(
                    call,
                    shown,
                    "was shown that this lease is " + (shown.expired() ? "" : "not ")
                            + "past its expiry, and may be taken from " + Words.seconds(shown.safeAfterNanos())
                            + " on, which does not follow from what was stored");
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

    /** Whether it follows from what a majority had at some instant of the call. */
    private boolean wasSo(Call call, Shown shown) {
        List<LeaseTimeline.Version> versions =
                trial.database().lease(shown.lease()).versions();
        boolean wasThere = false;
        long untilNanos = Long.MAX_VALUE;
        for (int i = versions.size() - 1; i >= 0 && untilNanos >= call.calledNanos(); i--) {
            LeaseTimeline.Version version = versions.get(i);
            untilNanos = version.commit().majorityNanos();
            if (untilNanos <= call.answeredNanos() && isOf(shown, version.row())) {
                Stored stored = stored(version, call);
                if (stored == null || follows(call, shown, stored)) {
                    return true;
                }
                wasThere = true;
            }
        }
        return !wasThere;
    }

    private static boolean isOf(Shown shown, @Nullable LeaseRow row) {
        return row != null
                && row.sound()
                && row.token() == shown.token()
                && String.valueOf(row.holder()).equals(shown.holder());
    }

    private boolean follows(Call call, Shown shown, Stored stored) {
        boolean isSaid = shown.safeAfterNanos() < Trial.NEVER;
        return (!shown.expired() || stored.isOver(call.answeredNanos()))
                && (!isSaid || !isEarly(call, shown, stored) && !isLate(call, shown, stored));
    }

    /** A machine that falls asleep before comes to that instant by a clock that may run at another rate then. */
    private boolean isEarly(Call call, Shown shown, Stored stored) {
        long behindNanos = call.life().afterElapsedNanos(shown.safeAfterNanos(), 1);
        return behindNanos < trial.finishedNanos()
                && trial.lives().isAwake(call.life().machine(), call.answeredNanos(), behindNanos)
                && !stored.isOver(behindNanos);
    }

    private boolean isLate(Call call, Shown shown, Stored stored) {
        return shown.safeAfterNanos() - call.answeredNanos() > patience.outlivedNanos(stored.lengthNanos());
    }

    /** Null where it cannot be told whose clock it is about. */
    private @Nullable Stored stored(LeaseTimeline.Version version, Call call) {
        LeaseRow row = version.row();
        Tenure tenure = version.tenure();
        if (row == null || tenure == null) {
            return null;
        }
        return row.expiryNanos() == null ? storedForTheSession(row.writer(), call) : storedTerm(tenure, row);
    }

    private static @Nullable Stored storedTerm(Tenure tenure, LeaseRow row) {
        for (Tenure.Write write : tenure.writes()) {
            if (write.writtenNanos() == row.writtenNanos() && row.expiryNanos() != null) {
                return new Stored(
                        write.life(),
                        row.writtenNanos(),
                        row.expiryNanos() - row.writtenNanos(),
                        write.commit().atNanos());
            }
        }
        return null;
    }

    /** By the oldest sign of life that the call may have seen. */
    private @Nullable Stored storedForTheSession(String name, Call call) {
        WriterTimeline writer = trial.database().writer(name);
        WriterTimeline.Version oldest = null;
        for (int i = 0; writer != null && i < writer.versions().size(); i++) {
            WriterTimeline.Version version = writer.versions().get(i);
            long majorityNanos = version.commit().majorityNanos();
            // One of the very instant of the call may have come after its read.
            if (oldest == null ? majorityNanos <= call.answeredNanos() : majorityNanos < call.calledNanos()) {
                oldest = version;
            }
        }
        WriterRow row = oldest == null ? null : oldest.row();
        Life life = oldest == null ? null : oldest.commit().life();
        return row == null || row.sessionNanos() == null || life == null
                ? null
                : new Stored(
                        life,
                        row.timeNanos(),
                        row.sessionNanos(),
                        Objects.requireNonNull(oldest).commit().atNanos());
    }

    private void report(Call call, Shown shown, String what) {
        findings.violation(
                Promise.G8,
                call.answeredNanos(),
                shown.lease(),
                "the caller of " + call + " of " + Words.seconds(call.calledNanos()) + " " + what + ", at "
                        + Words.seconds(call.answeredNanos()));
    }
}
