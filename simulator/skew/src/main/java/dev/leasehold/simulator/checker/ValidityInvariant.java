package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Operation.Kind;
import org.jspecify.annotations.Nullable;

/**
 * G8: an engine holds a tenure only by what it was told. A validity begins with a call that was answered yes, or not answered yet, and never
 * with an unknown outcome. It ends no later than what a majority has of the engine's own writes: the expiry of the term, or the session
 * counted from the newest acknowledged stamp. It is over for good once the tenure was released through this engine, its last handle was
 * closed, its end was told, or the engine is closing; and once it was over, unless a later call grants it again. To be held means
 * that time is left, and a handle that was over once is not held again.
 */
final class ValidityInvariant implements Invariant {

    @Override
    public void check(Model history, Violations violations) {
        for (LeaseLog lease : history.leases()) {
            for (int i = 0; i < lease.windows().size(); i++) {
                ValidityWindow window = lease.windows().get(i);
                checkGround(lease, window, violations);
                checkBacked(history, lease, window, violations);
                checkEnd(history, lease, i, violations);
            }
        }
        Event.Visitor contradictions = contradictions(violations);
        for (Event event : history.told()) {
            event.accept(contradictions);
        }
    }

    private static void violation(ValidityWindow window, long atNanos, String what, Violations violations) {
        violations.add(
                Guarantee.G8,
                atNanos,
                window.tenure().lease(),
                window.by() + " held the lease as " + Words.holder(window.tenure()) + " from "
                        + Words.seconds(window.fromNanos()) + " to " + Words.seconds(window.untilNanos()) + ", and "
                        + what);
    }

    // ---- how it begins ----

    private static void checkGround(LeaseLog lease, ValidityWindow window, Violations violations) {
        for (Call call : lease.calls()) {
            if (call.by() == window.by() && call.calledNanos() <= window.fromNanos() && isGround(call, window)) {
                return;
            }
        }
        violation(window, window.fromNanos(), "no call had been told so", violations);
    }

    private static boolean isGround(Call call, ValidityWindow window) {
        Answer answer = call.answer();
        if (answer == null) {
            return call.mayBegin(window.tenure()) || call.kind() == Kind.EXTEND && call.isAbout(window.tenure());
        }
        return call.isCutShort() && call.mayBegin(window.tenure())
                || answer.kind() == Answer.Kind.YES
                        && window.tenure().equals(answer.tenure())
                        && (call.asksForLease() || call.kind() == Kind.EXTEND);
    }

    // ---- how long it lasts ----

    private static void checkBacked(Model history, LeaseLog lease, ValidityWindow window, Violations violations) {
        Tenure tenure = history.conditions().inside() ? lease.tenure(window.tenure()) : null;
        Incarnation by = window.by();
        long saidNanos = Long.MIN_VALUE;
        for (int i = 0; tenure != null && i < window.said().size(); i++) {
            Event.Believed said = window.said().get(i);
            // What was said before was backed, and will be.
            if (said.untilNanos() > saidNanos) {
                saidNanos = said.untilNanos();
                long backedNanos = backedNanos(history, tenure, by, said.atNanos());
                long untilNanos = Math.min(
                        Math.min(said.untilNanos(), by.stoppedNanos()),
                        history.machines().awakeUntilNanos(by.machine(), said.atNanos()));
                if (by.readingNanos(untilNanos - by.unseenNanos() - 1) >= backedNanos) {
                    violation(
                            window,
                            said.atNanos(),
                            "said at " + Words.seconds(said.atNanos()) + " that it does so until "
                                    + Words.seconds(said.untilNanos()) + ", of which a majority had "
                                    + (backedNanos == Long.MIN_VALUE
                                            ? "nothing"
                                            : "no more than until its clock shows " + Words.seconds(backedNanos)),
                            violations);
                    return;
                }
            }
        }
    }

    /** When what a majority has of this engine's writes ends, on its clock; MIN_VALUE for nothing. */
    private static long backedNanos(Model history, Tenure tenure, Incarnation by, long atNanos) {
        for (int i = tenure.writes().size() - 1; i >= 0; i--) {
            Tenure.Write write = tenure.writes().get(i);
            if (write.by() == by && write.commit().isSureAt(atNanos)) {
                return write.expiryNanos() == null
                        ? sessionEndNanos(history.writer(tenure.writer()), atNanos)
                        : write.expiryNanos();
            }
        }
        return Long.MIN_VALUE;
    }

    private static long sessionEndNanos(@Nullable WriterLog writer, long atNanos) {
        for (int i = writer == null ? -1 : writer.versions().size() - 1; writer != null && i >= 0; i--) {
            WriterRow row = writer.versions().get(i).row();
            if (row != null
                    && row.sessionNanos() != null
                    && writer.versions().get(i).commit().isSureAt(atNanos)) {
                return row.timeNanos() + row.sessionNanos();
            }
        }
        return Long.MIN_VALUE;
    }

    // ---- how it ends ----

    private static void checkEnd(Model history, LeaseLog lease, int index, Violations violations) {
        ValidityWindow window = lease.windows().get(index);
        long untilNanos = Math.min(window.untilNanos(), history.finishedNanos());
        for (Call call : lease.calls()) {
            long overNanos = call.by() == window.by() ? overNanos(history, lease, window, call) : Incarnation.NEVER;
            if (untilNanos > overNanos) {
                violation(window, Math.max(overNanos, window.fromNanos()), "it was over with " + call, violations);
                return;
            }
        }
        long saidOverNanos = saidOverNanos(lease, index);
        if (window.untilNanos() > window.by().endsNanos()) {
            violation(window, window.by().endsNanos(), "its engine was closed", violations);
        } else if (saidOverNanos < Incarnation.NEVER && !isGrantedAgain(lease, window, saidOverNanos)) {
            violation(
                    window,
                    window.fromNanos(),
                    "it had said at " + Words.seconds(saidOverNanos) + " that this is over",
                    violations);
        }
    }

    /** From when on a call of the same engine means that the tenure is not held there; NEVER if it does not. */
    private static long overNanos(Model history, LeaseLog lease, ValidityWindow window, Call call) {
        return switch (call.kind()) {
            case RELEASE ->
                call.isAbout(window.tenure())
                        ? history.machines().awakeFromNanos(call.by().machine(), call.calledNanos())
                        : Incarnation.NEVER;
            case CLOSE_HANDLE ->
                call.isAbout(window.tenure())
                                && isLastClose(history, window, call)
                                && !isGrantedAgain(lease, window, call.calledNanos())
                        ? call.answeredNanos()
                        : Incarnation.NEVER;
            case EXTEND ->
                call.isAbout(window.tenure()) && call.isAnswered(Answer.Kind.NO) && RefusalReasons.tellsTheEnd(call)
                        ? call.answeredNanos()
                        : Incarnation.NEVER;
            case FORCE_EXPIRE ->
                call.isAnswered(Answer.Kind.YES)
                                && call.answer() != null
                                && window.tenure().equals(call.answer().tenure())
                        ? call.answeredNanos()
                        : Incarnation.NEVER;
            default -> Incarnation.NEVER;
        };
    }

    /** A handle that had been lost before has nothing left to end. */
    private static boolean isLastClose(Model history, ValidityWindow window, Call close) {
        Tenure tenure = history.tenure(window.tenure());
        Call handle = history.handleOf(close);
        return tenure != null
                && handle.lostNanos() > close.calledNanos()
                && !tenure.hasOpenHandles(close.by(), close.answeredNanos());
    }

    /** When the same engine said for the last time that the same tenure is over; NEVER if it had not. */
    private static long saidOverNanos(LeaseLog lease, int index) {
        ValidityWindow window = lease.windows().get(index);
        for (int i = index - 1; i >= 0; i--) {
            ValidityWindow before = lease.windows().get(i);
            if (before.by() == window.by() && before.tenure().equals(window.tenure())) {
                return before.doubtedNanos();
            }
        }
        return Incarnation.NEVER;
    }

    /** Who extends by the tenure, or is given another handle of it, may be told so after its end. */
    private static boolean isGrantedAgain(LeaseLog lease, ValidityWindow window, long overNanos) {
        for (Call call : lease.calls()) {
            if (call.by() == window.by()
                    && call.calledNanos() <= Math.max(overNanos, window.fromNanos())
                    && (call.answeredNanos() >= overNanos || call.isCutShort())
                    && isGround(call, window)) {
                return true;
            }
        }
        return false;
    }

    // ---- what engines say themselves ----

    private static Event.Visitor contradictions(Violations violations) {
        return new Event.Visitor() {
            @Override
            public void on(Event.Revived event) {
                violations.add(
                        Guarantee.G8,
                        event.atNanos(),
                        event.tenure().lease(),
                        "a handle of " + Words.holder(event.tenure()) + " on m" + event.machine()
                                + " was closed, or had said that it is over, and says at "
                                + Words.seconds(event.atNanos()) + " that the lease is held");
            }

            @Override
            public void on(Event.Disagreed event) {
                violations.add(
                        Guarantee.G8,
                        event.atNanos(),
                        event.tenure().lease(),
                        "the engine on m" + event.machine() + " says at " + Words.seconds(event.atNanos())
                                + " that the lease is " + (event.held() ? "" : "not ") + "held by "
                                + Words.holder(event.tenure()) + ", and that " + (event.held() ? "no time" : "time")
                                + " is left of that");
            }
        };
    }
}
