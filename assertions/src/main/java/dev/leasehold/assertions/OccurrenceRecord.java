package dev.leasehold.assertions;

import java.time.Instant;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;

/**
 * That an occurrence of the work of a lease was done: by which holder, under which token and when. An immutable value.
 *
 * <p>{@link LeaseAssertion#once} writes it in the transaction of the work, so it is there if and only if that transaction committed.
 *
 * @param tenure the tenure under which it was done; it need not stand any more
 * @param occurrence the occurrence, as {@link LeaseNames#checkOccurrence} allows it
 * @param done when it was written, on the clock of the database server; for people and for the removal of old records
 */
public record OccurrenceRecord(Tenure tenure, String occurrence, Instant done) {

    static final String TYPE = "occurrence";

    /**
     * Checks the occurrence.
     *
     * @param tenure the tenure
     * @param occurrence the occurrence
     * @param done the time
     * @throws IllegalArgumentException if one of them breaks its rule; the message shows it
     */
    public OccurrenceRecord {
        LeaseNames.checkOccurrence(occurrence);
        if (tenure == null || done == null) {
            throw new IllegalArgumentException(
                    "tenure " + tenure + " done " + done + " is refused: a record needs both");
        }
    }

    /**
     * What a document shows whose id is {@link LeaseIds#occurrenceId}. For callers that read it themselves, as with the reactive driver.
     *
     * @param document a document of the collection of the leases
     * @return the record
     * @throws IllegalArgumentException if it is no sound record; the message names the field
     */
    public static OccurrenceRecord of(BsonDocument document) {
        String type = text(document, LeaseFields.TYPE);
        if (!TYPE.equals(type)) {
            throw damaged(document, LeaseFields.TYPE, Quoted.of(type));
        }
        return new OccurrenceRecord(
                new Tenure(
                        text(document, LeaseFields.NAMESPACE),
                        text(document, LeaseFields.NAME),
                        text(document, LeaseFields.HOLDER),
                        value(document, LeaseFields.TOKEN, BsonType.INT64)
                                .asInt64()
                                .getValue()),
                text(document, LeaseFields.OCCURRENCE),
                Instant.ofEpochMilli(value(document, LeaseFields.DONE, BsonType.DATE_TIME)
                        .asDateTime()
                        .getValue()));
    }

    private static String text(BsonDocument document, String field) {
        return value(document, field, BsonType.STRING).asString().getValue();
    }

    private static BsonValue value(BsonDocument document, String field, BsonType type) {
        BsonValue found = document.get(field);
        if (found == null || found.getBsonType() != type) {
            throw damaged(document, field, found == null ? "missing" : "a " + found.getBsonType());
        }
        return found;
    }

    private static IllegalArgumentException damaged(BsonDocument document, String field, String found) {
        return new IllegalArgumentException(
                "record " + Quoted.of(String.valueOf(document.get(LeaseFields.ID))) + " is refused: its field " + field
                        + " is " + found + "; it was not written by Leasehold, or is damaged");
    }
}
