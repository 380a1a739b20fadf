package dev.leasehold.engine.internal.mongo;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseChanges;
import dev.leasehold.engine.internal.store.Partition;
import org.bson.BsonDocument;

/** Begin and end of tenures, for engines. */
final class TenureStream extends ChangeStream<LeaseChange> implements LeaseChanges {

    TenureStream(
            MongoClient client,
            MongoCollection<BsonDocument> collection,
            Partition partition,
            ErrorMapper errorMapper) {
        super(client, collection, partition, new ChangeStreamEvents(partition.idsOfAll()), errorMapper);
    }
}
