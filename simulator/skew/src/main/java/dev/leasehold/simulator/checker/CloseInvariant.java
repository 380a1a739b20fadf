package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Operation.Kind;
import java.util.Objects;

/**
 * G7: a close that comes back before its time is over has freed what was held. The last handle of a tenure has ended it, unless somebody else
 * ends it or is granted it meanwhile; and an engine in whose way nothing was has ended its sessions.
 */
final class CloseInvariant implements Invariant {

    /** Behind the open transaction of another engine a write waits for as long, and then gives up. */
    private static final long UNHINDERED_NANOS_MAX = 1_000_000_000;

    @Override
    public void check(Model history, Violations violations) {
        if (!history.conditions().inside()
                || history.healedNanos() == Incarnation.NEVER
                || history.finishedNanos() == Incarnation.NEVER
                || history.rollbacks() > 0) {
            return;
        }
        for (Call call : history.calls()) {
            if (call.answer() != null && call.kind() == Kind.CLOSE_HANDLE) {
                checkHandle(history, call, violations);
            } else if (call.answer() != null && call.kind() == Kind.CLOSE_ENGINE) {
                checkEngine(history, call, violations);
            }
        }
    }

    private static long ranNanos(Call close) {
        return close.by().elapsedNanos(close.calledNanos(), close.answeredNanos());
    }

    private static void checkHandle(Model history, Call close, Violations violations) {
        Tenure tenure = history.tenure(close.operation().tenure());
        if (tenure != null
                && ranNanos(close) < history.conditions().closeNanos() - LivenessBounds.BETWEEN_LOOKS_NANOS
                && close.by().endsNanos() > close.answeredNanos()
                && isLast(tenure, close)
                && isHeldAllTheTime(tenure, close)
                && !tenure.lease().isDamaged()
                && !tenure.isOverAt(close.answeredNanos())
                && tenure.sessionEnded() == null
                && !isGrantedMeanwhile(tenure, close)
                && !isEndedBesides(tenure, close)) {
            violations.add(
                    Guarantee.G7,
                    close.answeredNanos(),
                    tenure.held().lease(),
                    "the close of the last handle of " + Words.holder(tenure.held()) + " on " + close.by()
                            + " came back at " + Words.seconds(close.answeredNanos())
                            + ", before its time was over, and the lease was not free by then");
        }
    }

    /** Whether it was the only one that was open, and none was being closed. */
    private static boolean isLast(Tenure tenure, Call close) {
        for (Call handle : tenure.handles()) {
            boolean isIt = Objects.equals(handle.number(), close.operation().handle());
            if (handle.by() == close.by()
                    && (isIt
                            ? handle.lostNanos() <= close.calledNanos()
                            : handle.closedNanos() >= close.calledNanos()
                                    || handle.lostNanos() == Incarnation.NEVER
                                            && handle.closedNanos() == Incarnation.NEVER)) {
                return false;
            }
        }
        return true;
    }

    /** What time ends meanwhile is lost, and not the handle's to free. */
    private static boolean isHeldAllTheTime(Tenure tenure, Call close) {
        ValidityWindow last = null;
        for (ValidityWindow window : tenure.lease().windows()) {
            if (window.by() == close.by()
                    && window.tenure().equals(tenure.held())
                    && window.fromNanos() <= close.calledNanos()) {
                last = window;
            }
        }
        return last != null && last.statedNanos(close.calledNanos()) > close.answeredNanos();
    }

    private static boolean isGrantedMeanwhile(Tenure tenure, Call close) {
        for (Call grant : tenure.grants()) {
            if (grant.answeredNanos() >= close.calledNanos() && grant.calledNanos() <= close.answeredNanos()) {
                return true;
            }
        }
        return false;
    }

    /** Whoever ends it through the same engine does so instead of the handle. */
    private static boolean isEndedBesides(Tenure tenure, Call close) {
        for (Call call : tenure.lease().calls()) {
            boolean ends = switch (call.kind()) {
                case RELEASE, EXPIRE, FORCE_EXPIRE -> true;
                default -> false;
            };
            if (ends
                    && call.by() == close.by()
                    && call.calledNanos() <= close.answeredNanos()
                    && call.isUnderWayAt(Math.max(call.calledNanos(), close.calledNanos()))) {
                return true;
            }
        }
        return false;
    }

    private static void checkEngine(Model history, Call close, Violations violations) {
        long earlyNanos = Math.min(history.conditions().closeNanos() / 2, UNHINDERED_NANOS_MAX);
        if (ranNanos(close) >= earlyNanos
                || history.machines().isTroubled(close.by().machine(), close.calledNanos(), close.answeredNanos())) {
            return;
        }
        for (WriterLog writer : history.writers()) {
            WriterLog.Version left = writer.at(close.answeredNanos());
            if (close.by().isWriter(writer.name())
                    && left != null
                    && left.row() != null
                    && left.row().sessionNanos() != null
                    && keepsAny(history, writer, close.answeredNanos())) {
                violations.add(
                        Guarantee.G7,
                        close.answeredNanos(),
                        null,
                        close.by() + " was closed from " + Words.seconds(close.calledNanos()) + " to "
                                + Words.seconds(close.answeredNanos())
                                + ", nothing was in its way, and the session of its writer " + writer.name()
                                + " goes on to keep what it had");
            }
        }
    }

    /** A session that keeps nothing may be one of which nobody knows, since the answer to its beginning was lost. */
    private static boolean keepsAny(Model history, WriterLog writer, long atNanos) {
        for (LeaseLog lease : history.leases()) {
            for (Tenure tenure : lease.tenures()) {
                if (tenure.isOfSession()
                        && tenure.writer().equals(writer.name())
                        && tenure.begun().atNanos() <= atNanos
                        && (tenure.ended() == null || tenure.ended().atNanos() > atNanos)) {
                    return true;
                }
            }
        }
        return false;
    }
}
