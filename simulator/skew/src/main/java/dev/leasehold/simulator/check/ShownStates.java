package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Answer.Shown;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of G8 about the leases that an answer shows: a majority had them so at some instant of the call, they are a reason for what is
 * refused, and a listing leaves none out and has them in their order.
 */
final class ShownStates {

    private final Trial trial;
    private final Findings findings;
    private final ShownTimes times;

    ShownStates(Trial trial, Findings findings) {
        this.trial = trial;
        this.findings = findings;
        this.times = new ShownTimes(trial, findings);
    }

    void judge(Call call, Answer answer) {
        boolean reads = call.kind() == Kind.REFRESH || call.kind() == Kind.LIST;
        if (answer.kind() == Answer.Kind.NO || answer.kind() == Answer.Kind.YES && reads) {
            for (int i = 0; i < answer.shown().size(); i++) {
                judge(call, answer, answer.shown().get(i));
                times.judge(call, answer, answer.shown().get(i));
            }
            if (reads && answer.kind() == Answer.Kind.YES) {
                judgeOrder(call, answer);
                judgeCompleteness(call, answer);
            }
        }
    }

    private void judgeCompleteness(Call call, Answer answer) {
        List<LeaseTimeline> leases = trial.database().leases();
        for (int i = 0; i < leases.size(); i++) {
            LeaseTimeline lease = leases.get(i);
            int times = timesShown(lease.name(), answer);
            if (times > 1 || times == 0 && (call.kind() == Kind.REFRESH || wasThereAllTheTime(lease, call))) {
                findings.violation(
                        Promise.G8,
                        call.answeredNanos(),
                        lease.name(),
                        "the caller of " + call + " of "
                                + Words.seconds(call.calledNanos()) + " was shown " + lease.name() + " " + times
                                + " times at "
                                + Words.seconds(call.answeredNanos()) + ", and there was one of it all the time");
            }
        }
    }

    /** Whoever reads leases asks for them in the order of their names, in which they are listed as well. */
    private void judgeOrder(Call call, Answer answer) {
        for (int i = 1; i < answer.shown().size(); i++) {
            String lease = answer.shown().get(i).lease();
            String before = answer.shown().get(i - 1).lease();
            if (before.compareTo(lease) > 0) {
                findings.violation(
                        Promise.G8,
                        call.answeredNanos(),
                        lease,
                        "the caller of " + call + " of "
                                + Words.seconds(call.calledNanos()) + " was shown " + lease + " behind " + before
                                + " at "
                                + Words.seconds(call.answeredNanos())
                                + ", and the leases are to be in the order of their names");
            }
        }
    }

    private static int timesShown(String lease, Answer answer) {
        int times = 0;
        for (int i = 0; i < answer.shown().size(); i++) {
            times += answer.shown().get(i).lease().equals(lease) ? 1 : 0;
        }
        return times;
    }

    /** Whether a majority had its document from the begin of the call to its end. */
    private static boolean wasThereAllTheTime(LeaseTimeline lease, Call call) {
        for (int i = lease.versions().size() - 1; i >= 0; i--) {
            LeaseTimeline.Version version = lease.versions().get(i);
            if (version.commit().majorityNanos() <= call.answeredNanos()) {
                if (version.row() == null) {
                    return false;
                }
                if (version.commit().majorityNanos() <= call.calledNanos()) {
                    return true;
                }
            }
        }
        return false;
    }

    private void judge(Call call, Answer answer, Shown shown) {
        LeaseTimeline lease = trial.database().lease(shown.lease());
        List<LeaseTimeline.Version> versions = lease.versions();
        long untilNanos = Long.MAX_VALUE;
        boolean wasSo = false;
        for (int i = versions.size() - 1; i >= -1 && untilNanos >= call.calledNanos(); i--) {
            long fromNanos = i < 0 ? Long.MIN_VALUE : versions.get(i).commit().majorityNanos();
            boolean wasSeen = fromNanos <= call.answeredNanos() && fromNanos < Long.MAX_VALUE;
            LeaseRow row = i < 0 ? null : versions.get(i).row();
            if (wasSeen && isSo(shown, row, call.answeredNanos())) {
                wasSo = true;
                if (isReason(call, answer, row)) {
                    return;
                }
            }
            untilNanos = fromNanos;
        }
        if (wasSo) {
            findings.violation(
                    Promise.G8,
                    call.answeredNanos(),
                    shown.lease(),
                    "the caller of " + call + " of "
                            + Words.seconds(call.calledNanos()) + " was told no at "
                            + Words.seconds(call.answeredNanos()) + " for the reason "
                            + answer.reason() + ", and that " + words(shown) + ", which is no such reason");
            return;
        }
        findings.violation(
                Promise.G8,
                call.answeredNanos(),
                shown.lease(),
                "the caller of " + call + " of "
                        + Words.seconds(call.calledNanos()) + " was shown at " + Words.seconds(call.answeredNanos())
                        + " that "
                        + words(shown) + ", and at no instant of the call a majority had it so");
    }

    private boolean isReason(Call call, Answer answer, @Nullable LeaseRow row) {
        String reason = answer.reason();
        if (answer.kind() != Answer.Kind.NO || reason == null || row != null && !row.sound()) {
            return true;
        }
        boolean free = row != null && isFree(row, call.answeredNanos());
        return Reasons.areOf(call.kind(), reason) && Reasons.isOne(call, reason, row, free);
    }

    private boolean isSo(Shown shown, @Nullable LeaseRow row, long atNanos) {
        if (row == null) {
            return shown.holder() == null && shown.token() == 0 && !shown.corrupt();
        }
        if (!row.sound() || shown.corrupt()) {
            return !row.sound() && shown.corrupt();
        }
        boolean tokenIsSo = shown.token() == 0 || shown.token() == row.token();
        return tokenIsSo
                && (row.holder() == null
                        ? shown.holder() == null
                        : row.holder().equals(shown.holder()) || shown.holder() == null && isFree(row, atNanos));
    }

    /** A lease that an absent writer's session kept belongs to nobody. */
    private boolean isFree(LeaseRow row, long atNanos) {
        WriterTimeline writer = trial.database().writer(row.writer());
        if (row.expiryNanos() != null || writer == null) {
            return row.expiryNanos() == null;
        }
        return writer.wasRemovedBy(atNanos);
    }

    private static String words(Shown shown) {
        if (shown.corrupt()) {
            return shown.lease() + " is damaged";
        }
        return shown.lease()
                + (shown.holder() == null ? " is held by nobody" : " is held by " + shown.holder())
                + (shown.token() == 0 ? "" : " with token " + shown.token());
    }
}
