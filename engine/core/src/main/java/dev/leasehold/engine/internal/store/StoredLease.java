package dev.leasehold.engine.internal.store;

/** What was found where a lease document may lie. */
public sealed interface StoredLease {

    String name();

    /** No document. */
    record Absent(String name) implements StoredLease {}

    /** A document that keeps to the schema. */
    record Sound(LeaseDocument document) implements StoredLease {
        @Override
        public String name() {
            return document.name();
        }
    }

    /**
     * A document that breaks the schema; it makes this one lease unusable.
     *
     * @param name the part of the id behind the namespace
     * @param documentId the id as stored
     * @param field the field at fault
     * @param found what was found there
     */
    record Corrupt(String name, String documentId, String field, String found) implements StoredLease {}
}
