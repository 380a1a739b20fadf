package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of G8 about pins: who was told that a lease is pinned was promised that nobody takes it, and that the pin stays until it is taken
 * away; and who was told no, that there is no such lease.
 */
final class PinPromise {

    /** The reason by which an operator is told that there is nothing to be pinned. */
    private static final String UNCHANGED = "UNCHANGED";

    private final Findings findings;

    PinPromise(Findings findings) {
        this.findings = findings;
    }

    void leaseChanged(
            LeaseTimeline lease,
            Commit commit,
            @Nullable LeaseRow before,
            @Nullable LeaseRow after,
            @Nullable Tenure ended,
            @Nullable Tenure begun) {
        Set<String> pins = before == null ? Set.of() : before.pins();
        if (commit.life() == null
                || before != null && !before.sound()
                || pins.isEmpty() && (after == null || after.pins().isEmpty())) {
            return;
        }
        boolean taken = begun != null || ended != null && ended.end() == Tenure.End.TAKEN;
        if (!pins.isEmpty() && (taken || after == null)) {
            findings.violation(
                    Promise.G8,
                    commit.atNanos(),
                    lease.name(),
                    "nobody was to take " + lease.name()
                            + " while it is pinned by " + pins + ", and " + commit.who()
                            + (after == null ? " removed" : " took") + " it at "
                            + Words.seconds(commit.atNanos()));
        } else if (after != null && !after.pins().equals(pins) && !isAskedFor(lease, commit)) {
            findings.violation(
                    Promise.G8,
                    commit.atNanos(),
                    lease.name(),
                    lease.name() + " was pinned by " + pins + ", and "
                            + commit.who() + ", which nobody had asked for that, left it pinned by " + after.pins()
                            + " at "
                            + Words.seconds(commit.atNanos()));
        }
    }

    private static boolean isAskedFor(LeaseTimeline lease, Commit commit) {
        for (int i = 0; i < lease.calls().size(); i++) {
            Call call = lease.calls().get(i);
            if ((call.kind() == Kind.PIN || call.kind() == Kind.UNPIN)
                    && call.life() == commit.life()
                    && call.isOpen()) {
                return true;
            }
        }
        return false;
    }

    /** What operators were told. */
    void judge(LeaseTimeline lease, Trial trial) {
        boolean takenAway = false;
        boolean mayBePinned = false;
        for (int i = 0; i < lease.calls().size(); i++) {
            Call call = lease.calls().get(i);
            judgeNo(lease, call);
            if (call.kind() == Kind.PIN) {
                judgePin(lease, call);
                mayBePinned |= call.isOpen() || call.lastWordNanos() >= trial.healedNanos();
            } else if (call.kind() == Kind.UNPIN && call.calledNanos() >= trial.healedNanos()) {
                takenAway = true;
                mayBePinned |= !call.isAnswered(Answer.Kind.YES);
            }
        }
        LeaseTimeline.Version latest = lease.latest();
        if (takenAway && !mayBePinned && isPinned(latest == null ? null : latest.row())) {
            findings.violation(
                    Promise.G8,
                    trial.finishedNanos(),
                    lease.name(),
                    "the observer was told that it has taken all pins of " + lease.name()
                            + " away, and it is still pinned by "
                            + Objects.requireNonNull(
                                            Objects.requireNonNull(latest).row())
                                    .pins());
        }
    }

    private void judgePin(LeaseTimeline lease, Call pin) {
        if (pin.isAnswered(Answer.Kind.YES) && !wasPinnedDuring(lease, pin)) {
            findings.violation(
                    Promise.G8,
                    pin.answeredNanos(),
                    lease.name(),
                    "the caller of " + pin + " was told at " + Words.seconds(pin.answeredNanos())
                            + " that the lease is pinned, and at no instant of the call it was");
        }
    }

    /** There is one reason to leave a lease as it is: that there is none. */
    private void judgeNo(LeaseTimeline lease, Call call) {
        Answer answer = call.answer();
        boolean asksForPins = call.kind() == Kind.PIN || call.kind() == Kind.UNPIN;
        // What was taken back, or damaged by hand, may have looked like none.
        if (asksForPins
                && answer != null
                && UNCHANGED.equals(answer.reason())
                && call.calledNanos() > lease.troubledNanos()
                && wasThereDuring(lease, call)) {
            findings.violation(
                    Promise.G8,
                    call.answeredNanos(),
                    lease.name(),
                    "the caller of " + call + " of "
                            + Words.seconds(call.calledNanos()) + " was told at " + Words.seconds(call.answeredNanos())
                            + " that there is no such lease, and at every instant of the call a majority had it");
        }
    }

    private static boolean wasThereDuring(LeaseTimeline lease, Call call) {
        for (int i = lease.versions().size() - 1; i >= 0; i--) {
            LeaseTimeline.Version version = lease.versions().get(i);
            if (version.commit().atNanos() <= call.answeredNanos()) {
                if (version.row() == null || !version.row().sound()) {
                    return false;
                }
                if (version.commit().majorityNanos() < call.calledNanos()) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean wasPinnedDuring(LeaseTimeline lease, Call call) {
        for (int i = lease.versions().size() - 1; i >= 0; i--) {
            LeaseTimeline.Version version = lease.versions().get(i);
            boolean wasSeen = version.commit().majorityNanos() <= call.answeredNanos();
            if (wasSeen
                    && version.row() != null
                    && (!version.row().sound() || !version.row().pins().isEmpty())) {
                return true;
            }
            if (version.commit().majorityNanos() < call.calledNanos()) {
                return false;
            }
        }
        return false;
    }

    private static boolean isPinned(@Nullable LeaseRow row) {
        return row != null && row.sound() && !row.pins().isEmpty();
    }
}
