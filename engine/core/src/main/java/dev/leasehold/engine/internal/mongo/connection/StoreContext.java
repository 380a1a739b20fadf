package dev.leasehold.engine.internal.mongo.connection;

import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoNamespace;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.leasehold.engine.internal.mongo.errors.ErrorMapper;
import dev.leasehold.engine.internal.store.Partition;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
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
public record StoreContext(
        MongoClient client,
        MongoCollection<BsonDocument> collection,
        Partition partition,
        long limitMillis,
        ErrorMapper errorMapper) {

    /**
     * How much the limit of a command exceeds the time for its parts. A write concern's time counts from when the write is
     * done, so on a busy machine, where that alone takes some 0.4 s, a smaller margin would pass first. The driver takes
     * that for a sign that the primary is failing, and the client may send nothing for up to ten seconds. A limit that
     * the driver keeps includes the way there and back too. A larger margin would let a blocked lease delay others for longer.
     */
    public static final long MARGIN_MILLIS = 400;

    /** For a write of housekeeping, which others on the engine's thread wait for: a blocked document, a majority, and the margin. */
    private static final long TIDYING_MILLIS = 350 + MARGIN_MILLIS;

    /** Codecs for all commands: an application's own codecs may not know the BSON types. */
    private static final CodecRegistry PLAIN_BSON = CodecRegistries.fromProviders(new BsonValueCodecProvider());

    public static StoreContext of(
            MongoClient client, MongoNamespace place, Partition partition, long commandBudgetNanos) {
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
    public String namespace() {
        return partition.id();
    }

    public MongoNamespace place() {
        return collection.getNamespace();
    }

    /** The collection for reads. Where the client has no timeout, set the time limit of the read as well. */
    public MongoCollection<BsonDocument> readable() {
        Long millis = driverLimitMillis(limitMillis + MARGIN_MILLIS);
        return millis == null ? collection : collection.withTimeout(millis, TimeUnit.MILLISECONDS);
    }

    /** Like {@link #readable()}, for commands to a database. */
    public MongoDatabase readable(String name) {
        return databaseWithin(name, limitMillis + MARGIN_MILLIS);
    }

    /** The collection for a write by the driver alone. Without a limit it would wait for as long as another transaction is open. */
    public MongoCollection<BsonDocument> writable() {
        return writableWithin(limitMillis + MARGIN_MILLIS);
    }

    private MongoCollection<BsonDocument> writableWithin(long ownMillis) {
        Long millis = driverLimitMillis(ownMillis);
        return collection.withTimeout(millis == null ? ownMillis : millis, TimeUnit.MILLISECONDS);
    }

    /**
     * Runs a write of housekeeping, by the driver alone: what the engine's session has sent last may have to be sent again.
     *
     * @return null if another transaction was in its way for too long: the next housekeeping tries again
     */
    public <T> @Nullable T tidy(Function<MongoCollection<BsonDocument>, T> write) {
        try {
            return write.apply(writableWithin(TIDYING_MILLIS));
        } catch (MongoOperationTimeoutException | MongoExecutionTimeoutException e) {
            return null;
        } catch (RuntimeException e) {
            throw errorMapper.ofRead(e);
        }
    }

    /** A database for commands of a limit of their own. */
    public MongoDatabase databaseWithin(String name, long ownMillis) {
        Long millis = driverLimitMillis(ownMillis);
        return millis == null ? database(name) : database(name).withTimeout(millis, TimeUnit.MILLISECONDS);
    }

    /**
     * The timeout to give to the driver; null where the application's client has none. A client with a timeout makes the
     * driver ignore all other limits, and send that timeout as the limit of the command. So there the engine's own limit
     * has to be a timeout too. A shorter one of the client stays, and a longer one never replaces the engine's.
     *
     * @param ownMillis what the engine grants the command, the way there and back included
     */
    public @Nullable Long driverLimitMillis(long ownMillis) {
        Long clientMillis = collection.getTimeout(TimeUnit.MILLISECONDS);
        if (clientMillis == null) {
            return null;
        }
        return clientMillis == 0 ? ownMillis : Math.min(clientMillis, ownMillis);
    }

    private MongoDatabase database(String name) {
        return client.getDatabase(name).withCodecRegistry(PLAIN_BSON);
    }

    /** The timeout of the application's client; null for none. To the driver 0 means none too, and it then sends no limit. */
    public @Nullable Long clientTimeoutMillis() {
        Long setMillis = collection.getTimeout(TimeUnit.MILLISECONDS);
        return setMillis == null || setMillis == 0 ? null : setMillis;
    }

    /** Runs a command that can be repeated, and maps its failure. */
    public <T> T read(Supplier<T> command) {
        try {
            return command.get();
        } catch (RuntimeException e) {
            throw errorMapper.ofRead(e);
        }
    }
}
