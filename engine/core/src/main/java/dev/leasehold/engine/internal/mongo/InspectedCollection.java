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

/** The collection as it is seen by those who only read it. Stores of it are never opened, which is what would write. */
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
     * In how many parts the namespace is, as the first of its clock documents says, which there is in any case.
     *
     * @throws CorruptDocumentException if there is none, or it says nothing that can be
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

    /** For reads alone. */
    public LeaseStore store(Partition partition) {
        return new MongoLeaseStore(
                client, place.getDatabaseName(), place.getCollectionName(), partition, commandBudgetNanos);
    }

    /** Of all partitions of the namespace. */
    public LeaseEvents events(Partition partition) {
        return new EventStream(client, documents(), partition, new ErrorMapper(partition.id(), place));
    }
}
