package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G7;
import static dev.leasehold.simulator.checker.Guarantee.G8;

import dev.leasehold.simulator.history.Event;

/**
 * G8: each handle tells of its loss once, soon after its engine does not hold the tenure any more, unless it is closed meanwhile; and for a
 * reason that is so. G7: an engine that keeps by its session what another engine has ended hears of that within the bound.
 */
record LossInvariant(Model history, Violations violations) {

    void check() {
        for (LeaseLog lease : history.leases.values()) {
            for (ValidityWindow window : lease.windows) {
                Tenure tenure = lease.tenure(window.tenure);
                if (tenure != null) {
                    checkTold(tenure, window);
                    checkNews(tenure, window);
                }
            }
        }
        for (Call handle : history.calls.values()) {
            for (Event.Lost loss : handle.losses) {
                Tenure tenure = history.tenure(loss.tenure());
                if (tenure != null && tenure.handles.contains(handle) && handle.answeredNanos <= loss.atNanos()) {
                    checkLoss(tenure, handle, loss);
                } else {
                    violation(handle, loss, "which was not acquired before");
                }
            }
        }
    }

    private void checkTold(Tenure tenure, ValidityWindow window) {
        long overNanos = window.saidOverNanos;
        if (overNanos == Incarnation.NEVER) {
            return;
        }
        long dueNanos = overNanos + history.bounds.tellingNanos();
        for (Call handle : tenure.handles) {
            if (handle.by == window.by
                    && handle.isOpenHandleAt(overNanos)
                    && handle.handleEndNanos() > dueNanos
                    && dueNanos < handle.by.stoppedNanos
                    && dueNanos < history.finishedNanos
                    && history.finishedNanos < Incarnation.NEVER
                    && history.machines.isAwake(handle.by.machine, overNanos, dueNanos)) {
                String what = "%s held %s no more at %s, and the handle of %s was not told so";
                violations.add(G8, dueNanos, tenure.held.lease(), what, handle.by, tenure.held, overNanos, handle);
            }
        }
    }

    private void checkNews(Tenure tenure, ValidityWindow window) {
        Commit ended = tenure.ended;
        if (!history.isLive() || ended == null || ended.majorityNanos == Incarnation.NEVER || !tenure.isOfSession()) {
            return;
        }
        // A damaged document tells nothing.
        long readableNanos = Math.max(history.healthyNanos(), tenure.lease.mendedNanos());
        long knownNanos = readableNanos == Incarnation.NEVER
                ? Incarnation.NEVER
                : Math.max(ended.majorityNanos, readableNanos) + history.bounds.newsNanos();
        if (knownNanos < Math.min(window.untilNanos, history.finishedNanos)) {
            String what = "%s was to hear that %s had ended what %s had, and it held until %s";
            violations.add(G7, knownNanos, tenure.held.lease(), what, window.by, ended, tenure.held, window.untilNanos);
        }
    }

    private void checkLoss(Tenure tenure, Call handle, Event.Lost loss) {
        if (loss != handle.losses.get(0)) {
            violation(handle, loss, "and had told that before");
        } else if (!isSo(tenure, handle, loss)) {
            violation(handle, loss, "which was not so");
        } else if (tenure.isHeldValid(handle.by, loss.atNanos()) && !isOverFor(tenure, handle, loss.atNanos())) {
            violation(handle, loss, "and its engine held it still");
        }
    }

    /** Its validity has ended since it was acquired, and for a handle that is for good, also where a call by the tenure has begun another one. */
    private static boolean isOverFor(Tenure tenure, Call handle, long atNanos) {
        return tenure.lease.windows.stream()
                .anyMatch(window -> window.isOf(handle.by, tenure.held)
                        && window.saidOverNanos >= handle.answeredNanos
                        && window.saidOverNanos <= atNanos);
    }

    private void violation(Call handle, Event.Lost loss, String what) {
        String format = "the handle of %s told that %s is lost for the reason %s, %s,";
        violations.add(G8, loss.atNanos(), loss.tenure().lease(), format, handle, loss.tenure(), loss.reason(), what);
    }

    private boolean isSo(Tenure tenure, Call handle, Event.Lost loss) {
        long atNanos = loss.atNanos();
        return switch (loss.reason()) {
            case "CLOSED" -> handle.by.endsNanos() <= atNanos;
            case "TAKEN_OVER" -> isEnded(tenure, atNanos);
            case "EVICTED" -> !history.isInside() || history.hasRemovedEntryOf(handle.by, atNanos);
            case "CLOCK_ANOMALY" -> !history.isInside() || history.machines.hasUnevenTime(handle.by.machine, atNanos);
            default -> true;
        };
    }

    /** What was damaged may have looked like the end. */
    private boolean isEnded(Tenure tenure, long atNanos) {
        Commit sessionEnded = tenure.sessionEnded;
        return tenure.endedNanos() <= atNanos
                || sessionEnded != null && sessionEnded.atNanos <= atNanos
                || tenure.lease.isDamaged()
                || tenure.isReleasedBy(atNanos);
    }
}
