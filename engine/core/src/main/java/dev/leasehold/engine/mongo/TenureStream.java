package dev.leasehold.engine.mongo;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.engine.store.LeaseChange;
import dev.leasehold.engine.store.LeaseChanges;
import dev.leasehold.engine.store.Partition;
import org.bson.BsonDocument;

/** The ends of tenures, for engines. */
final class TenureStream extends ChangeStream<LeaseChange> implements LeaseChanges {

    TenureStream(MongoClient client, MongoCollection<BsonDocument> collection, Partition partition, Verdicts verdicts) {
        super(client, collection, partition, new TenureEvents(partition.idsOfAll()), verdicts);
    }
}
