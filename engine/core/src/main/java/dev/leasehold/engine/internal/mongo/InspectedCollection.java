package dev.leasehold.engine.internal.mongo;

import com.mongodb.MongoNamespace;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.LeaseEvents;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.jspecify.annotations.Nullable;

/** The collection for read-only tools. Its stores are never opened, because that would write. */
public final class InspectedCollection {

    private static final BsonDocument HELLO = new BsonDocument("hello", new BsonInt32(1));

    private final MongoClient client;
    private final MongoNamespace place;
    private final long commandBudgetNanos;

    /**
     * Sends nothing yet.
     *
     * @param client stays open for as long as this is used
     * @param place database and collection
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
        ErrorMapper errorMapper = new ErrorMapper(namespace, place);
        try {
            return ClockCodec.partitionsIn(namespace, clockDocument(namespace));
        } catch (LeaseException e) {
            throw e;
        } catch (RuntimeException e) {
            throw errorMapper.ofRead(e);
        }
    }

    private @Nullable BsonDocument clockDocument(String namespace) {
        BsonDocument hello = client.getDatabase(place.getDatabaseName())
                .withCodecRegistry(MongoLeaseStore.PLAIN_BSON)
                .runCommand(HELLO, ReadPreference.primary(), BsonDocument.class);
        new DeploymentCheck(place)
                .judgeServer(hello, client.getClusterDescription().getConnectionMode());
        return documents()
                .find(Guards.clockId(namespace))
                .projection(new BsonDocument(Fields.PARTITIONS, new BsonInt32(1)))
                .maxTime(limitMillis(), TimeUnit.MILLISECONDS)
                .first();
    }

    private MongoCollection<BsonDocument> documents() {
        return MongoLeaseStore.collection(client, place, limitMillis());
    }

    private long limitMillis() {
        return TimeUnit.NANOSECONDS.toMillis(commandBudgetNanos);
    }

    /** A store for reads only. */
    public LeaseStore store(Partition partition) {
        return new MongoLeaseStore(
                client, place.getDatabaseName(), place.getCollectionName(), partition, commandBudgetNanos);
    }

    /** The events of all partitions of the namespace. */
    public LeaseEvents events(Partition partition) {
        return new EventStream(client, documents(), partition, new ErrorMapper(partition.id(), place));
    }
}
