package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G6;
import static dev.leasehold.simulator.checker.Guarantee.G8;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * G6: no transaction with the assertion of a tenure commits once that tenure was ended by a write or another tenure of the lease
 * began. It commits once. An assertion of a tenure that stands all the time is not refused. A caller that forgets to assert makes its own mistake.
 */
record GatedTransactionInvariant(Model history, Violations violations) implements Invariant {

    /** The reason by which a caller is told that its tenure is over. */
    private static final String NOT_HELD = "NOT_HELD";

    @Override
    public void check() {
        Set<Integer> committed = new HashSet<>();
        for (Commit commit : history.commits) {
            HeldTenure meant = commit.author.meant();
            if (meant != null && !committed.add(commit.author.call())) {
                violations.add(G8, commit.atNanos, meant.lease(), "the transaction of %s committed twice", commit);
            }
            if (meant != null && !stoodAt(history, commit, meant) && !isCallersMistake(history, commit)) {
                violations.add(
                        G6,
                        commit.atNanos,
                        meant.lease(),
                        "%s was to commit only while %s holds the lease, and it committed behind that",
                        commit,
                        meant);
            }
        }
        for (Call call : history.calls()) {
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
        Call call = history.call(commit.author.call());
        return commit.author.asserted() == null && call != null && call.operation.forgetful();
    }

    /** Whether the tenure stood when the caller's transaction committed, as far as a document that may be damaged tells. */
    static boolean stoodAt(Model history, Commit gated, HeldTenure meant) {
        List<LeaseLog.Version> versions = history.lease(meant.lease()).versions;
        for (int i = versions.size() - 1; i >= 0; i--) {
            LeaseLog.Version version = versions.get(i);
            if (version.commit().event.version() <= gated.event.version()) {
                boolean damaged = version.row() != null && !version.row().sound();
                return damaged || version.held() != null && version.held().held.equals(meant);
            }
        }
        return false;
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
