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
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Field;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Updates;
import dev.leasehold.engine.Lease;
import dev.leasehold.mergequeue.queue.QueueState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;

/** Reads and writes the documents of the providers. Safe for use by many threads; every method blocks. */
public final class ProviderStore {

    static final String VERSION = "version";
    /** When it was last written, by the server's clock. Only what is idle for long is removed by it. */
    static final String TOUCHED = "touched";

    private static final String SETTINGS = "settings";
    private static final String FIRST_TENURE = "firstTenure";
    private static final String TOKEN = "token";
    /** Missing in the first era. */
    private static final String BASE = "base";

    private static final String COLLECTION = "providers";
    private static final int NAMESPACE_EXISTS = 48;
    /** In one command, which MongoDB limits to 16 MB. */
    private static final int IDS_MAX = 1_000;

    private static final Duration READ_LIMIT = Duration.ofSeconds(4);
    private static final Duration WRITE_LIMIT = Duration.ofSeconds(5);

    private final MongoClient client;
    private final MongoCollection<BsonDocument> providers;
    private final MongoCollection<BsonDocument> settings;
    private final LeftWrites leftWrites;

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
        this.settings = db.getCollection(SETTINGS, BsonDocument.class)
                .withWriteConcern(WriteConcern.MAJORITY)
                .withTimeout(WRITE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        this.providers = db.getCollection(COLLECTION, BsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY)
                .withReadPreference(ReadPreference.primary())
                .withTimeout(READ_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        // A write that failed at its limit may take as long again for its abort.
        this.leftWrites = new LeftWrites(client, READ_LIMIT, WRITE_LIMIT.multipliedBy(2));
    }

    /**
     * Reads one provider.
     *
     * @param provider its id
     * @return empty and at version 0 if it was never asked
     * @throws DamagedStateException if the document is not what this service writes
     */
    public StoredState read(String provider) {
        BsonDocument found = providers.find(Filters.eq("_id", provider)).first();
        return found == null ? StoredState.NONE : stored(provider, found);
    }

    /**
     * Reads how the documents of all providers stand that were ever asked, and nothing of them that may be large.
     *
     * @return by the ids of the providers, in their order
     */
    public SortedMap<String, Revision> revisions() {
        SortedMap<String, Revision> revisions = new TreeMap<>();
        providers
                .aggregate(List.of(
                        Aggregates.addFields(
                                new Field<>("documentBytes", new BsonDocument("$bsonSize", new BsonString("$$ROOT")))),
                        Aggregates.project(
                                Projections.exclude(StateCodec.WAITING, StateCodec.ENDED, StateCodec.HISTORY))))
                .forEach(found -> id(found).ifPresent(id -> revisions.put(id, new Revision(found))));
        return revisions;
    }

    /**
     * Reads providers, if they were ever asked. A state may be large, so none is kept.
     *
     * @param ids of the providers
     * @param each gets the id and the state of each
     */
    public void readAll(List<String> ids, BiConsumer<String, ReadState> each) {
        for (int from = 0; from < ids.size(); from += IDS_MAX) {
            providers
                    .find(Filters.in("_id", ids.subList(from, Math.min(ids.size(), from + IDS_MAX))))
                    .forEach(found -> id(found).ifPresent(id -> each.accept(id, readState(id, found))));
        }
    }

    /**
     * Finds the providers of which a request holds or waits.
     *
     * @return their ids
     */
    public List<String> live() {
        List<String> ids = new ArrayList<>();
        providers
                .find(Filters.or(
                        Filters.exists(StateCodec.HOLDER),
                        Filters.and(
                                Filters.exists(StateCodec.WAITING),
                                Filters.ne(StateCodec.WAITING, new BsonDocument()))))
                .projection(Projections.include("_id"))
                .forEach(found -> id(found).ifPresent(ids::add));
        return ids;
    }

    /** A document with another kind of id is of no provider. */
    private static Optional<String> id(BsonDocument found) {
        BsonValue id = found.get("_id");
        return id != null && id.isString() ? Optional.of(id.asString().getValue()) : Optional.empty();
    }

    private static ReadState readState(String provider, BsonDocument found) {
        try {
            return new ReadState(stored(provider, found), null);
        } catch (DamagedStateException e) {
            return new ReadState(StoredState.NONE, e.getMessage());
        }
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
                return new StoredState(after, before.nextVersion());
            });
        }
    }

    private void writeIn(ClientSession session, String provider, StoredState before, QueueState after) {
        long version = before.nextVersion();
        if (before.isDamaged()) {
            providers.replaceOne(session, Filters.eq("_id", provider), document(provider, version, after));
        } else if (before.version() == 0) {
            insert(session, provider, document(provider, version, after));
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

    /**
     * The era of a tenure of a lease, of whichever provider. It is stored once, beside the providers, and begins with the first tenure that
     * this service saw.
     *
     * @param tenure the token of the lease
     * @return the stored era, or the next one, which is stored then
     * @throws DamagedStateException if the stored one is not what this service writes: any other might give a token twice
     */
    public TokenEra era(long tenure) {
        TokenEra era = storedEra(tenure);
        while (!era.has(tenure)) {
            TokenEra next = era.next(tenure);
            settings.updateOne(
                    Filters.and(Filters.eq("_id", FIRST_TENURE), Filters.eq(TOKEN, era.firstTenure())),
                    Updates.combine(Updates.set(TOKEN, next.firstTenure()), Updates.set(BASE, next.base())));
            era = storedEra(tenure); // another replica may have begun it
        }
        return era;
    }

    private TokenEra storedEra(long tenureIfNone) {
        BsonDocument stored = Objects.requireNonNull(settings.findOneAndUpdate(
                Filters.eq("_id", FIRST_TENURE),
                Updates.setOnInsert(TOKEN, tenureIfNone),
                new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER)));
        try {
            return new TokenEra(
                    stored.getInt64(TOKEN).getValue(),
                    stored.getInt64(BASE, new BsonInt64(0)).getValue());
        } catch (RuntimeException e) {
            throw DamagedStateException.ofTokens(FIRST_TENURE, e);
        }
    }

    private static BsonDocument document(String provider, long version, QueueState state) {
        BsonDocument document = new BsonDocument("_id", new BsonString(provider));
        document.append(VERSION, new BsonInt64(version)).putAll(StateCodec.document(state));
        return document;
    }

    /**
     * Removes the documents of providers that nothing was written of for long, and of which no request holds or waits. Their outcomes are
     * forgotten with them; their tokens go on growing, since they rest on the lease's.
     *
     * @param age for how long nothing was written, by the server's clock
     * @return how many there were
     */
    public long removeIdle(Duration age) {
        BsonDocument since = new BsonDocument(
                "$subtract", new BsonArray(List.of(new BsonString("$$NOW"), new BsonInt64(age.toMillis()))));
        return providers
                .withWriteConcern(WriteConcern.MAJORITY)
                .deleteMany(Filters.and(
                        Filters.type(TOUCHED, BsonType.DATE_TIME),
                        Filters.exists(StateCodec.HOLDER, false),
                        Filters.eq(StateCodec.WAITING, new BsonDocument()),
                        Filters.expr(
                                new BsonDocument("$lt", new BsonArray(List.of(new BsonString("$" + TOUCHED), since))))))
                .getDeletedCount();
    }

    /**
     * Ends the writes that replicas left open which were killed or frozen in the middle, so that others can take over. Only those of clients
     * of {@link ServiceClient}.
     *
     * @return how many there were
     * @throws com.mongodb.MongoException if the database could not do it now, or does not allow it
     */
    public int endLeftWrites() {
        return leftWrites.end();
    }

    private void insert(ClientSession session, String provider, BsonDocument document) {
        // Looked for first: a duplicate key would be an error of the driver's that says less.
        if (providers.find(session, Filters.eq("_id", provider)).first() != null) {
            throw new StateMovedException(provider, 0);
        }
        providers.insertOne(session, document);
    }

    private static StoredState stored(String provider, BsonDocument document) {
        try {
            return new StoredState(
                    StateCodec.state(document), document.getInt64(VERSION).getValue());
        } catch (RuntimeException e) {
            // Whatever a foreign document makes the decoding throw: of the driver, of a number or of a name.
            throw DamagedStateException.ofProvider(provider, e);
        }
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
