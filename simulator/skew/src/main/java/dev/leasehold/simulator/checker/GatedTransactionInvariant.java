package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G6;
import static dev.leasehold.simulator.checker.Guarantee.G8;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.HashSet;
import java.util.Set;

/**
 * G6: no transaction with the assertion of a tenure commits once that tenure was ended by a write or another tenure of the lease
 * began. It commits once. An assertion of a tenure that stands all the time is not refused. A caller that forgets to assert makes its own mistake.
 */
record GatedTransactionInvariant(Model history, Violations violations) {

    /** The reason by which a caller is told that its tenure is over. */
    private static final String NOT_HELD = "NOT_HELD";

    void check() {
        Set<Integer> committed = new HashSet<>();
        for (Commit commit : history.commits) {
            HeldTenure meant = commit.author.meant();
            if (meant != null && !committed.add(commit.author.call())) {
                violations.add(G8, commit.atNanos, meant.lease(), "the transaction of %s committed twice", commit);
            }
            if (meant != null && !stoodAt(history, commit, meant) && !isCallersMistake(history, commit)) {
                String what = "%s was to commit only while %s holds the lease, and it committed behind that";
                violations.add(G6, commit.atNanos, meant.lease(), what, commit, meant);
            }
        }
        for (Call call : history.calls.values()) {
            HeldTenure asserted = call.operation.tenure();
            if (call.kind() == Kind.GATE
                    && asserted != null
                    && call.isAnswered(Answer.Kind.NO)
                    && call.isAnsweredFor(NOT_HELD)) {
                checkRefusal(call, asserted);
            }
        }
    }

    /** Whether a commit came without the assertion, since its caller forgot it when it ran again. */
    static boolean isCallersMistake(Model history, Commit commit) {
        Call call = history.calls.get(commit.author.call());
        return commit.author.asserted() == null && call != null && call.operation.forgetful();
    }

    /** Whether the tenure stood when the caller's transaction committed, as far as a document that may be damaged tells. */
    static boolean stoodAt(Model history, Commit gated, HeldTenure meant) {
        LeaseLog.Version stood = Model.newest(
                history.lease(meant.lease()).versions,
                version -> version.commit().event.version() <= gated.event.version());
        if (stood == null || stood.row() != null && !stood.row().sound()) {
            return stood != null;
        }
        return stood.held() != null && stood.held().held.equals(meant);
    }

    private void checkRefusal(Call call, HeldTenure asserted) {
        Tenure tenure = history.tenure(asserted);
        if (tenure != null
                && call.calledNanos > Math.max(tenure.lease.mendedNanos(), tenure.lease.takenBackNanos)
                && tenure.begun.atNanos < call.calledNanos
                && tenure.endedNanos() > call.answeredNanos) {
            violations.add(G6, call, "that %s is over, which it was not", asserted);
        }
    }
}
