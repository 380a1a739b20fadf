package dev.leasehold.engine.internal.mongo.documents;

import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.store.LeaseDocument;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** Documents as the engine stores them, for tests that put them into a database by hand. */
public final class StoredDocuments {

    private StoredDocuments() {}

    /** The whole document of a lease, with its pins, which an engine writes apart. */
    public static BsonDocument of(LeaseDocument lease) {
        BsonDocument stored =
                new BsonDocument(Fields.ID, new BsonString(LeaseIds.leaseId(lease.namespace(), lease.name())));
        stored.putAll(LeaseCodec.identity(lease));
        stored.putAll(LeaseCodec.present(lease));
        if (!lease.pins().isEmpty()) {
            stored.append(
                    Fields.PINS,
                    new BsonArray(lease.pins().stream().map(BsonString::new).toList()));
        }
        return stored;
    }

    /** The record of an occurrence, as a caller's transaction writes it. */
    public static BsonDocument of(OccurrenceRecord record) {
        Tenure tenure = record.tenure();
        return new BsonDocument(
                        Fields.ID,
                        new BsonString(LeaseIds.occurrenceId(tenure.namespace(), tenure.name(), record.occurrence())))
                .append(Fields.TYPE, new BsonString(Fields.OCCURRENCE))
                .append(Fields.NAMESPACE, new BsonString(tenure.namespace()))
                .append(Fields.NAME, new BsonString(tenure.name()))
                .append(Fields.HOLDER, new BsonString(tenure.holder()))
                .append(Fields.TOKEN, new BsonInt64(tenure.token()))
                .append(Fields.OCCURRENCE, new BsonString(record.occurrence()))
                .append(Fields.DONE, new BsonDateTime(record.done().toEpochMilli()));
    }
}
