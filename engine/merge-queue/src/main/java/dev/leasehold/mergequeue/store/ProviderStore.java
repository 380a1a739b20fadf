package dev.leasehold.mergequeue.store;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoCommandException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import dev.leasehold.engine.Lease;
import dev.leasehold.mergequeue.queue.QueueState;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** Reads and writes the documents of the providers. Safe for use by many threads; every method blocks. */
public final class ProviderStore {

    static final String VERSION = "version";

    private static final String COLLECTION = "providers";
    private static final int NAMESPACE_EXISTS = 48;
    private static final Duration WRITE_LIMIT = Duration.ofSeconds(5);

    private final MongoClient client;
    private final MongoCollection<BsonDocument> providers;

    /**
     * Makes sure that the collection exists, since making it in a transaction conflicts with others that do.
     *
     * @param client of the engine whose leases gate the writes
     * @param database of the service
     */
    public ProviderStore(MongoClient client, String database) {
        this.client = client;
        MongoDatabase db = client.getDatabase(database);
        try {
            db.createCollection(COLLECTION);
        } catch (MongoCommandException e) {
            if (e.getErrorCode() != NAMESPACE_EXISTS) {
                throw e;
            }
        }
        this.providers = db.getCollection(COLLECTION, BsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY)
                .withReadPreference(ReadPreference.primary());
    }

    /**
     * Reads one provider.
     *
     * @param provider its id
     * @return empty and at version 0 if it was never asked
     */
    public StoredState read(String provider) {
        BsonDocument found = providers.find(Filters.eq("_id", provider)).first();
        return found == null ? StoredState.NONE : stored(found);
    }

    /**
     * Reads all providers that were ever asked.
     *
     * @return by id, in the order of the ids
     */
    public Map<String, StoredState> readAll() {
        Map<String, StoredState> all = new LinkedHashMap<>();
        providers
                .find()
                .sort(Sorts.ascending("_id"))
                .forEach(found -> all.put(found.getString("_id").getValue(), stored(found)));
        return all;
    }

    /**
     * Writes the next state of a provider, in a transaction that commits only while the lease is held.
     *
     * @param lease of the provider
     * @param provider its id
     * @param before what is to be replaced
     * @param after the next state
     * @return what stands in the database now
     * @throws dev.leasehold.assertions.LeaseNotHeldException if another replica may have the provider; nothing was written
     * @throws StateMovedException if the document is not the one before; nothing was written
     * @throws com.mongodb.MongoException if it may or may not have been written
     */
    public StoredState write(Lease lease, String provider, StoredState before, QueueState after) {
        try (ClientSession session = client.startSession(options())) {
            return lease.inTransaction(session, inside -> {
                writeIn(inside, provider, before, after);
                return new StoredState(after, before.version() + 1);
            });
        }
    }

    private void writeIn(ClientSession session, String provider, StoredState before, QueueState after) {
        long version = before.version() + 1;
        if (before.version() == 0) {
            BsonDocument document = new BsonDocument("_id", new BsonString(provider));
            document.append(VERSION, new BsonInt64(version)).putAll(StateCodec.document(after));
            insert(session, provider, document);
        } else {
            long matched = providers
                    .updateOne(
                            session,
                            Filters.and(Filters.eq("_id", provider), Filters.eq(VERSION, before.version())),
                            StateUpdate.of(before.state(), after, version))
                    .getMatchedCount();
            if (matched == 0) {
                throw new StateMovedException(provider, before.version());
            }
        }
    }

    private void insert(ClientSession session, String provider, BsonDocument document) {
        // Looked for first: a duplicate key would be an error of the driver's that says less.
        if (providers.find(session, Filters.eq("_id", provider)).first() != null) {
            throw new StateMovedException(provider, 0);
        }
        providers.insertOne(session, document);
    }

    private static StoredState stored(BsonDocument document) {
        return new StoredState(
                StateCodec.state(document), document.getInt64(VERSION).getValue());
    }

    /** What the URI says about concerns must not weaken a decision. */
    private static ClientSessionOptions options() {
        return ClientSessionOptions.builder()
                .defaultTimeout(WRITE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                .defaultTransactionOptions(TransactionOptions.builder()
                        .readConcern(ReadConcern.SNAPSHOT)
                        .writeConcern(WriteConcern.MAJORITY)
                        .readPreference(ReadPreference.primary())
                        .build())
                .build();
    }
}
