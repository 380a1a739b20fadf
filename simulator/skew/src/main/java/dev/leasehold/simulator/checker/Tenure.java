package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One uninterrupted holding of a lease, as the database saw it begin, go on and end. */
final class Tenure {

    /** Why a tenure ended. */
    enum End {
        /** Its holder released it, or its engine had reason to. */
        RELEASED,
        /** An operator ended it, or its own holder took it from another engine. */
        ORDERED,
        /** Another engine ended it because its time was over, rightly or not. */
        TAKEN,
        /** The document was damaged or removed by hand. */
        DAMAGED
    }

    /**
     * A write by which an engine made the tenure last longer, the first one included.
     *
     * @param commit the write
     * @param by the engine, on whose clock the rest is
     * @param writtenNanos its stamp
     * @param expiryNanos null if its session keeps the lease
     */
    record Write(
            Commit commit,
            Incarnation by,
            long writtenNanos,
            @Nullable Long expiryNanos) {

        /** For how long it is from its stamp, where a session is as long as said. */
        long lengthNanos(long ofSessionNanos) {
            return expiryNanos == null ? ofSessionNanos : expiryNanos - writtenNanos;
        }
    }

    final LeaseLog lease;
    final HeldTenure held;
    final Commit begun;
    /** The writer that it belongs to: the one that began it, or the one that it was granted to. */
    final String writer;
    /** What it was granted to; null if it was claimed. */
    final @Nullable Ticket ticket;
    /** The engine that it belongs to; null where it is not known. */
    final @Nullable Incarnation by;

    final List<Write> writes = new ArrayList<>(4);
    /** The calls that were answered with it, in the end. */
    final List<Call> grants = new ArrayList<>(2);
    /** The handles of it, each as the call by which it was acquired. */
    final List<Call> handles = new ArrayList<>(1);
    /** The write that ended it; null while the database shows it. */
    @Nullable Commit ended;
    /** How it ended; null while the database shows it. */
    @Nullable End end;
    /** The write that removed the session which kept it; null while there is that session, and for terms. */
    @Nullable Commit sessionEnded;

    Tenure(LeaseLog lease, HeldTenure held, Commit begun, String writer, @Nullable Ticket ticket) {
        this.lease = lease;
        this.held = held;
        this.begun = begun;
        this.writer = writer;
        this.ticket = ticket;
        this.by = ticket == null ? begun.by : ticket.by;
    }

    /** The newest write of those until an instant; null where it is not known which engine that belongs to. */
    @Nullable Write lastWrite(long atNanos) {
        return Model.newest(writes, write -> write.commit().atNanos <= atNanos);
    }

    @Nullable Write lastWrite() {
        return lastWrite(Incarnation.NEVER);
    }

    /** The newest of an engine's writes that a majority had by an instant; null for none. */
    @Nullable Write lastSureWrite(Incarnation by, long atNanos) {
        return Model.newest(writes, write -> write.by() == by && write.commit().isSureAt(atNanos));
    }

    private boolean isLastWrittenBy(Incarnation by) {
        Write last = lastWrite();
        return last != null && last.by() == by;
    }

    boolean isOfSession() {
        Write last = lastWrite();
        return last != null && last.expiryNanos() == null;
    }

    boolean hasOpenHandles(Incarnation of, long atNanos) {
        return handles.stream().anyMatch(handle -> handle.by == of && handle.isOpenHandleAt(atNanos));
    }

    /** Whether an engine held it at an instant, by its own clock. What is held from that very instant on may have been granted behind it. */
    boolean isHeldValid(Incarnation by, long atNanos) {
        return lease.windows.stream().anyMatch(window -> window.isOf(by, held) && window.contains(atNanos));
    }

    /** Whether any caller had asked for its release by then, through any engine. */
    boolean isReleasedBy(long atNanos) {
        return lease.calls.stream()
                .anyMatch(call -> (call.releases(held) || call.kind() == Kind.CLOSE_HANDLE && call.isAbout(held))
                        && call.calledNanos <= atNanos);
    }

    // ---- how it ends ----

    /** When it was ended; NEVER while the database shows it. */
    long endedNanos() {
        return ended == null ? Incarnation.NEVER : ended.atNanos;
    }

    boolean isOverAt(long atNanos) {
        return ended != null && ended.isSureAt(atNanos);
    }

    void sessionEnded(Commit commit) {
        sessionEnded = sessionEnded == null ? commit : sessionEnded;
    }

    /**
     * Tells apart the ways in which a write can end it. It is a release if the engine that wrote it had one to carry out. What it was asked
     * to release in vain, and what only it has written since, it may replace by the next tenure. All else that was not ordered is a taking.
     */
    End endBy(LeaseLog.Version version) {
        Commit commit = version.commit();
        Incarnation by = commit.by;
        if (by == null || version.isDamaged()) {
            return End.DAMAGED;
        } else if (isOrdered(version.before(), version.row(), by, commit.atNanos)) {
            return End.ORDERED;
        }
        boolean isRelease = callsOf(by).anyMatch(call -> call.releases(held) && call.isUnderWayAt(commit.atNanos))
                || mayReleaseUnasked(by, commit.atNanos)
                || version.begun() != null && isLastWrittenBy(by) && wasToBeReleased(by, commit.atNanos);
        return isRelease ? End.RELEASED : End.TAKEN;
    }

    private boolean isOrdered(@Nullable LeaseRow before, @Nullable LeaseRow after, Incarnation by, long atNanos) {
        return before != null
                && after != null
                && after.token() == held.token() + 1
                && callsOf(by)
                        .anyMatch(call -> (call.isUnderWayAt(atNanos) || call.isCutShort())
                                && (after.holder() == null
                                        ? call.kind() == Kind.FORCE_EXPIRE
                                        : after.holder().equals(held.holder())
                                                && by.isWriter(after.writer())
                                                && !after.writer().equals(before.writer())
                                                && supersedes(call, atNanos)));
    }

    private boolean supersedes(Call call, long atNanos) {
        return call.operation.supersede()
                && held.holder().equals(call.operation.holder())
                && !isHeldValid(call.by, atNanos);
    }

    /** Whether an engine was ever asked to release it, be it in vain. */
    private boolean wasToBeReleased(Incarnation by, long atNanos) {
        return callsOf(by).anyMatch(call -> call.releases(held) && call.calledNanos <= atNanos);
    }

    private Stream<Call> callsOf(Incarnation by) {
        return lease.calls.stream().filter(call -> call.by == by);
    }

    /**
     * Whether an engine had reason to release it though no call that is under way asked for that: an acquisition was granted it without
     * telling its caller, its last handle was closed, a release of what has handles there is repeated, the engine is closing, or its session
     * keeps the lease and it is not held any more, or never was, as in a clone of its writer. A clone is known by the entry that it writes: the
     * lease that it grants shows the writer of the ticket. A term that was lost is left to run out, since another engine may have extended it.
     */
    boolean mayReleaseUnasked(Incarnation by, long atNanos) {
        return this.by == by && isUntold(by, atNanos)
                || isLastHandleClosed(by, atNanos)
                || handles.stream().anyMatch(handle -> handle.by == by) && wasToBeReleased(by, atNanos)
                || by.endsNanos() <= atNanos
                        && (this.by == by || grants.stream().anyMatch(grant -> grant.by == by))
                || isOfSession() && (isLastWrittenBy(by) || by.writesAs(writer, atNanos)) && !isHeldValid(by, atNanos);
    }

    private boolean isLastHandleClosed(Incarnation by, long atNanos) {
        return !hasOpenHandles(by, atNanos)
                && handles.stream()
                        .anyMatch(handle -> handle.by == by
                                && handle.closedNanos <= atNanos
                                && handle.closedNanos < handle.lostNanos());
    }

    /**
     * Whether an engine may have written it for an acquisition whose caller does not know of it. Events do not say for which call an engine
     * writes: it is one that began before the write. No handle of it is open, or its caller would know of it.
     */
    private boolean isUntold(Incarnation by, long atNanos) {
        Write last = Model.newest(writes, write -> write.by() == by);
        return last != null
                && !hasOpenHandles(by, atNanos)
                && callsOf(by)
                        .anyMatch(call -> call.kind() == Kind.ACQUIRE
                                && call.calledNanos <= last.commit().atNanos
                                && call.mayBegin(held)
                                && (call.isUnknownOr(held)
                                        || call.isCutShort()
                                        || call.isCampaign() && !grants.contains(call)));
    }
}
