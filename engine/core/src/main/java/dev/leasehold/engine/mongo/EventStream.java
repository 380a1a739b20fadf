package dev.leasehold.engine.mongo;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.engine.LeaseEvent;
import dev.leasehold.engine.LeaseEvents;
import dev.leasehold.engine.store.Partition;
import org.bson.BsonDocument;

/** All that changes apart from renewals, for people. */
final class EventStream extends ChangeStream<LeaseEvent> implements LeaseEvents {

    EventStream(MongoClient client, MongoCollection<BsonDocument> collection, Partition partition, Verdicts verdicts) {
        super(client, collection, partition, new EventSelection(partition.idsOfAll()), verdicts);
    }
}
