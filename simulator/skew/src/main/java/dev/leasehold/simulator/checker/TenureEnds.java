package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Operation.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Tells apart the ways in which a write can end a tenure. It is a release if the engine that wrote it had one to carry out: somebody
 * released the tenure through it, which ends its handles for good, its last handle was closed, an acquisition that was granted it ended without telling its
 * caller, or the engine was closing; or if its session keeps the lease and the tenure is not held any more. A term that was lost is left
 * to run out, since another engine may have extended it. All else that no operator and no holder ordered is a taking.
 */
final class TenureEnds {

    private TenureEnds() {}

    static void judge(LeaseLog lease) {
        for (int i = 0; i < lease.versions().size(); i++) {
            LeaseLog.Version version = lease.versions().get(i);
            Tenure ended = version.ended();
            if (ended != null) {
                ended.ended(version.commit(), how(lease, version, ended));
            }
        }
    }

    private static Tenure.End how(LeaseLog lease, LeaseLog.Version version, Tenure ended) {
        Commit commit = version.commit();
        Incarnation by = commit.by();
        if (by == null || version.isDamaged()) {
            return Tenure.End.DAMAGED;
        }
        if (isOrdered(lease, version, ended, by)) {
            return Tenure.End.ORDERED;
        }
        // What it was asked to release, and nobody else has carried on, it may begin anew.
        boolean released = mayRelease(lease, ended, by, commit.atNanos())
                || version.begun() != null && ended.isLastWrittenBy(by) && isGivenUp(ended, by, commit.atNanos());
        return released ? Tenure.End.RELEASED : Tenure.End.TAKEN;
    }

    /** Whether an engine was ever asked to release it, be it in vain. */
    private static boolean isGivenUp(Tenure tenure, Incarnation by, long atNanos) {
        for (int i = 0; i < tenure.lease().calls().size(); i++) {
            Call call = tenure.lease().calls().get(i);
            if (call.by() == by
                    && call.kind() == Kind.RELEASE
                    && call.calledNanos() <= atNanos
                    && call.isAbout(tenure.held())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOrdered(LeaseLog lease, LeaseLog.Version version, Tenure ended, Incarnation by) {
        LeaseRow after = version.row();
        if (after == null || after.token() != ended.held().token() + 1) {
            return false;
        }
        for (int i = 0; i < lease.calls().size(); i++) {
            Call call = lease.calls().get(i);
            boolean orders =
                    after.holder() == null ? call.kind() == Kind.FORCE_EXPIRE : supersedes(call, ended, after.holder());
            if (orders && call.by() == by && (call.isUnderWayAt(version.commit().atNanos()) || call.isCutShort())) {
                return true;
            }
        }
        return false;
    }

    private static boolean supersedes(Call call, Tenure ended, @Nullable String holder) {
        return call.operation().supersede()
                && ended.held().holder().equals(holder)
                && ended.held().holder().equals(call.operation().holder())
                && !ended.isLastWrittenBy(call.by());
    }

    private static boolean mayRelease(LeaseLog lease, Tenure tenure, Incarnation by, long atNanos) {
        for (int i = 0; i < lease.calls().size(); i++) {
            Call call = lease.calls().get(i);
            if (call.by() == by
                    && call.kind() == Kind.RELEASE
                    && call.isUnderWayAt(atNanos)
                    && call.isAbout(tenure.held())) {
                return true;
            }
        }
        return mayReleaseUnasked(tenure, by, atNanos);
    }

    /** Whether an engine had reason to release a tenure though no caller asked it for just that. */
    static boolean mayReleaseUnasked(Tenure tenure, Incarnation by, long atNanos) {
        return endedUntold(tenure, by, atNanos)
                || tenure.hasClosedHandle(by, atNanos) && !tenure.hasOpenHandles(by, atNanos)
                || tenure.hasHandles(by) && isGivenUp(tenure, by, atNanos)
                || by.endsNanos() <= atNanos && (tenure.begun().by() == by || isGrantedTo(tenure, by))
                || tenure.isOfSession() && tenure.isLastWrittenBy(by) && !tenure.isHeldValid(by, atNanos);
    }

    private static boolean isGrantedTo(Tenure tenure, Incarnation by) {
        for (int i = 0; i < tenure.grants().size(); i++) {
            if (tenure.grants().get(i).by() == by) {
                return true;
            }
        }
        return false;
    }

    /** Whether an acquisition may have been granted the tenure whose caller was not told so, or not at once. */
    private static boolean endedUntold(Tenure tenure, Incarnation by, long atNanos) {
        if (tenure.begun().by() != by) {
            return false;
        }
        for (int i = 0; i < tenure.lease().calls().size(); i++) {
            Call call = tenure.lease().calls().get(i);
            if (call.by() == by
                    && call.kind() == Kind.ACQUIRE
                    && call.calledNanos() <= atNanos
                    && call.mayBegin(tenure.held())
                    && (call.isAnswered(Answer.Kind.UNKNOWN)
                            || call.isCutShort()
                            || call.isCampaign() && !tenure.grants().contains(call))) {
                return true;
            }
        }
        return false;
    }
}
