package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G8;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * G8: a no changed nothing and never will. So each write of a lease by an engine was asked of that engine by a call that was under way and
 * was not told no in the end, or is one that the engine owes by itself: handles renew and are released, an acquisition whose caller was
 * not told of it is released, and so is what a session keeps and is not held any more. A no that comes after others have ended what the
 * call had begun is none of it. A release may begin the next tenure for a call that is refused meanwhile; no validity comes of it. A grant is asked for by a ticket, of which {@link TicketInvariant} judges.
 */
record NoInvariant(Model history, Violations violations) {

    void check() {
        for (LeaseLog.Version version : history.versions) {
            if (version.commit().by != null && !version.isDamaged()) {
                check(version, version.commit().by);
            }
        }
        for (Commit commit : history.commits) {
            Call call = commit.author.meant() == null ? null : history.calls.get(commit.author.call());
            if (call != null && call.isNo()) {
                noIsUntrue(call, commit);
            }
        }
    }

    private void check(LeaseLog.Version version, Incarnation by) {
        Commit commit = version.commit();
        Tenure begun = version.begun();
        Tenure held = version.held();
        boolean isGrant = version.grantedTo() != null;
        Tenure ended = (begun == null || isGrant) && version.row() != null ? version.ended() : null;
        if (ended != null && ended.end == Tenure.End.RELEASED) {
            if (!ended.mayReleaseUnasked(by, commit.atNanos)) {
                need(version, by, "a release", call -> call.releases(ended.held) || ends(call));
            }
        } else if (ended != null) {
            need(version, by, "an end", NoInvariant::ends);
        }
        if (begun != null) {
            if (!isGrant) {
                need(version, by, "a beginning", call -> mayBegin(call, begun));
            }
        } else if (held != null && held.writes.stream().anyMatch(write -> write.commit() == commit)) {
            need(version, by, "an extension", call -> mayExtend(call, held));
        }
        if (version.row() != null && !pins(version.before()).equals(pins(version.row()))) {
            need(version, by, "other pins", call -> call.kind() == Kind.PIN || call.kind() == Kind.UNPIN);
        }
    }

    private static boolean ends(Call call) {
        return call.kind() == Kind.EXPIRE || call.kind() == Kind.FORCE_EXPIRE;
    }

    private static boolean mayBegin(Call call, Tenure begun) {
        Answer last = call.lastWord();
        boolean isOther = last != null && call.isYes() && !begun.held.equals(last.tenure());
        return call.mayBegin(begun.held) && (!isOther || begun.isOverAt(call.lastWordNanos()));
    }

    private static boolean mayExtend(Call call, Tenure tenure) {
        return call.kind() == Kind.EXTEND && call.isAbout(tenure.held)
                || call.kind() == Kind.ACQUIRE && (tenure.handles.contains(call) || call.mayBegin(tenure.held));
    }

    private static Set<String> pins(@Nullable LeaseRow row) {
        return row == null ? Set.of() : row.pins();
    }

    /** A write needs one of the calls that may have asked its engine for it. */
    private void need(LeaseLog.Version version, Incarnation by, String what, Predicate<Call> mayHaveAsked) {
        Commit commit = version.commit();
        Call refused = null;
        for (Call call : version.lease().calls) {
            if (commit.mayBeOf(call) && mayHaveAsked.test(call)) {
                if (isAnsweredAccordingly(call, version)) {
                    return;
                }
                refused = call;
            }
        }
        if (refused != null && refused.isNo()) {
            noIsUntrue(refused, commit);
        } else {
            violations.addInside(G8, version, "%s wrote %s, and no call had asked it for that", by, what);
        }
    }

    /** A handle stays under way after its acquisition. What was over again when a call was answered with a no is no yes. */
    private static boolean isAnsweredAccordingly(Call call, LeaseLog.Version version) {
        Tenure held = version.held();
        return call.isCutShort()
                || call.isNo() && isNext(version)
                || call.isNo() && held != null && held.isOverAt(call.lastWordNanos())
                || !call.isNo() && (call.kind() == Kind.ACQUIRE || call.isUnderWayAt(version.commit().atNanos));
    }

    /** Whether a release began it for one that waited in the engine that wrote it. What it released may be of a clone of its writer. */
    private static boolean isNext(LeaseLog.Version version) {
        Tenure begun = version.begun();
        Tenure ended = version.ended();
        return begun != null
                && begun.ticket == null
                && ended != null
                && (ended.by == begun.by || ended.writer.equals(begun.writer))
                && ended.end == Tenure.End.RELEASED;
    }

    private void noIsUntrue(Call call, Commit commit) {
        String what = "the caller of %s was told no, which is never, at %s, but it was committed";
        violations.add(
                G8, Math.max(commit.atNanos, call.lastWordNanos()), call.lease(), what, call, call.lastWordNanos());
    }
}
