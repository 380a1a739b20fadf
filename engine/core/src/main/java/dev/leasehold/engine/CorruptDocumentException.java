package dev.leasehold.engine;

import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.assertions.LeaseNames;
import java.util.function.Supplier;

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
        this(
                documentId,
                field,
                () -> "document " + LeaseNames.quote(documentId) + " is unusable: field " + LeaseNames.quote(field)
                        + ": " + found);
    }

    private CorruptDocumentException(String documentId, String field, Supplier<String> message) {
        super(message.get(), null);
        this.documentId = documentId;
        this.field = field;
    }

    /**
     * Made by the engine, of a clock document that is sound, but of a namespace with another number of partitions.
     *
     * @param documentId the {@code _id} of the document
     * @param field the field that has the number
     * @param stored how many partitions the namespace has
     * @param built for how many the engine was built
     * @return the exception
     */
    public static CorruptDocumentException ofOtherPartitions(String documentId, String field, int stored, int built) {
        return new CorruptDocumentException(
                documentId,
                field,
                () -> "namespace '" + LeaseIds.namespaceOf(documentId) + "' has " + partitions(stored)
                        + ", and this engine was built for " + built
                        + ": all engines of a namespace must be built with the same number");
    }

    /**
     * Made by the engine that would create a clock document, and finds a lease of the namespace or partition.
     *
     * @param documentId the {@code _id} of the clock document
     * @param field the field at fault
     * @return the exception
     */
    public static CorruptDocumentException ofMissingClock(String documentId, String field) {
        return new CorruptDocumentException(
                documentId,
                field,
                () -> "the clock document '" + documentId
                        + "' is missing, and it is not created, because there are lease"
                        + " documents, which may have living holders: close all engines of the namespace, and then follow"
                        + " the step \"A deleted clock document\" of the runbook, docs/operations/runbook.md");
    }

    private static String partitions(int count) {
        return count + (count == 1 ? " partition" : " partitions");
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
