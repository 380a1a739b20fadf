package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Event;

/**
 * G8: each handle tells of its loss once, soon after its engine does not hold the tenure any more, unless it is closed meanwhile; and for a
 * reason that is so.
 */
final class LossInvariant implements Invariant {

    @Override
    public void check(Model history, Violations violations) {
        for (LeaseLog lease : history.leases()) {
            for (ValidityWindow window : lease.windows()) {
                Tenure tenure = lease.tenure(window.tenure());
                if (tenure != null && window.doubtedNanos() < Incarnation.NEVER) {
                    for (Call handle : tenure.handles()) {
                        if (handle.by() == window.by() && handle.isOpenHandleAt(window.doubtedNanos())) {
                            checkTold(history, window, handle, violations);
                        }
                    }
                }
            }
            for (Tenure tenure : lease.tenures()) {
                for (Call handle : tenure.handles()) {
                    for (Event.Lost loss : handle.losses()) {
                        checkLoss(history, tenure, handle, loss, violations);
                    }
                }
            }
        }
    }

    private static void checkTold(Model history, ValidityWindow window, Call handle, Violations violations) {
        long dueNanos = window.doubtedNanos() + LivenessBounds.TELLING_NANOS;
        boolean hadTime = dueNanos < handle.by().stoppedNanos()
                && history.finishedNanos() < Incarnation.NEVER
                && dueNanos < history.finishedNanos()
                && history.machines().isAwake(handle.by().machine(), window.doubtedNanos(), dueNanos);
        if (hadTime && Math.min(handle.lostNanos(), handle.closedNanos()) > dueNanos) {
            violations.add(
                    Guarantee.G8,
                    dueNanos,
                    window.tenure().lease(),
                    handle.by() + " did not hold the lease as " + Words.holder(window.tenure())
                            + " any more at " + Words.seconds(window.doubtedNanos()) + ", and the handle of " + handle
                            + " was not told so by " + Words.seconds(dueNanos));
        }
    }

    private static void checkLoss(Model history, Tenure tenure, Call handle, Event.Lost loss, Violations violations) {
        if (loss != handle.losses().get(0)) {
            violation(handle, loss, "and had told that before", violations);
        } else if (!isSo(history, tenure, handle, loss)) {
            violation(handle, loss, "which was not so", violations);
        }
    }

    private static void violation(Call handle, Event.Lost loss, String what, Violations violations) {
        violations.add(
                Guarantee.G8,
                loss.atNanos(),
                loss.tenure().lease(),
                "the handle of " + handle + " told at " + Words.seconds(loss.atNanos()) + " that "
                        + Words.holder(loss.tenure()) + " is lost for the reason " + loss.reason() + ", " + what);
    }

    private static boolean isSo(Model history, Tenure tenure, Call handle, Event.Lost loss) {
        boolean inside = history.conditions().inside();
        return switch (loss.reason()) {
            case "CLOSED" -> handle.by().endsNanos() <= loss.atNanos();
            case "TAKEN_OVER" -> isEnded(history, tenure, loss.atNanos());
            case "EVICTED" ->
                !inside || history.rollbacks() > 0 || history.hasRemovedEntryOf(handle.by(), loss.atNanos());
            case "EXPIRED", "NOT_RENEWED" -> !inside || isTimeOver(history, tenure, handle, loss.atNanos());
            case "CLOCK_ANOMALY" ->
                !inside || history.machines().hasUnevenTime(handle.by().machine(), loss.atNanos());
            default -> true;
        };
    }

    /** What was taken back, or damaged, may have looked like the end. */
    private static boolean isEnded(Model history, Tenure tenure, long atNanos) {
        Commit ended = tenure.ended();
        Commit sessionEnded = tenure.sessionEnded();
        return ended != null && ended.atNanos() <= atNanos
                || sessionEnded != null && sessionEnded.atNanos() <= atNanos
                || history.rollbacks() > 0
                || tenure.lease().isDamaged()
                || tenure.isReleasedBy(atNanos);
    }

    /** Whether what was held since the handle was given has come to its end, or its machine's time of day has come further than that. */
    private static boolean isTimeOver(Model history, Tenure tenure, Call handle, long atNanos) {
        boolean isSome = false;
        for (ValidityWindow window : tenure.lease().windows()) {
            if (window.by() == handle.by()
                    && window.tenure().equals(tenure.held())
                    && window.fromNanos() <= atNanos
                    && window.untilNanos() >= handle.answeredNanos()) {
                isSome = true;
                if (window.statedNanos(atNanos) <= atNanos + handle.by().wallPrecisionNanos()) {
                    return true;
                }
            }
        }
        return !isSome || history.machines().hasUnevenTime(handle.by().machine(), atNanos);
    }
}
