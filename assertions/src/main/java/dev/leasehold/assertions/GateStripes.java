package dev.leasehold.assertions;

import com.mongodb.client.ClientSession;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which of the gate stripes of a lease the transactions of this process write: each one of its own, as far as there are
 * enough. Safe for many threads; holds no lock.
 *
 * <p>Nothing depends on the choice but how often transactions conflict. So it may rest on a look at other threads' sessions that
 * is a little old, and a session that was never closed is forgotten when it is garbage.
 */
final class GateStripes {

    /** By stripe, counted from 0: what writes it, or wrote it last. */
    private final AtomicReferenceArray<@Nullable Writer> writers;

    private final BooleanSupplier inUse;
    private final AtomicInteger turn = new AtomicInteger();

    /**
     * What writes a stripe.
     *
     * @param transaction the driver's number of the session's transaction that is to write it
     * @param wrote whether that is known to have written it
     */
    private record Writer(int stripe, WeakReference<ClientSession> session, long transaction, boolean wrote) {

        Writer in(long another) {
            return new Writer(stripe, session, another, false);
        }

        Writer afterItsWrite() {
            return new Writer(stripe, session, transaction, true);
        }

        boolean isFree() {
            ClientSession known = session.get();
            return known == null || !known.hasActiveTransaction();
        }
    }

    /** So many, numbered from 1, for as long as that holds. */
    GateStripes(int count, BooleanSupplier inUse) {
        this.writers = new AtomicReferenceArray<>(count);
        this.inUse = inUse;
    }

    /** Whether they are to be written at all. */
    boolean areInUse() {
        return inUse.getAsBoolean();
    }

    /**
     * The number of the stripe that the session's transaction is to write: the same one again, as long as it has one of its own.
     *
     * <p>Where the session's last transaction is not known to have written its stripe it may have failed there, perhaps since something
     * writes it of which nothing is known here: another process, another assertion of the same tenure, or a transaction that was left
     * open. So the next one gets another stripe, if there is any.
     */
    int of(ClientSession session) {
        long transaction = session.getServerSession().getTransactionNumber();
        @Nullable Writer own = ownOf(session);
        if (own != null && (own.transaction == transaction || own.wrote && keep(own, transaction))) {
            return 1 + own.stripe;
        }
        return 1 + takeNext(session, transaction, own);
    }

    /** The session's transaction has written its stripe: whatever it fails at later, it is not that. */
    void wrote(ClientSession session) {
        @Nullable Writer own = ownOf(session);
        if (own != null && !own.wrote) {
            writers.compareAndSet(own.stripe, own, own.afterItsWrite());
        }
    }

    private @Nullable Writer ownOf(ClientSession session) {
        for (int i = 0; i < writers.length(); i++) {
            @Nullable Writer writer = writers.get(i);
            if (writer != null && writer.session.refersTo(session)) {
                return writer;
            }
        }
        return null;
    }

    /** Fails if another session has taken it between two transactions. */
    private boolean keep(Writer own, long transaction) {
        return writers.compareAndSet(own.stripe, own, own.in(transaction));
    }

    /**
     * The stripe that has been free for long is better than one that has just become free: a transaction which began before
     * that would conflict with what was written there. So they take turns.
     */
    private int takeNext(ClientSession session, long transaction, @Nullable Writer own) {
        WeakReference<ClientSession> mine = new WeakReference<>(session);
        int first = Math.floorMod(turn.getAndIncrement(), writers.length());
        for (int i = 0; i < writers.length(); i++) {
            int stripe = (first + i) % writers.length();
            @Nullable Writer writer = writers.get(stripe);
            boolean free = writer == null || writer.isFree();
            if (free && writers.compareAndSet(stripe, writer, new Writer(stripe, mine, transaction, false))) {
                leave(own);
                return stripe;
            }
        }
        if (own != null && keep(own, transaction)) {
            return own.stripe;
        }
        // Not noted as its own: most likely it conflicts there, and when it is run again another one is free.
        return first;
    }

    private void leave(@Nullable Writer own) {
        if (own != null) {
            writers.compareAndSet(own.stripe, own, null);
        }
    }
}
