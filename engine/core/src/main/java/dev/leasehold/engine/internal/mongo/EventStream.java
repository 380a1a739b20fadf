package dev.leasehold.engine.internal.mongo;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.engine.LeaseEvent;
import dev.leasehold.engine.LeaseEvents;
import dev.leasehold.engine.internal.store.Partition;
import org.bson.BsonDocument;

/** All changes apart from renewals, for people. */
final class EventStream extends ChangeStream<LeaseEvent> implements LeaseEvents {

    EventStream(
            MongoClient client,
            MongoCollection<BsonDocument> collection,
            Partition partition,
            ErrorMapper errorMapper) {
        super(client, collection, partition, new EventSelection(partition.idsOfAll()), errorMapper);
    }
}
