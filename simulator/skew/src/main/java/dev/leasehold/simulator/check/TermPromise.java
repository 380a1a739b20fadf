package dev.leasehold.simulator.check;

import dev.leasehold.simulator.check.Tenure.Write;
import dev.leasehold.simulator.history.Operation.Kind;

/**
 * What a granted term promises, whether by a claim or by an extension: nobody ends the tenure before the clock of the engine that was
 * asked has run that long since the call began. The lease of a session has no term of its own.
 */
final class TermPromise {

    private final Promise promise;
    private final Findings findings;

    TermPromise(Promise promise, Findings findings) {
        this.promise = promise;
        this.findings = findings;
    }

    void judge(Tenure tenure, Call granted) {
        Commit ended = tenure.ended();
        if (!granted.asksForATerm()
                || ended == null
                || !wasTaken(tenure, ended)
                || sharesWhatThereIs(tenure, granted)) {
            return;
        }
        long durationNanos = granted.operation().durationNanos();
        if (ranNanos(tenure, granted, ended.atNanos()) < durationNanos) {
            long promisedNanos = granted.life().afterElapsedNanos(granted.calledNanos(), durationNanos);
            findings.violationInside(
                    promise,
                    ended.atNanos(),
                    tenure.held().lease(),
                    Words.holder(tenure.held())
                            + " was promised to hold the lease until " + Words.seconds(promisedNanos) + " by " + granted
                            + " of " + Words.seconds(granted.calledNanos()) + ", and " + ended.who() + " ended it at "
                            + Words.seconds(ended.atNanos()));
        }
    }

    /** Whether nobody had given it up by the time at which it was ended. */
    private static boolean wasTaken(Tenure tenure, Commit ended) {
        return (tenure.end() == Tenure.End.TAKEN || tenure.end() == Tenure.End.UNTOLD)
                && !tenure.isGivenUpBy(ended.atNanos());
    }

    /** Another handle of what its owner holds already, or asks for just then, through the same engine, lasts as long as that does. */
    private static boolean sharesWhatThereIs(Tenure tenure, Call granted) {
        Write last = tenure.lastWriteOf(granted.life());
        return granted.kind() == Kind.ACQUIRE
                && (last == null
                        || last.expiryNanos() == null
                        || last.commit().atNanos() < granted.calledNanos()
                        || isAskedForWithLess(tenure, granted));
    }

    private static boolean isAskedForWithLess(Tenure tenure, Call granted) {
        for (int i = 0; i < tenure.grants().size(); i++) {
            Call other = tenure.grants().get(i);
            boolean less = other.operation().session()
                    || other.operation().durationNanos() < granted.operation().durationNanos();
            if (less
                    && other.kind() == Kind.ACQUIRE
                    && other.life() == granted.life()
                    && other.calledNanos() <= granted.answeredNanos()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Time for which its machine was suspended counts from the write by which the promise was kept, since the belief ends by wall time.
     * Where there was enough already nothing was written, and the belief is older than the promise.
     */
    private static long ranNanos(Tenure tenure, Call granted, long atNanos) {
        Life life = granted.life();
        Write kept = tenure.firstWriteOf(life, granted.calledNanos());
        long creditFromNanos = kept == null || kept.commit().atNanos() > granted.answeredNanos()
                ? granted.calledNanos()
                : Math.max(
                        granted.calledNanos(),
                        life.stampTakenNanos(kept.writtenNanos(), kept.commit().atNanos()));
        return life.elapsedNanos(granted.calledNanos(), atNanos) + life.suspendedNanos(creditFromNanos, atNanos);
    }
}
