package dev.leasehold.engine;

/**
 * A stored document breaks the schema, is missing, has a schema number that this engine does not know, or was made for another
 * number of partitions than the engine was built for.
 *
 * <p>The operation was not carried out and never will be. A corrupt lease document stops the operations on that lease
 * alone; the clock document stops its namespace, or its partition of it. Nothing is repaired by itself.
 */
public final class CorruptDocumentException extends LeaseException {

    private static final long serialVersionUID = 1L;

    /** The {@code _id} of the document. */
    private final String documentId;

    /** The field at fault. */
    private final String field;

    /**
     * For the engine, and for tests that need one.
     *
     * @param documentId the {@code _id} of the document
     * @param field the field at fault
     * @param found what was found there, and the rule
     */
    public CorruptDocumentException(String documentId, String field, String found) {
        super("document '" + documentId + "' is unusable: field '" + field + "': " + found, null);
        this.documentId = documentId;
        this.field = field;
    }

    /** {@return the {@code _id} of the document at fault} */
    public String documentId() {
        return documentId;
    }

    /** {@return the field at fault} */
    public String field() {
        return field;
    }
}
