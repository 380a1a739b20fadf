package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Answer.Shown;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of G8 about the leases that an answer shows: a majority had them so at some instant of the call. */
final class ShownStates {

    private final Trial trial;
    private final Findings findings;

    ShownStates(Trial trial, Findings findings) {
        this.trial = trial;
        this.findings = findings;
    }

    void judge(Call call, Answer answer) {
        boolean reads = call.kind() == Kind.REFRESH || call.kind() == Kind.LIST;
        if (answer.kind() == Answer.Kind.NO || answer.kind() == Answer.Kind.YES && reads) {
            for (int i = 0; i < answer.shown().size(); i++) {
                judge(call, answer.shown().get(i));
            }
        }
    }

    private void judge(Call call, Shown shown) {
        LeaseTimeline lease = trial.database().lease(shown.lease());
        List<LeaseTimeline.Version> versions = lease.versions();
        long untilNanos = Long.MAX_VALUE;
        for (int i = versions.size() - 1; i >= -1 && untilNanos >= call.calledNanos(); i--) {
            long fromNanos = i < 0 ? Long.MIN_VALUE : versions.get(i).commit().majorityNanos();
            boolean wasSeen = fromNanos <= call.answeredNanos() && fromNanos < Long.MAX_VALUE;
            if (wasSeen && isSo(shown, i < 0 ? null : versions.get(i).row(), call.answeredNanos())) {
                return;
            }
            untilNanos = fromNanos;
        }
        findings.violation(Promise.G8, call.answeredNanos(), shown.lease(), "the caller of " + call + " of "
                + Words.seconds(call.calledNanos()) + " was shown at " + Words.seconds(call.answeredNanos()) + " that "
                + words(shown) + ", and at no instant of the call a majority had it so");
    }

    private boolean isSo(Shown shown, @Nullable LeaseRow row, long atNanos) {
        if (row == null) {
            return shown.holder() == null && shown.token() == 0 && !shown.corrupt();
        }
        if (!row.sound() || shown.corrupt()) {
            return !row.sound() && shown.corrupt();
        }
        boolean tokenIsSo = shown.token() == 0 || shown.token() == row.token();
        return tokenIsSo && (row.holder() == null ? shown.holder() == null
                : row.holder().equals(shown.holder()) || shown.holder() == null && isFree(row, atNanos));
    }

    /** A lease that an absent writer's session kept belongs to nobody. */
    private boolean isFree(LeaseRow row, long atNanos) {
        WriterTimeline writer = trial.database().writer(row.writer());
        if (row.expiryNanos() != null || writer == null) {
            return row.expiryNanos() == null;
        }
        for (int i = 0; i < writer.versions().size(); i++) {
            if (writer.versions().get(i).row() == null && writer.versions().get(i).commit().atNanos() <= atNanos) {
                return true;
            }
        }
        return false;
    }

    private static String words(Shown shown) {
        if (shown.corrupt()) {
            return shown.lease() + " is damaged";
        }
        return shown.lease() + (shown.holder() == null ? " is held by nobody" : " is held by " + shown.holder())
                + (shown.token() == 0 ? "" : " with token " + shown.token());
    }
}
