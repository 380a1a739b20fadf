package dev.leasehold.engine.internal.commit;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.Refusal;

/** What the engine's thread says to an operation, for tests that stand in for it. */
public final class OperationEnds {

    private OperationEnds() {}

    /** Its commit is sent. False: the caller has gone. */
    public static boolean beginCommit(PendingOperation operation) {
        return operation.beginCommit();
    }

    public static void grant(PendingOperation operation, Tenure tenure) {
        operation.claimAnswer();
        operation.complete(OperationResult.yes(tenure, 0));
    }

    public static void refuse(PendingOperation operation, Refusal refusal) {
        operation.decidedOn(refusal.state().status());
        if (operation.claimAnswer()) {
            operation.complete(OperationResult.no(refusal));
        }
    }

    public static void fail(PendingOperation operation, LeaseException cause) {
        operation.fail(cause);
    }

    /** Its commit, which was sent, turns out not to have happened. */
    public static void fail(PendingOperation operation) {
        operation.commitDidNotHappen();
        operation.fail(operation.outOfTime());
    }

    /** Nobody will ever know whether it holds that. */
    public static void lose(PendingOperation operation, Tenure aim, LeaseException cause) {
        operation.intends(aim);
        operation.beginCommit();
        operation.failForeverUnknown(cause);
    }

    /** Nobody knows for now. It may be granted later. */
    public static void leaveUnknown(PendingOperation operation) {
        operation.beginCommit();
        operation.failUnknown(null);
    }

    /** Whether it is answered together with others. */
    public static void sharesRound(PendingOperation operation, boolean shares) {
        operation.sharesRound(shares);
    }
}
