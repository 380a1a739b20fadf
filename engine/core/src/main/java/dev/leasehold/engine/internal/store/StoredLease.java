package dev.leasehold.engine.internal.store;

/** The stored content for one lease name. */
public sealed interface StoredLease {

    String name();

    /** No document. */
    record Absent(String name) implements StoredLease {}

    /** A document that follows the schema. */
    record Sound(LeaseDocument document) implements StoredLease {
        @Override
        public String name() {
            return document.name();
        }
    }

    /**
     * A document with an invalid field, and what was found there. Only this lease is unusable.
     *
     * @param name the part of the id after the namespace
     */
    record Corrupt(String name, String documentId, String field, String found) implements StoredLease {}
}
