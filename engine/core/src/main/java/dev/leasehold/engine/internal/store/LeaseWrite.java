package dev.leasehold.engine.internal.store;

import dev.leasehold.assertions.LeaseNames;
import java.util.List;

/** One guarded write of one lease document. */
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
    static void requireSingle(List<Replace> writes) {
        for (Replace write : writes) {
            if (write.stripes() > 0) {
                throw new IllegalArgumentException(
                        "the write of lease " + LeaseNames.quote(write.name()) + " with " + write.stripes()
                                + " gate stripes is refused: they must change together, which takes a transaction");
            }
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
     */
    record Replace(LeaseGuard guard, LeaseDocument document, boolean unlessPinned, int stripes) implements LeaseWrite {

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
