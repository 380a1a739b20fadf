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

    /** By stripe, counted from 0: whose it is, or was last. */
    private final AtomicReferenceArray<@Nullable WeakReference<ClientSession>> writers;

    private final BooleanSupplier inUse;
    private final AtomicInteger turn = new AtomicInteger();

    /** So many, numbered from 1, for as long as that holds. */
    GateStripes(int count, BooleanSupplier inUse) {
        this.writers = new AtomicReferenceArray<>(count);
        this.inUse = inUse;
    }

    /** Whether they are to be written at all. */
    boolean areInUse() {
        return inUse.getAsBoolean();
    }

    /** The number of the stripe that the session's transaction is to write: the same one again, as long as it has one of its own. */
    int of(ClientSession session) {
        int own = ownOf(session);
        return 1 + (own < 0 ? takeNext(session) : own);
    }

    /**
     * The session's transaction has failed at its stripe, perhaps since somebody writes it of whom nothing is known here: another process,
     * another assertion of the same tenure, or a transaction that was left open. When it is run again it gets another one.
     */
    void leave(ClientSession session) {
        int own = ownOf(session);
        @Nullable WeakReference<ClientSession> writer = own < 0 ? null : writers.get(own);
        if (writer != null && writer.refersTo(session)) {
            writers.compareAndSet(own, writer, null);
        }
    }

    private int ownOf(ClientSession session) {
        for (int i = 0; i < writers.length(); i++) {
            @Nullable WeakReference<ClientSession> writer = writers.get(i);
            if (writer != null && writer.refersTo(session)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * The stripe that has been free for long is better than one that has just become free: a transaction which began before
     * that would conflict with what was written there. So they take turns.
     */
    private int takeNext(ClientSession session) {
        WeakReference<ClientSession> mine = new WeakReference<>(session);
        int first = Math.floorMod(turn.getAndIncrement(), writers.length());
        for (int i = 0; i < writers.length(); i++) {
            int stripe = (first + i) % writers.length();
            @Nullable WeakReference<ClientSession> writer = writers.get(stripe);
            if (isFree(writer) && writers.compareAndSet(stripe, writer, mine)) {
                return stripe;
            }
        }
        // Not noted as its own: most likely it conflicts there, and when it is run again another one is free.
        return first;
    }

    private static boolean isFree(@Nullable WeakReference<ClientSession> writer) {
        ClientSession session = writer == null ? null : writer.get();
        return session == null || !session.hasActiveTransaction();
    }
}
