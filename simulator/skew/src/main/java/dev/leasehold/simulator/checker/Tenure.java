package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One uninterrupted holding of a lease, as the database saw it begin, go on and end. */
final class Tenure {

    /** Why a tenure ended. */
    enum End {
        /** Its holder released it, or its engine had reason to. */
        RELEASED,
        /** An operator ended it, or its own holder took it from another engine. */
        ORDERED,
        /** Somebody else ended it because its time was over, rightly or not. */
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
            @Nullable Long expiryNanos) {}

    private final LeaseLog lease;
    private final HeldTenure held;
    private final Commit begun;
    private final String writer;
    private final List<Write> writes = new ArrayList<>(4);
    private final List<Call> grants = new ArrayList<>(2);
    private final List<Call> handles = new ArrayList<>(1);
    private @Nullable Commit ended;
    private @Nullable End end;
    private @Nullable Commit sessionEnded;

    Tenure(LeaseLog lease, HeldTenure held, Commit begun, String writer) {
        this.lease = lease;
        this.held = held;
        this.begun = begun;
        this.writer = writer;
    }

    LeaseLog lease() {
        return lease;
    }

    HeldTenure held() {
        return held;
    }

    Commit begun() {
        return begun;
    }

    /** The writer that began it. */
    String writer() {
        return writer;
    }

    List<Write> writes() {
        return writes;
    }

    /** The newest write of those until an instant; null where nobody could tell whose it was. */
    @Nullable Write lastWrite(long atNanos) {
        for (int i = writes.size() - 1; i >= 0; i--) {
            if (writes.get(i).commit().atNanos() <= atNanos) {
                return writes.get(i);
            }
        }
        return null;
    }

    @Nullable Write lastWrite() {
        return writes.isEmpty() ? null : writes.get(writes.size() - 1);
    }

    /** The last write before the one that ended it was this engine's. */
    boolean isLastWrittenBy(Incarnation by) {
        Write last = lastWrite();
        return last != null && last.by() == by;
    }

    boolean isOfSession() {
        Write last = lastWrite();
        return last != null && last.expiryNanos() == null;
    }

    /** The calls that were answered with it, in the end. */
    List<Call> grants() {
        return grants;
    }

    /** The handles of it, each as the call by which it was acquired. */
    List<Call> handles() {
        return handles;
    }

    boolean hasHandles(Incarnation of) {
        for (int i = 0; i < handles.size(); i++) {
            if (handles.get(i).by() == of) {
                return true;
            }
        }
        return false;
    }

    /** Whether a handle was closed there that had not been lost. */
    boolean hasClosedHandle(Incarnation of, long atNanos) {
        for (int i = 0; i < handles.size(); i++) {
            Call handle = handles.get(i);
            if (handle.by() == of && handle.closedNanos() <= atNanos && handle.closedNanos() < handle.lostNanos()) {
                return true;
            }
        }
        return false;
    }

    boolean hasOpenHandles(Incarnation of, long atNanos) {
        for (int i = 0; i < handles.size(); i++) {
            if (handles.get(i).by() == of && handles.get(i).isOpenHandleAt(atNanos)) {
                return true;
            }
        }
        return false;
    }

    /** Whether an engine held it at an instant, by its own clock. */
    boolean isHeldValid(Incarnation by, long atNanos) {
        for (int i = 0; i < lease.windows().size(); i++) {
            ValidityWindow window = lease.windows().get(i);
            if (window.by() == by
                    && window.tenure().equals(held)
                    && window.fromNanos() <= atNanos
                    && window.untilNanos() > atNanos) {
                return true;
            }
        }
        return false;
    }

    /** Whether anybody had asked for its release by then, through any engine. */
    boolean isReleasedBy(long atNanos) {
        for (int i = 0; i < lease.calls().size(); i++) {
            Call call = lease.calls().get(i);
            boolean releases = call.kind() == Kind.RELEASE || call.kind() == Kind.CLOSE_HANDLE;
            if (releases && call.isAbout(held) && call.calledNanos() <= atNanos) {
                return true;
            }
        }
        return false;
    }

    void ended(Commit commit, End how) {
        ended = commit;
        end = how;
    }

    /** The write that ended it; null while the database shows it. */
    @Nullable Commit ended() {
        return ended;
    }

    /** How it ended; null while the database shows it. */
    @Nullable End end() {
        return end;
    }

    boolean isOverAt(long atNanos) {
        return ended != null && ended.isSureAt(atNanos);
    }

    void sessionEnded(Commit commit) {
        sessionEnded = sessionEnded == null ? commit : sessionEnded;
    }

    /** The write that removed the session which kept it; null while there is that session, and for terms. */
    @Nullable Commit sessionEnded() {
        return sessionEnded;
    }

    /** Whether it was free before a write, since the session that kept it had been ended by another one. */
    boolean isFreeBefore(Commit commit) {
        return sessionEnded != null && sessionEnded != commit;
    }
}
