package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G2;
import static dev.leasehold.simulator.checker.Guarantee.G8;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * G8: a yes is committed with a majority, at some moment of the call. A claim or take-over has begun its tenure in the call, a claim of
 * what was not held and a take-over of what was. An acquisition has done so, or is another handle of a tenure that its engine
 * holds for the same holder. An extension finds the tenure with all that was asked for. A release or an expiry has ended the tenure, a
 * forced expiry has moved the token on, a step-down has begun a tenure of the instance that it names, a pin is there and an unpinned one is not, and a caller's transaction has committed.
 */
record YesInvariant(Model history, Violations violations) {

    void check() {
        for (Call call : history.calls.values()) {
            Answer last = call.lastWord();
            if (last != null && call.isYes()) {
                check(call, last.tenure());
            }
        }
    }

    private void check(Call call, @Nullable HeldTenure told) {
        switch (call.kind()) {
            case CLAIM, TAKE_OVER -> checkBegun(call, told);
            case ACQUIRE -> checkAcquired(call, told);
            case EXTEND -> checkExtended(call, told);
            case RELEASE, EXPIRE, FORCE_EXPIRE -> need(call, hasEnded(call, told), "it has ended no such tenure");
            case PIN, UNPIN -> need(call, hasPins(call), "at no moment of it the pins were so");
            case STEP_DOWN -> need(call, hasSteppedDown(call), "it has granted the lease to no such instance");
            case GATE -> need(call, hasCommitted(call), "its transaction was not committed by then");
            case FIND_OCCURRENCE, CHECK, REFRESH, LIST, HOUSEKEEPING, CLOSE_HANDLE, CLOSE_ENGINE -> {}
        }
    }

    private void need(Call call, boolean isSo, String why) {
        if (!isSo) {
            violations.add(G8, call, "yes, but %s, as it was", why);
        }
    }

    /** Whether a majority came to have a write of this engine in the call. */
    private static boolean isItsOwn(Call call, Commit commit) {
        return commit.isSureAt(call.lastWordNanos()) && commit.mayBeOf(call);
    }

    private void checkBegun(Call call, @Nullable HeldTenure told) {
        Tenure tenure = history.tenure(told);
        if (tenure == null || !isItsOwn(call, tenure.begun) || !call.mayBegin(tenure.held)) {
            need(call, false, "it has begun no such tenure for its holder");
        } else {
            boolean fits = wasHeldBefore(tenure) == (call.kind() == Kind.TAKE_OVER);
            need(call, fits || !history.isInside(), "a claim ends no tenure, and a take-over needs one to end");
        }
    }

    private static boolean wasHeldBefore(Tenure tenure) {
        return tenure.lease.versions.stream()
                .filter(version -> version.commit() == tenure.begun)
                .map(LeaseLog.Version::heldBefore)
                // It was free if another write had ended the session that kept it.
                .anyMatch(former ->
                        former != null && (former.sessionEnded == null || former.sessionEnded == tenure.begun));
    }

    private void checkAcquired(Call call, @Nullable HeldTenure told) {
        Tenure tenure = history.tenure(told);
        if (tenure == null || !tenure.begun.isSureAt(call.lastWordNanos())) {
            need(call, false, "no such tenure was begun by then");
            return;
        }
        // A clone gives the same names to calls that ask for none.
        boolean isAnonymous = call.operation.holder() == null;
        boolean isOthers = !call.mayBegin(tenure.held) || isAnonymous && tenure.handles.size() > 1;
        need(call, !isOthers || isAnonymous && !history.isInside(), "that is the tenure of another holder");
        need(
                call,
                isItsOwn(call, tenure.begun) || wasHeldByItsEngine(call, tenure),
                "that was neither begun by it nor held by its engine meanwhile");
    }

    /** An engine that is stopped as soon as it has its write says until when the tenure is valid only when that is over. */
    private boolean wasHeldByItsEngine(Call call, Tenure tenure) {
        Tenure.Write write = tenure.lastSureWrite(call.by, call.answeredNanos);
        boolean isWritten = write != null
                && call.by.readingNanos(call.calledNanos)
                        < write.writtenNanos()
                                + write.lengthNanos(
                                        history.conditions.sessionNanos().get(call.by.machine))
                && (!tenure.isOverAt(call.calledNanos) || isOrderedUnheard(call, tenure));
        return isWritten
                || wasGrantedToItsEngine(call, tenure)
                || tenure.lease.windows.stream()
                        .anyMatch(window -> window.isOf(call.by, tenure.held)
                                && window.touches(call.calledNanos, call.answeredNanos));
    }

    /** An engine may hear of a grant to its ticket, and of the end that was ordered since, in one instant. */
    private static boolean wasGrantedToItsEngine(Call call, Tenure tenure) {
        return tenure.ticket != null
                && tenure.ticket.by == call.by
                && (tenure.sessionEnded == null || tenure.sessionEnded.atNanos > call.answeredNanos)
                && (!tenure.isOverAt(call.calledNanos) || isOrderedUnheard(call, tenure));
    }

    /** Until it hears of an end that was ordered elsewhere, an engine goes by its own clock. */
    private static boolean isOrderedUnheard(Call call, Tenure tenure) {
        return tenure.end == Tenure.End.ORDERED
                && tenure.handles.stream()
                        .noneMatch(handle -> handle.by == call.by && handle.lostNanos() < call.calledNanos);
    }

    private void checkExtended(Call call, @Nullable HeldTenure told) {
        need(call, call.isAbout(told), "that is another tenure than it names");
        Tenure tenure = history.tenure(told);
        Tenure.Write write = tenure == null ? null : tenure.lastSureWrite(call.by, call.lastWordNanos());
        if (tenure == null
                || write == null
                || !tenure.begun.isSureAt(call.lastWordNanos())
                || tenure.isOverAt(call.calledNanos - 1)) {
            need(call, false, "at no moment of it a majority had the tenure as this engine had written it");
        } else if (write.expiryNanos() != null) {
            long askedNanos = call.by.readingNanos(call.calledNanos) + call.operation.durationNanos();
            if (history.isInside() && write.expiryNanos() < askedNanos) {
                violations.add(G2, call, "yes, and less was stored than until its clock shows %s,", askedNanos);
            }
        }
    }

    private boolean hasEnded(Call call, @Nullable HeldTenure told) {
        HeldTenure about = told == null ? call.operation.tenure() : told;
        for (LeaseLog.Version version : history.leaseOf(call).versions) {
            LeaseRow before = version.before();
            LeaseRow row = version.row();
            Tenure ended = version.heldBefore();
            if (before != null
                    && row != null
                    // A release may begin the next tenure.
                    && (row.holder() == null || call.kind() == Kind.RELEASE && version.grantedTo() != null)
                    && isItsOwn(call, version.commit())
                    && (call.kind() == Kind.FORCE_EXPIRE
                            ? row.token() > before.token()
                            : ended != null && (about == null || ended.held.equals(about)))) {
                return true;
            }
        }
        return false;
    }

    private boolean hasSteppedDown(Call call) {
        return history.leaseOf(call).versions.stream().anyMatch(version -> {
            Tenure ended = version.ended();
            Tenure begun = version.begun();
            return ended != null
                    && call.isAbout(ended.held)
                    && begun != null
                    && begun.writer.startsWith(call.operation.holder() + "#")
                    && isItsOwn(call, version.commit());
        });
    }

    private boolean hasPins(Call call) {
        String entity = Objects.requireNonNull(call.operation.holder(), "a pin of no entity");
        return history.leaseOf(call)
                .anyDuring(
                        call,
                        row -> row != null
                                && (!row.sound() || row.pins().contains(entity) == (call.kind() == Kind.PIN)));
    }

    private boolean hasCommitted(Call call) {
        return history.commits.stream()
                .anyMatch(commit -> commit.author.call() == call.number
                        && commit.author.meant() != null
                        && commit.isSureAt(call.lastWordNanos()));
    }
}
