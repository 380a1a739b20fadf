package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.history.Operation.Kind;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.Command;
import dev.leasehold.simulator.plan.Plan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * G6: no caller's transaction commits under a token whose tenure is over, a rightful assertion is not refused, and no engine ends what is
 * open.
 */
final class GatePromise {

    /** The reason by which a caller is told that its lease is not held. */
    private static final String NOT_HELD = "NOT_HELD";

    private final Findings findings;
    private final Plan plan;
    private int mistakesCaught;

    GatePromise(Plan plan, Findings findings) {
        this.plan = plan;
        this.findings = findings;
    }

    /** How many commits of callers were found that had been told to forget the assertion. That is their own mistake. */
    int mistakesCaught() {
        return mistakesCaught;
    }

    void committed(Commit commit, Database database) {
        Event.Author author = commit.author();
        HeldTenure meant = author.meant();
        if (author.kind() != Event.Author.Kind.CALLER || meant == null) {
            return;
        }
        LeaseTimeline lease = database.lease(meant.lease());
        LeaseTimeline.Version latest = lease.latest();
        boolean damaged =
                latest != null && latest.row() != null && !latest.row().sound();
        if (damaged || stands(latest, meant)) {
            return;
        }
        if (author.asserted() == null && wasToForget(author.machine(), meant.lease())) {
            mistakesCaught++;
            return;
        }
        Tenure tenure = lease.tenure(meant);
        Commit ended = tenure == null ? null : tenure.ended();
        findings.violation(
                Promise.G6,
                commit.atNanos(),
                lease.name(),
                "a caller on m" + author.machine()
                        + " was promised that it commits only while " + Words.holder(meant)
                        + " holds the lease, and it committed at "
                        + Words.seconds(commit.atNanos())
                        + (ended == null
                                ? ", when there was no such tenure"
                                : ", after " + ended.who() + " had ended the tenure at "
                                        + Words.seconds(ended.atNanos())));
    }

    void reached(Event.Reached event) {
        if (event.mark().equals(Marks.CALLER_ENDED)) {
            findings.violation(
                    Promise.G6,
                    event.atNanos(),
                    null,
                    "the engine on m" + event.machine() + " ended at " + Words.seconds(event.atNanos())
                            + " an open transaction that is none of an engine's");
        }
    }

    private static boolean stands(LeaseTimeline.@Nullable Version latest, HeldTenure meant) {
        return latest != null && latest.tenure() != null && latest.tenure().isOf(meant);
    }

    private boolean wasToForget(int machine, String lease) {
        List<Command> commands = plan.commands();
        for (int i = 0; i < commands.size(); i++) {
            Command command = commands.get(i);
            if (command.machine() == machine
                    && command.action() instanceof Action.Gate gate
                    && gate.forgetful()
                    && lease.equals("lease-" + gate.tenure().lease())) {
                return true;
            }
        }
        return false;
    }

    /** An assertion that was refused although the tenure stood from the beginning of the call to its end. */
    void judge(LeaseTimeline lease) {
        for (int i = 0; i < lease.calls().size(); i++) {
            Call call = lease.calls().get(i);
            // What was taken back, or damaged by hand, may have looked like the end.
            if (call.kind() == Kind.GATE
                    && call.isAnswered(Answer.Kind.NO)
                    && call.calledNanos() > lease.troubledNanos()) {
                judgeRefusal(lease, call);
            }
        }
    }

    private void judgeRefusal(LeaseTimeline lease, Call call) {
        Answer answer = call.answer();
        HeldTenure asserted = call.operation().tenure();
        if (answer == null || !NOT_HELD.equals(answer.reason()) || asserted == null) {
            return;
        }
        Tenure tenure = lease.tenure(asserted);
        if (tenure != null
                && tenure.begun().atNanos() < call.calledNanos()
                && (tenure.ended() == null || tenure.ended().atNanos() > call.answeredNanos())) {
            findings.violation(
                    Promise.G6,
                    call.answeredNanos(),
                    lease.name(),
                    Words.holder(asserted)
                            + " held the lease from "
                            + Words.seconds(tenure.begun().atNanos()) + " on, and its assertion by " + call
                            + " of " + Words.seconds(call.calledNanos()) + " was refused at "
                            + Words.seconds(call.answeredNanos()));
        }
    }
}
