package dev.leasehold.engine.internal.mongo.documents;

import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.engine.internal.store.LeaseDocument;
import org.bson.BsonArray;
import org.bson.BsonDocument;
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
}
