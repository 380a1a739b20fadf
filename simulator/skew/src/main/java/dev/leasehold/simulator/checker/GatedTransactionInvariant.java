package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * G6: no transaction that carries the assertion of a tenure commits once that tenure was ended by a write, or another tenure of the lease
 * began. An assertion of a tenure that stands all the time is not refused. No engine ends the open transaction of a caller. A caller that
 * forgets to assert makes its own mistake.
 */
final class GatedTransactionInvariant implements Invariant {

    /** The reason by which a caller is told that its tenure is over. */
    static final String NOT_HELD = "NOT_HELD";

    @Override
    public void check(Model history, Violations violations) {
        for (Commit commit : history.commits()) {
            HeldTenure meant = commit.author().meant();
            if (meant != null && !stoodAt(history, commit, meant) && !isCallersMistake(history, commit)) {
                violations.add(
                        Guarantee.G6,
                        commit.atNanos(),
                        meant.lease(),
                        commit + " was promised that it commits only while " + Words.holder(meant)
                                + " holds the lease, and it committed at " + Words.seconds(commit.atNanos())
                                + ", when that was over or had never been");
            }
        }
        for (Call call : history.calls()) {
            checkRefusal(history, call, violations);
        }
        Event.Visitor rescues = rescues(violations);
        for (Event event : history.told()) {
            event.accept(rescues);
        }
    }

    /** Whether a commit came without the assertion, since its caller forgot it when it ran again. */
    static boolean isCallersMistake(Model history, Commit commit) {
        Call call = history.call(commit.author().call());
        return commit.author().asserted() == null
                && call != null
                && call.operation().forgetful();
    }

    /** Whether the tenure stood when the caller's transaction committed, as far as a document that may be damaged tells. */
    static boolean stoodAt(Model history, Commit gated, HeldTenure meant) {
        List<LeaseLog.Version> versions = history.lease(meant.lease()).versions();
        for (int i = versions.size() - 1; i >= 0; i--) {
            LeaseLog.Version version = versions.get(i);
            if (version.commit().event().version() <= gated.event().version()) {
                boolean damaged = version.row() != null && !version.row().sound();
                return damaged || isOf(version.held(), meant);
            }
        }
        return false;
    }

    private static boolean isOf(@Nullable Tenure tenure, HeldTenure meant) {
        return tenure != null && tenure.held().equals(meant);
    }

    private static void checkRefusal(Model history, Call call, Violations violations) {
        HeldTenure asserted = call.operation().tenure();
        if (call.kind() != Kind.GATE
                || asserted == null
                || !call.isAnswered(Answer.Kind.NO)
                || !call.isAnsweredFor(NOT_HELD)
                || call.calledNanos() <= history.lease(asserted.lease()).unsettledNanos()) {
            return;
        }
        Tenure tenure = history.tenure(asserted);
        if (tenure != null
                && tenure.begun().atNanos() < call.calledNanos()
                && (tenure.ended() == null || tenure.ended().atNanos() > call.answeredNanos())) {
            violations.add(
                    Guarantee.G6,
                    call.answeredNanos(),
                    asserted.lease(),
                    Words.holder(asserted) + " held the lease from "
                            + Words.seconds(tenure.begun().atNanos()) + " on, and its assertion by " + call + " of "
                            + Words.seconds(call.calledNanos()) + " was refused at "
                            + Words.seconds(call.answeredNanos()));
        }
    }

    private static Event.Visitor rescues(Violations violations) {
        return new Event.Visitor() {
            @Override
            public void on(Event.Reached reached) {
                if (reached.mark().equals(Marks.CALLER_ENDED)) {
                    violations.add(
                            Guarantee.G6,
                            reached.atNanos(),
                            null,
                            "the engine on m" + reached.machine() + " ended at " + Words.seconds(reached.atNanos())
                                    + " an open transaction that is none of an engine's");
                }
            }
        };
    }
}
