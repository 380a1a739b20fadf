package dev.leasehold.engine.internal.mongo;

import com.mongodb.MongoNamespace;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.LeaseEvents;
import dev.leasehold.engine.internal.mongo.changes.NamespaceEvents;
import dev.leasehold.engine.internal.mongo.connection.DeploymentCheck;
import dev.leasehold.engine.internal.mongo.connection.StoreContext;
import dev.leasehold.engine.internal.mongo.documents.ClockCodec;
import dev.leasehold.engine.internal.mongo.documents.DriftCheck;
import dev.leasehold.engine.internal.mongo.documents.Fields;
import dev.leasehold.engine.internal.mongo.documents.Guards;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;

/** The collection for read-only tools. Its stores are never opened, because that would write. */
public final class InspectedCollection {

    private final MongoClient client;
    private final MongoNamespace place;
    private final long commandBudgetNanos;

    /**
     * Sends nothing yet.
     *
     * @param client stays open for as long as this is used
     * @param commandBudgetNanos for each read on the server, at least a millisecond
     */
    public InspectedCollection(MongoClient client, MongoNamespace place, long commandBudgetNanos) {
        this.client = client;
        this.place = place;
        this.commandBudgetNanos = commandBudgetNanos;
    }

    /**
     * The number of partitions of the namespace, from its first clock document, which always exists.
     *
     * @throws CorruptDocumentException if there is none, or its number is invalid
     */
    public int partitions(String namespace) {
        StoreContext context = context(Partition.whole(namespace));
        DeploymentCheck check = new DeploymentCheck(place);
        return context.read(() -> {
            check.judgeDriver(MongoCollection.class);
            BsonDocument hello = context.readable(place.getDatabaseName())
                    .runCommand(DeploymentCheck.HELLO, ReadPreference.primary(), BsonDocument.class);
            check.judgeServer(hello, client.getClusterDescription().getConnectionMode());
            BsonDocument clock = context.readable()
                    .find(Guards.clockId(namespace))
                    .projection(new BsonDocument(Fields.PARTITIONS, Fields.WANTED))
                    .maxTime(context.limitMillis(), TimeUnit.MILLISECONDS)
                    .first();
            return ClockCodec.partitionsIn(namespace, clock);
        });
    }

    private StoreContext context(Partition partition) {
        return StoreContext.of(client, place, partition, commandBudgetNanos);
    }

    /** A store for reads only. */
    public LeaseStore store(Partition partition) {
        return new MongoLeaseStore(context(partition), DriftCheck.ofNoEngine(partition.id()));
    }

    /** The events of all partitions of the namespace. */
    public LeaseEvents events(Partition partition) {
        return new NamespaceEvents(context(partition));
    }
}
