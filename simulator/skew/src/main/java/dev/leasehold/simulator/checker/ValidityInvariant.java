package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G8;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.List;
import java.util.Set;

/**
 * G8: an engine holds a tenure only by what it was told. A validity begins with a call that was answered yes, or not answered yet, and never
 * with an unknown outcome. It ends no later than what a majority has of the engine's own writes: the expiry of the term, or the session
 * counted from the newest acknowledged stamp. It is over for good once the tenure was released through this engine, its last handle was
 * closed, its end was told, or the engine is closing; and once it was over, unless a later call grants it again.
 */
record ValidityInvariant(Model history, Violations violations) {

    /** The reasons by which an extension is told that its tenure is over. */
    private static final Set<String> OVER = Set.of("NO_SUCH_LEASE", "VACANT", "NOT_THAT_TENURE");

    void check() {
        for (LeaseLog lease : history.leases.values()) {
            for (int i = 0; i < lease.windows.size(); i++) {
                ValidityWindow window = lease.windows.get(i);
                checkGround(lease, window);
                checkBacked(lease, window);
                checkEnd(lease, window, saidOverBeforeNanos(lease.windows.subList(0, i), window));
            }
        }
    }

    private void violation(ValidityWindow window, long atNanos, String what) {
        violations.add(
                G8,
                atNanos,
                window.tenure.lease(),
                "%s held the lease as %s from %s to %s, and %s",
                window.by,
                window.tenure,
                window.fromNanos,
                window.untilNanos,
                what);
    }

    // ---- how it begins ----

    private void checkGround(LeaseLog lease, ValidityWindow window) {
        if (lease.calls.stream().noneMatch(call -> call.calledNanos <= window.fromNanos && isGround(call, window))) {
            violation(window, window.fromNanos, "no call had been told so");
        }
    }

    private static boolean isGround(Call call, ValidityWindow window) {
        Answer answer = call.answer;
        boolean mayGrant = call.mayBegin(window.tenure) || call.kind() == Kind.EXTEND && call.isAbout(window.tenure);
        boolean granted = call.isYesWith(window.tenure) && (call.asksForLease() || call.kind() == Kind.EXTEND);
        return call.by == window.by && (granted || mayGrant && (answer == null || call.isCutShort()));
    }

    // ---- how long it lasts ----

    private void checkBacked(LeaseLog lease, ValidityWindow window) {
        Tenure tenure = lease.tenure(window.tenure);
        Incarnation by = window.by;
        if (tenure == null || !history.isInside()) {
            return;
        }
        long saidNanos = Long.MIN_VALUE;
        for (Event.ValidUntil said : window.said) {
            // What was said before was backed, and will be.
            if (said.untilNanos() <= saidNanos) {
                continue;
            }
            saidNanos = said.untilNanos();
            long backedNanos = backedNanos(tenure, by, said.atNanos());
            long awakeUntilNanos = history.machines.awakeUntilNanos(by.machine, said.atNanos());
            long untilNanos = Math.min(said.untilNanos(), Math.min(by.stoppedNanos, awakeUntilNanos));
            if (by.readingNanos(untilNanos - by.unseenNanos() - 1) >= backedNanos) {
                String until = "a majority had no more than until its clock shows " + Violations.seconds(backedNanos);
                violation(window, said.atNanos(), until);
                return;
            }
        }
    }

    /** When what a majority has of this engine's writes ends, on its clock; MIN_VALUE for nothing. */
    private long backedNanos(Tenure tenure, Incarnation by, long atNanos) {
        Tenure.Write write = tenure.lastSureWrite(by, atNanos);
        if (write == null || write.expiryNanos() != null) {
            return write == null ? Long.MIN_VALUE : write.expiryNanos();
        }
        WriterLog.Version entry = Model.newest(
                history.writer(tenure.writer).versions,
                version -> version.sessionNanos() > 0 && version.commit().isSureAt(atNanos));
        return entry == null || entry.row() == null
                ? Long.MIN_VALUE
                : entry.row().timeNanos() + entry.sessionNanos();
    }

    // ---- how it ends ----

    private void checkEnd(LeaseLog lease, ValidityWindow window, long saidOverNanos) {
        long untilNanos = Math.min(window.untilNanos, history.finishedNanos);
        for (Call call : lease.calls) {
            long overNanos = call.by == window.by ? overNanos(lease, window, call) : Incarnation.NEVER;
            if (untilNanos > overNanos) {
                violation(window, Math.max(overNanos, window.fromNanos), "it was over with " + call);
                return;
            }
        }
        if (window.untilNanos > window.by.endsNanos()) {
            violation(window, window.by.endsNanos(), "its engine was closed");
        } else if (saidOverNanos < Incarnation.NEVER && !isGrantedAgain(lease, window, saidOverNanos)) {
            violation(
                    window,
                    window.fromNanos,
                    "it had said at " + Violations.seconds(saidOverNanos) + " that it is over");
        }
    }

    /** From when on a call of the same engine means that the tenure is not held there; NEVER if it does not. */
    private long overNanos(LeaseLog lease, ValidityWindow window, Call call) {
        boolean ends = switch (call.kind()) {
            case RELEASE -> call.isAbout(window.tenure);
            case CLOSE_HANDLE ->
                call.isAbout(window.tenure)
                        && isLastClose(lease, window, call)
                        && !isGrantedAgain(lease, window, call.calledNanos);
            case EXTEND ->
                call.isAbout(window.tenure)
                        && call.isAnswered(Answer.Kind.NO)
                        && OVER.stream().anyMatch(call::isAnsweredFor);
            case FORCE_EXPIRE -> call.isYesWith(window.tenure);
            default -> false;
        };
        if (!ends) {
            return Incarnation.NEVER;
        }
        // A release ends it before anything is sent.
        return call.kind() == Kind.RELEASE
                ? history.machines.awakeFromNanos(call.by.machine, call.calledNanos)
                : call.answeredNanos;
    }

    /**
     * A handle that had been lost before has nothing left to end. Of closes that overlap, the engine decides which one is the last, so only
     * the answer of all of them tells that the tenure is over.
     */
    private boolean isLastClose(LeaseLog lease, ValidityWindow window, Call close) {
        Tenure tenure = lease.tenure(window.tenure);
        return tenure != null
                && history.handleOf(close).lostNanos() > close.calledNanos
                && !tenure.hasOpenHandles(close.by, close.answeredNanos)
                && lease.calls.stream().noneMatch(other -> isClosedBeyond(close, other));
    }

    /** Whether another handle of the same tenure is still being closed when a close is answered. */
    private boolean isClosedBeyond(Call close, Call other) {
        return other.kind() == Kind.CLOSE_HANDLE
                && other.by == close.by
                && other.isAbout(close.operation.tenure())
                && other.calledNanos <= close.answeredNanos
                && other.answeredNanos > close.answeredNanos
                && history.handleOf(other).lostNanos() > other.calledNanos;
    }

    /** When the same engine said for the last time that the same tenure is over; NEVER if it had not. */
    private static long saidOverBeforeNanos(List<ValidityWindow> before, ValidityWindow window) {
        return before.stream()
                .filter(each -> each.isOf(window.by, window.tenure))
                .mapToLong(each -> each.saidOverNanos)
                .reduce(Incarnation.NEVER, (former, latter) -> latter);
    }

    /** A caller that extends by the tenure, or is given another handle of it, may be told so after its end. */
    private static boolean isGrantedAgain(LeaseLog lease, ValidityWindow window, long overNanos) {
        return lease.calls.stream()
                .anyMatch(call -> call.calledNanos <= Math.max(overNanos, window.fromNanos)
                        && (call.answeredNanos >= overNanos || call.isCutShort())
                        && isGround(call, window));
    }
}
