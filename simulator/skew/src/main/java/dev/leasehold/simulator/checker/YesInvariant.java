package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * G8: a yes is committed with a majority, at some moment of the call. A claim or take-over has begun its tenure in the call, a claim of
 * what nobody held and a take-over of what somebody did. An acquisition has done so, or is another handle of a tenure that its engine
 * holds for the same holder. An extension finds the tenure with all that was asked for. A release or an expiry has ended the tenure, a
 * forced expiry has moved the token on, a pin is there and an unpinned one is not, and a caller's transaction has committed.
 */
final class YesInvariant implements Invariant {

    @Override
    public void check(Model history, Violations violations) {
        for (Call call : history.calls()) {
            Answer last = call.lastWord();
            if (last != null && last.kind() == Answer.Kind.YES) {
                new Check(history, call, last.tenure(), violations).run();
            }
        }
    }

    /** That of one call. */
    private record Check(Model history, Call call, @Nullable HeldTenure told, Violations violations) {

        void run() {
            switch (call.kind()) {
                case CLAIM, TAKE_OVER -> checkBegun();
                case ACQUIRE -> checkAcquired();
                case EXTEND -> checkExtended();
                case RELEASE, EXPIRE, FORCE_EXPIRE -> checkEnded();
                case PIN, UNPIN -> checkPins();
                case GATE -> checkGated();
                case CHECK, REFRESH, LIST, HOUSEKEEPING, CLOSE_HANDLE, CLOSE_ENGINE -> {}
            }
        }

        private void untrue(String why) {
            violations.add(Guarantee.G8, call.lastWordNanos(), call.lease(), sentence(why));
        }

        private String sentence(String why) {
            return "the caller of " + call + " of " + Words.seconds(call.calledNanos()) + " was told yes at "
                    + Words.seconds(call.lastWordNanos()) + (told == null ? "" : " about " + Words.holder(told))
                    + ", and " + why;
        }

        private boolean isSure(@Nullable Commit commit) {
            return commit != null && commit.isSureAt(call.lastWordNanos());
        }

        /** Whether a majority came to have a write of this engine in the call. */
        private boolean isItsOwn(@Nullable Commit commit) {
            return isSure(commit)
                    && commit != null
                    && commit.by() == call.by()
                    && commit.atNanos() >= call.calledNanos();
        }

        // ---- what begins ----

        private void checkBegun() {
            Tenure tenure = history.tenure(told);
            if (tenure == null || !isItsOwn(tenure.begun())) {
                untrue("the call has begun no such tenure");
            } else if (!call.mayBegin(tenure.held())) {
                untrue("that is somebody else's");
            } else if (wasHeldBefore(tenure) != (call.kind() == Kind.TAKE_OVER)) {
                violations.addInside(
                        Guarantee.G8,
                        call.lastWordNanos(),
                        call.lease(),
                        sentence(
                                call.kind() == Kind.TAKE_OVER
                                        ? "nobody had held the lease before"
                                        : "somebody had held it until then, whose tenure no claim may end"));
            }
        }

        private boolean wasHeldBefore(Tenure tenure) {
            for (LeaseLog.Version version : tenure.lease().versions()) {
                if (version.commit() == tenure.begun()) {
                    Tenure former = version.heldBefore();
                    return former != null && !former.isFreeBefore(tenure.begun());
                }
            }
            return false;
        }

        private void checkAcquired() {
            Tenure tenure = history.tenure(told);
            boolean isAnonymous = call.operation().holder() == null;
            if (tenure == null || !isSure(tenure.begun())) {
                untrue("no such tenure was begun by then");
            } else if (!call.mayBegin(tenure.held())
                            && (!isAnonymous || history.conditions().inside())
                    || isAnonymous
                            && history.conditions().inside()
                            && tenure.handles().size() > 1) {
                untrue("that is somebody else's");
            } else if (!isItsOwn(tenure.begun()) && !isShared(tenure)) {
                untrue("that was neither begun by the call nor held by its engine at that time");
            }
        }

        /** Whether its engine held the tenure at some moment of the call, and could give another handle of it. */
        private boolean isShared(Tenure tenure) {
            for (ValidityWindow window : tenure.lease().windows()) {
                if (window.by() == call.by()
                        && window.tenure().equals(tenure.held())
                        && window.fromNanos() <= call.answeredNanos()
                        && window.untilNanos() >= call.calledNanos()) {
                    return true;
                }
            }
            return false;
        }

        // ---- what goes on ----

        private void checkExtended() {
            Tenure tenure = history.tenure(told);
            Tenure.Write write = tenure == null ? null : lastSureWrite(tenure);
            if (tenure == null || write == null || !stoodInCall(tenure)) {
                untrue("at no moment of the call a majority had the tenure as this engine had written it");
                return;
            }
            long askedNanos = call.by().readingNanos(call.calledNanos())
                    + call.operation().durationNanos();
            if (write.expiryNanos() != null && write.expiryNanos() < askedNanos) {
                violations.addInside(
                        Guarantee.G2,
                        call.lastWordNanos(),
                        call.lease(),
                        sentence("no more was stored than until " + Words.seconds(write.expiryNanos())
                                + " of its clock, and not until " + Words.seconds(askedNanos)));
            }
        }

        private Tenure.@Nullable Write lastSureWrite(Tenure tenure) {
            for (int i = tenure.writes().size() - 1; i >= 0; i--) {
                Tenure.Write write = tenure.writes().get(i);
                if (write.by() == call.by() && isSure(write.commit())) {
                    return write;
                }
            }
            return null;
        }

        private boolean stoodInCall(Tenure tenure) {
            return isSure(tenure.begun()) && !tenure.isOverAt(call.calledNanos() - 1);
        }

        // ---- what ends ----

        private void checkEnded() {
            HeldTenure about = told == null ? call.operation().tenure() : told;
            for (LeaseLog.Version version :
                    history.lease(String.valueOf(call.lease())).versions()) {
                LeaseRow before = version.before();
                LeaseRow row = version.row();
                if (before != null && row != null && row.holder() == null && isItsOwn(version.commit())) {
                    Tenure ended = version.heldBefore();
                    boolean isIt = call.kind() == Kind.FORCE_EXPIRE
                            ? row.token() > before.token()
                            : ended != null && (about == null || ended.held().equals(about));
                    if (isIt) {
                        return;
                    }
                }
            }
            untrue("the call has ended no such tenure");
        }

        // ---- pins, and what callers commit ----

        private void checkPins() {
            Operation operation = call.operation();
            List<LeaseLog.Version> versions =
                    history.lease(String.valueOf(call.lease())).versions();
            for (int i = versions.size() - 1; i >= 0; i--) {
                LeaseLog.Version version = versions.get(i);
                LeaseRow row = version.row();
                boolean pinned =
                        row != null && operation.holder() != null && row.pins().contains(operation.holder());
                if (isSure(version.commit()) && (row != null && !row.sound() || pinned == (call.kind() == Kind.PIN))) {
                    return;
                }
                if (version.commit().isSureAt(call.calledNanos() - 1)) {
                    break;
                }
            }
            untrue("at no moment of the call the pins were so");
        }

        private void checkGated() {
            for (Commit commit : history.commits()) {
                if (commit.author().call() == call.number() && commit.author().meant() != null && isSure(commit)) {
                    return;
                }
            }
            untrue("its transaction was not committed by then");
        }
    }
}
