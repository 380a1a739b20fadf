package dev.leasehold.engine.internal.mongo;

import com.mongodb.MongoNamespace;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.leasehold.engine.internal.store.Partition;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.codecs.BsonValueCodecProvider;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/**
 * What all parts of a store share.
 *
 * @param collection of the documents, with the client's settings overridden
 * @param limitMillis for a read or a commit on the server, and for the wait for a majority
 */
record StoreContext(
        MongoClient client,
        MongoCollection<BsonDocument> collection,
        Partition partition,
        long limitMillis,
        ErrorMapper errorMapper) {

    /** Codecs for all commands: an application's own codecs may not know the BSON types. */
    private static final CodecRegistry PLAIN_BSON = CodecRegistries.fromProviders(new BsonValueCodecProvider());

    static StoreContext of(MongoClient client, MongoNamespace place, Partition partition, long commandBudgetNanos) {
        long limitMillis = TimeUnit.NANOSECONDS.toMillis(commandBudgetNanos);
        MongoCollection<BsonDocument> collection = client.getDatabase(place.getDatabaseName())
                .getCollection(place.getCollectionName(), BsonDocument.class)
                .withCodecRegistry(PLAIN_BSON)
                .withReadConcern(ReadConcern.MAJORITY)
                .withReadPreference(ReadPreference.primary())
                .withWriteConcern(WriteConcern.MAJORITY.withWTimeout(limitMillis, TimeUnit.MILLISECONDS));
        return new StoreContext(
                client, collection, partition, limitMillis, new ErrorMapper(partition.id(), collection.getNamespace()));
    }

    /** The id of the partition. */
    String namespace() {
        return partition.id();
    }

    MongoNamespace place() {
        return collection.getNamespace();
    }

    MongoDatabase database() {
        return database(place().getDatabaseName());
    }

    MongoDatabase database(String name) {
        return client.getDatabase(name).withCodecRegistry(PLAIN_BSON);
    }

    /** The timeout of the application's client; null for none. To the driver 0 means none too, and it then sends no limit. */
    @Nullable Long clientTimeoutMillis() {
        Long setMillis = collection.getTimeout(TimeUnit.MILLISECONDS);
        return setMillis == null || setMillis == 0 ? null : setMillis;
    }

    /** Runs a command that can be repeated, and maps its failure. */
    <T> T read(Supplier<T> command) {
        try {
            return command.get();
        } catch (RuntimeException e) {
            throw errorMapper.ofRead(e);
        }
    }
}
