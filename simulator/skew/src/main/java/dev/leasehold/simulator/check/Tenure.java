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
        /** The engine that had begun it took it back, since nobody had been told of it. Whoever is told of it later is told in vain. */
        UNTOLD,
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
    record Write(
            Commit commit,
            Life life,
            long writtenNanos,
            @Nullable Long expiryNanos) {}

    private final HeldTenure held;
    private final Commit begun;
    private final String writer;
    private final List<Write> writes = new ArrayList<>(4);
    private final List<Call> grants = new ArrayList<>(2);
    private final List<Call> givenUp = new ArrayList<>(1);
    private final List<Call> givenUpForGood = new ArrayList<>(1);
    private final List<Share> shares = new ArrayList<>(1);
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

    /**
     * A call gives it up, on whatever engine.
     *
     * @param forGood whether it certainly does
     */
    void givenUp(Call call, boolean forGood) {
        givenUp.add(call);
        if (forGood) {
            givenUpForGood.add(call);
        }
        share(call.life()).givesUp(call.calledNanos());
    }

    /** The calls that certainly gave it up, on whatever engine. */
    List<Call> givenUpForGood() {
        return givenUpForGood;
    }

    /** Whether anybody had asked for its end by then. */
    boolean isGivenUpBy(long atNanos) {
        return givenUpAt(atNanos, null) != null;
    }

    /** Whether its end was asked for by then through this engine. */
    boolean isGivenUpThrough(Life life, long atNanos) {
        return share(life).givenUpNanos() <= atNanos;
    }

    /** The first call that had given it up by then, through any engine but one; null if none had. */
    private @Nullable Call givenUpAt(long atNanos, @Nullable Life except) {
        for (int i = 0; i < givenUp.size(); i++) {
            if (givenUp.get(i).life() != except && givenUp.get(i).calledNanos() <= atNanos) {
                return givenUp.get(i);
            }
        }
        return null;
    }

    /** What each engine has of it. */
    List<Share> shares() {
        return shares;
    }

    Share share(Life life) {
        for (int i = 0; i < shares.size(); i++) {
            if (shares.get(i).life() == life) {
                return shares.get(i);
            }
        }
        Share share = new Share(life);
        shares.add(share);
        return share;
    }

    /** Whether an engine has said, after it believed in it, that it does no more. */
    boolean isLostBy(Life life) {
        return share(life).lostNanos() < Long.MAX_VALUE;
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
     * Whether one who believes in it then is told too late for tier 2, by the specification: an operator's order, or a release elsewhere, be it
     * by the close of an engine.
     */
    boolean hasEndedBehindTheBackOf(Life believer, long atNanos) {
        Commit by = ended();
        End how = end();
        boolean ordered = how == End.FORCED || how == End.DAMAGED || how == End.GIVEN_UP && isClosedAway(believer);
        return ordered && by != null && by.atNanos() <= atNanos || givenUpAt(atNanos, believer) != null;
    }

    private boolean isClosedAway(Life believer) {
        Commit by = ended();
        return by != null
                && by.life() != null
                && by.life() != believer
                && by.life().endsNanos() <= by.atNanos();
    }
}
