package dev.leasehold.engine.internal.store;

import java.util.List;

/** One guarded write of one lease document. */
public sealed interface LeaseWrite {

    String name();

    /**
     * How many gate stripes are written, or removed, with it: all that the lease has, if a tenure begins or ends. Whatever is
     * found in the place of a stripe is overwritten; one that is missing is made.
     */
    int stripes();

    /** How many statements it takes. */
    default int statements() {
        return 1 + stripes();
    }

    /**
     * Refuses what must not be written without a transaction.
     *
     * @throws IllegalArgumentException if one of them writes gate stripes
     */
    static void requireSingle(List<Replace> writes) {
        for (Replace write : writes) {
            if (write.stripes() > 0) {
                throw new IllegalArgumentException("the write of lease '" + write.name() + "' with " + write.stripes()
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
     * New contents for the document that was seen. {@code gates} and fields that the engine does not know stay.
     *
     * @param guard what the document must still be
     * @param document the new contents; its pins are not written
     * @param unlessPinned whether it takes the lease from somebody or for somebody, which nobody may while it is pinned
     * @param stripes how many gate stripes get the holder and the token of the document: all that it has, if a tenure begins or
     *     ends; 0 where the tenure goes on
     */
    record Replace(LeaseGuard guard, LeaseDocument document, boolean unlessPinned, int stripes) implements LeaseWrite {

        /** One that leaves the gate stripes alone. */
        public Replace(LeaseGuard guard, LeaseDocument document, boolean unlessPinned) {
            this(guard, document, unlessPinned, 0);
        }

        @Override
        public String name() {
            return document.name();
        }
    }

    /**
     * Removes the document that was seen, unless it is pinned.
     *
     * @param name the lease
     * @param guard what the document must still be
     * @param token its token, above which every later document of any name must start
     * @param stripes how many gate stripes are removed with it: all that it has
     */
    record Remove(String name, LeaseGuard guard, long token, int stripes) implements LeaseWrite {

        /** A stripe is written before it is removed. */
        @Override
        public int statements() {
            return 1 + 2 * stripes;
        }
    }

    /**
     * Adds a pin, or takes it away. The document keeps its writer and its stamp, since a session lease must stay with the
     * writer whose session keeps it.
     *
     * @param name the lease
     * @param guard what the document must still be
     * @param entity who pins or unpins
     * @param pinned whether it is to be pinned by that entity
     */
    record Pin(String name, LeaseGuard guard, String entity, boolean pinned) implements LeaseWrite {
        @Override
        public int stripes() {
            return 0;
        }
    }
}
