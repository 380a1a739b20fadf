package dev.leasehold.engine.internal.store;

import dev.leasehold.assertions.LeaseNames;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One write of the documents of one lease: a guarded one of the lease itself, or one of its queue. */
public sealed interface LeaseWrite {

    String name();

    /**
     * The number of gate stripes written or removed with the document: all of the lease if a tenure begins or ends.
     * Existing content of a stripe is overwritten; a missing stripe is created.
     */
    int stripes();

    /** The number of statements of the write. */
    default int statements() {
        return 1 + stripes();
    }

    /**
     * Refuses writes that need a transaction.
     *
     * @throws IllegalArgumentException if one of them writes gate stripes
     */
    static void requireSingle(List<? extends Alone> writes) {
        for (Alone write : writes) {
            if (write.stripes() > 0) {
                throw new IllegalArgumentException(
                        "the write of lease " + LeaseNames.quote(write.name()) + " with " + write.stripes()
                                + " gate stripes is refused: they must change together, which takes a transaction");
            }
        }
    }

    /** A write that can be done without a transaction, as long as it writes no gate stripes. */
    sealed interface Alone extends LeaseWrite {}

    /** A write of a queue document, which it creates if there is none. It has no guard, and may be done again. */
    sealed interface OfQueue extends Alone {

        @Override
        default int stripes() {
            return 0;
        }
    }

    /** Puts a ticket behind the others; dropped if the queue is full. */
    record Enqueue(String name, Waiter waiter) implements OfQueue {}

    /** Takes tickets of one writer out. */
    record Withdraw(String name, String writer, Set<Long> stampsNanos) implements OfQueue {

        public Withdraw {
            stampsNanos = Set.copyOf(stampsNanos);
        }
    }

    /** Takes all tickets of writers out that have no entry any more, and so never will have one. */
    record DropAbsent(String name, Set<String> writers) implements OfQueue {

        public DropAbsent {
            writers = Set.copyOf(writers);
        }
    }

    /** The first document of a name; there must be none. */
    record Insert(LeaseDocument document) implements LeaseWrite {
        @Override
        public String name() {
            return document.name();
        }

        @Override
        public int stripes() {
            return document.stripes();
        }
    }

    /**
     * New content for the document that was read. {@code gates} and fields unknown to the engine stay.
     *
     * @param guard what the document must still be
     * @param document the new content; its pins are not written
     * @param unlessPinned whether a pin prevents the write: it begins a tenure, or ends one without a request of its holder
     * @param withdrawn closed tickets of this lease, which are taken out first; null for none
     */
    record Replace(
            LeaseGuard guard,
            LeaseDocument document,
            boolean unlessPinned,
            int stripes,
            @Nullable Withdraw withdrawn) implements Alone {

        /** A write of the lease alone. */
        public Replace(LeaseGuard guard, LeaseDocument document, boolean unlessPinned, int stripes) {
            this(guard, document, unlessPinned, stripes, null);
        }

        @Override
        public int statements() {
            return 1 + stripes + (withdrawn == null ? 0 : 1);
        }

        /** A write that does not change the gate stripes. */
        public Replace(LeaseGuard guard, LeaseDocument document, boolean unlessPinned) {
            this(guard, document, unlessPinned, 0);
        }

        @Override
        public String name() {
            return document.name();
        }
    }

    /**
     * Removes the document that was read, unless it is pinned. Every later document of any name must start above its
     * token.
     */
    record Remove(String name, LeaseGuard guard, int stripes) implements LeaseWrite {

        /** A stripe is written before it is removed. */
        @Override
        public int statements() {
            return 1 + 2 * stripes;
        }
    }

    /**
     * Adds or removes an entity's pin. The document keeps its writer and its stamp, because a session lease must stay
     * with the writer whose session keeps it.
     */
    record Pin(String name, LeaseGuard guard, String entity, boolean pinned) implements LeaseWrite {
        @Override
        public int stripes() {
            return 0;
        }
    }
}
