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
     * @param document the new contents
     */
    record Replace(LeaseGuard guard, LeaseDocument document) implements LeaseWrite {
        @Override
        public String name() {
            return document.name();
        }
    }

    /**
     * Removes the document that was seen.
     *
     * @param name the lease
     * @param guard what the document must still be
     * @param token its token, above which every later document of any name must start
     */
    record Remove(String name, LeaseGuard guard, long token) implements LeaseWrite {}
}
