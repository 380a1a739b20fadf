package dev.leasehold.engine.store;

/** One guarded write of one lease document. */
public sealed interface LeaseWrite {

    String name();

    /** The first document of a name; there must be none. */
    record Insert(LeaseDocument document) implements LeaseWrite {
        @Override
        public String name() {
            return document.name();
        }
    }

    /**
     * New contents for the document that was seen. {@code gates} and fields that the engine does not know stay.
     *
     * @param guard what the document must still be
     * @param document the new contents; its pins are not written
     * @param unlessPinned whether it takes the lease from somebody or for somebody, which nobody may while it is pinned
     */
    record Replace(LeaseGuard guard, LeaseDocument document, boolean unlessPinned) implements LeaseWrite {
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
     */
    record Remove(String name, LeaseGuard guard, long token) implements LeaseWrite {}

    /**
     * Adds a pin, or takes it away. The document keeps its writer and its stamp, since a session lease must stay with the
     * writer whose session keeps it.
     *
     * @param name the lease
     * @param guard what the document must still be
     * @param entity who pins or unpins
     * @param pinned whether it is to be pinned by that entity
     */
    record Pin(String name, LeaseGuard guard, String entity, boolean pinned) implements LeaseWrite {}
}
