package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.HeldTenure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One holding of a lease, as the database saw it begin, go on and end, and as holders were told about it. */
final class Tenure {

    /** Why a tenure ended. */
    enum End {
        /** Its holder, or somebody in its name, gave it up. */
        GIVEN_UP,
        /** Somebody else ended it because its time was over, rightly or not. */
        TAKEN,
        /** An operator ended it. */
        FORCED,
        /** The document was damaged or removed by hand. */
        DAMAGED
    }

    /**
     * A write by which an engine made the tenure last longer, the first one included.
     *
     * @param commit the write
     * @param life the engine, on whose clock the rest is
     * @param writtenNanos its stamp
     * @param expiryNanos null if its session keeps the lease
     */
    record Write(Commit commit, Life life, long writtenNanos, @Nullable Long expiryNanos) {}

    private final HeldTenure held;
    private final Commit begun;
    private final String writer;
    private final List<Write> writes = new ArrayList<>(4);
    private final List<Call> grants = new ArrayList<>(2);
    private final List<Call> givenUp = new ArrayList<>(1);
    private final List<Life> lostBy = new ArrayList<>(1);
    private long lostNanos = Long.MAX_VALUE;
    private @Nullable Commit ended;
    private @Nullable End end;
    private @Nullable Commit sessionEnded;

    Tenure(HeldTenure held, Commit begun, String writer) {
        this.held = held;
        this.begun = begun;
        this.writer = writer;
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

    boolean isOf(HeldTenure tenure) {
        return held == tenure || held.token() == tenure.token() && held.holder().equals(tenure.holder());
    }

    /** Those that were not rolled back, in their order. */
    List<Write> writes() {
        return writes;
    }

    /** The newest write; null where nobody could tell whose it was. */
    @Nullable Write lastWrite() {
        return writes.isEmpty() ? null : writes.get(writes.size() - 1);
    }

    /** The newest write of an engine; null if it wrote none. */
    @Nullable Write lastWriteOf(Life life) {
        for (int i = writes.size() - 1; i >= 0; i--) {
            if (writes.get(i).life() == life) {
                return writes.get(i);
            }
        }
        return null;
    }

    /** The first write of an engine from an instant on; null if it wrote none. */
    @Nullable Write firstWriteOf(Life life, long fromNanos) {
        for (int i = 0; i < writes.size(); i++) {
            if (writes.get(i).life() == life && writes.get(i).commit().atNanos() >= fromNanos) {
                return writes.get(i);
            }
        }
        return null;
    }

    void forgetRolledBackWrites() {
        while (!writes.isEmpty() && writes.get(writes.size() - 1).commit().isRolledBack()) {
            writes.remove(writes.size() - 1);
        }
    }

    /** The calls that were answered with it. */
    List<Call> grants() {
        return grants;
    }

    boolean isGrantedTo(Life life) {
        for (int i = 0; i < grants.size(); i++) {
            if (grants.get(i).life() == life) {
                return true;
            }
        }
        return false;
    }

    /** The calls that gave it up, on whatever engine. */
    List<Call> givenUp() {
        return givenUp;
    }

    boolean isGivenUpThrough(Life life) {
        for (int i = 0; i < givenUp.size(); i++) {
            if (givenUp.get(i).life() == life) {
                return true;
            }
        }
        return false;
    }

    /** The engines that have said, after they believed in it, that they do no more. */
    List<Life> lostBy() {
        return lostBy;
    }

    /** When the first of them said so; MAX_VALUE if none did. */
    long lostNanos() {
        return lostNanos;
    }

    void lostBy(Life life, long atNanos) {
        lostBy.add(life);
        lostNanos = Math.min(lostNanos, atNanos);
    }

    void ended(Commit commit, End how) {
        ended = commit;
        end = how;
    }

    /** The write that ended it; null while the database shows it. */
    @Nullable Commit ended() {
        return ended == null || ended.isRolledBack() ? null : ended;
    }

    /** How it ended; null while the database shows it. */
    @Nullable End end() {
        return ended() == null ? null : end;
    }

    void sessionEnded(Commit commit) {
        sessionEnded = commit;
    }

    /** The write that removed the session which kept it; null while there is that session, and for terms. */
    @Nullable Commit sessionEnded() {
        return sessionEnded == null || sessionEnded.isRolledBack() ? null : sessionEnded;
    }

    /**
     * Whether one who believes in it is told too late for tier 2, by the specification: an operator's order, or a release elsewhere, be it by
     * the close of an engine.
     */
    boolean endsBehindTheBackOf(Life believer) {
        End how = end();
        if (how == End.FORCED || how == End.DAMAGED || how == End.GIVEN_UP && isClosedAway(believer)) {
            return true;
        }
        for (int i = 0; i < givenUp.size(); i++) {
            if (givenUp.get(i).life() != believer) {
                return true;
            }
        }
        return false;
    }

    private boolean isClosedAway(Life believer) {
        Commit by = ended();
        return by != null && by.life() != null && by.life() != believer && by.life().endsNanos() <= by.atNanos();
    }
}
