package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * G8: a no changed nothing and never will. So each write of a lease by an engine was asked of that engine by a call that was under way and
 * was not told no in the end, or is one that the engine owes by itself: handles renew and are released, an acquisition whose caller was
 * not told of it is released, and so is what a session keeps and nobody holds any more. A no that comes after others have ended what the
 * call had begun is none of it.
 */
final class NoInvariant implements Invariant {

    @Override
    public void check(Model history, Violations violations) {
        for (LeaseLog lease : history.leases()) {
            for (LeaseLog.Version version : lease.versions()) {
                Incarnation by = version.commit().by();
                if (by != null && !version.isDamaged()) {
                    check(lease, version, by, violations);
                }
            }
        }
        for (Commit commit : history.commits()) {
            Call call = commit.author().meant() == null
                    ? null
                    : history.call(commit.author().call());
            if (call != null && call.isNo()) {
                noIsUntrue(call, commit, call.lease(), violations);
            }
        }
        for (Call call : history.calls()) {
            checkClosed(call, violations);
        }
    }

    private static void check(LeaseLog lease, LeaseLog.Version version, Incarnation by, Violations violations) {
        Asked asked = new Asked(lease, version.commit(), by);
        Tenure ended = version.begun() == null && version.row() != null ? version.ended() : null;
        if (ended != null && ended.end() == Tenure.End.RELEASED) {
            asked.needRelease(ended, violations);
        } else if (ended != null) {
            asked.need(NoInvariant::ends, "an end", violations);
        }
        Tenure begun = version.begun();
        Tenure held = version.held();
        if (begun != null) {
            asked.need(call -> mayBegin(call, begun, version.commit()), Words.holder(begun.held()), violations);
        } else if (held != null
                && held.lastWrite(version.commit().atNanos()) != null
                && isWrittenBy(held, version.commit())) {
            asked.need(call -> mayExtend(call, held), "a further write for " + Words.holder(held.held()), violations);
        }
        if (!pins(version.before()).equals(pins(version.row())) && version.row() != null) {
            asked.need(call -> call.kind() == Kind.PIN || call.kind() == Kind.UNPIN, "other pins", violations);
        }
    }

    private static boolean ends(Call call) {
        return call.kind() == Kind.EXPIRE || call.kind() == Kind.FORCE_EXPIRE;
    }

    private static boolean isWrittenBy(Tenure tenure, Commit commit) {
        for (Tenure.Write write : tenure.writes()) {
            if (write.commit() == commit) {
                return true;
            }
        }
        return false;
    }

    private static Set<String> pins(@Nullable LeaseRow row) {
        return row == null ? Set.of() : row.pins();
    }

    private static boolean mayBegin(Call call, Tenure begun, Commit commit) {
        if (!call.mayBegin(begun.held())) {
            return false;
        }
        Answer last = call.lastWord();
        boolean isOther = call.isYes() && last != null && !begun.held().equals(last.tenure());
        return !isOther || begun.isOverAt(call.lastWordNanos());
    }

    private static boolean mayExtend(Call call, Tenure tenure) {
        return switch (call.kind()) {
            case EXTEND -> call.isAbout(tenure.held());
            case ACQUIRE -> tenure.handles().contains(call) || call.mayBegin(tenure.held());
            default -> false;
        };
    }

    private static void checkClosed(Call call, Violations violations) {
        if (call.isAnsweredFor(Answer.ENGINE_CLOSED) && call.by().endsNanos() > call.answeredNanos()) {
            violations.add(
                    Guarantee.G8,
                    call.answeredNanos(),
                    call.lease(),
                    "the caller of " + call + " was told at " + Words.seconds(call.answeredNanos())
                            + " that the engine is closed, and nobody had closed it by then");
        }
    }

    private static void noIsUntrue(Call call, Commit commit, @Nullable String lease, Violations violations) {
        violations.add(
                Guarantee.G8,
                Math.max(commit.atNanos(), call.lastWordNanos()),
                lease,
                "the caller of " + call + " was told no at " + Words.seconds(call.lastWordNanos())
                        + ", which is never, but it was committed at " + Words.seconds(commit.atNanos()));
    }

    /** Who had asked an engine for a write. */
    private record Asked(LeaseLog lease, Commit commit, Incarnation by) {

        interface Which {
            boolean mayHaveAsked(Call call);
        }

        void need(Which which, String what, Violations violations) {
            Call refused = null;
            for (Call call : lease.calls()) {
                if (call.by() == by && call.calledNanos() <= commit.atNanos() && which.mayHaveAsked(call)) {
                    if (isAnsweredAccordingly(call)) {
                        return;
                    }
                    refused = call;
                }
            }
            if (refused != null && refused.isNo()) {
                noIsUntrue(refused, commit, lease.name(), violations);
            } else {
                violations.addInside(
                        Guarantee.G8,
                        commit.atNanos(),
                        lease.name(),
                        by + " wrote " + what + " at " + Words.seconds(commit.atNanos())
                                + ", and no call that was under way had asked it for that");
            }
        }

        /** A handle stays under way after its acquisition. */
        private boolean isAnsweredAccordingly(Call call) {
            boolean isOverBefore = call.isNo() && wasOverBy(call);
            return call.isCutShort()
                    || isOverBefore
                    || !call.isNo() && (call.kind() == Kind.ACQUIRE || call.isUnderWayAt(commit.atNanos()));
        }

        /** Whether what this write made was over again when the call was answered. */
        private boolean wasOverBy(Call call) {
            for (LeaseLog.Version version : lease.versions()) {
                if (version.commit() == commit && version.held() != null) {
                    return version.held().isOverAt(call.lastWordNanos());
                }
            }
            return false;
        }

        void needRelease(Tenure ended, Violations violations) {
            Call refused = null;
            for (Call call : lease.calls()) {
                boolean asks = call.kind() == Kind.RELEASE && call.isAbout(ended.held()) || ends(call);
                if (asks && call.by() == by && call.isUnderWayAt(commit.atNanos())) {
                    if (!call.isNo()) {
                        return;
                    }
                    refused = call;
                }
            }
            if (refused != null && !TenureEnds.mayReleaseUnasked(ended, by, commit.atNanos())) {
                noIsUntrue(refused, commit, lease.name(), violations);
            }
        }
    }
}
