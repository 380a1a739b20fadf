package dev.leasehold.engine.internal.mongo;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.engine.SchemaCheck;
import dev.leasehold.engine.internal.mongo.documents.Fixture;
import dev.leasehold.replicaset.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** The stores of one test on one collection, and the documents as they are stored. */
final class Stores implements AutoCloseable {

    static final String COLLECTION = "leases";
    static final Duration BUDGET = Duration.ofSeconds(5);

    private static final int WRITE_CONFLICT = 112;

    private final TestDatabase database;
    private final List<MongoLeaseStore> made = new ArrayList<>();
    private final SentCommands sent = new SentCommands();
    private boolean breaksDocuments;

    Stores(TestDatabase database) {
        this.database = database;
    }

    TestDatabase database() {
        return database;
    }

    /** What all stores sent that were made with a client of their own. */
    SentCommands sent() {
        return sent;
    }

    /** An open store with a client of its own. */
    MongoLeaseStore open() {
        return open(settings -> {});
    }

    MongoLeaseStore open(Consumer<MongoClientSettings.Builder> settings) {
        MongoLeaseStore store = on(client(settings), BUDGET);
        store.open();
        countTokensFromOne();
        return store;
    }

    /** An open store whose single writes wait in the server for as long as this, where the server would soon give up others. */
    MongoLeaseStore openPatient(Duration patience, Consumer<MongoClientSettings.Builder> settings) {
        MongoClient client = client(builder -> {
            settings.accept(builder);
            builder.timeout(patience.toMillis(), TimeUnit.MILLISECONDS);
        });
        MongoLeaseStore store = on(PatientClient.of(client), BUDGET);
        store.open();
        countTokensFromOne();
        return store;
    }

    /** As in a namespace that an earlier version has made, so that tests can name tokens. */
    void countTokensFromOne() {
        documents().updateMany(Filters.gt("tokenFloor", 1_000_000_000_000_000L), Updates.set("tokenFloor", 0L));
    }

    MongoClient client(Consumer<MongoClientSettings.Builder> settings) {
        return database.newClient(builder -> {
            builder.addCommandListener(sent);
            settings.accept(builder);
        });
    }

    /** A store that is not open yet. */
    MongoLeaseStore on(MongoClient client, Duration budget) {
        MongoLeaseStore store = new MongoLeaseStore(
                client, database.name(), COLLECTION, Fixture.WHOLE, budget.toNanos(), "test", 1_000);
        made.add(store);
        return store;
    }

    /** A registered writer with a store of its own. */
    TestWriter writer(String key) {
        return new TestWriter(open(), key).registered();
    }

    MongoCollection<BsonDocument> documents() {
        return database.database().getCollection(COLLECTION, BsonDocument.class);
    }

    @Nullable BsonDocument stored(String id) {
        return documents().find(Filters.eq("_id", id)).first();
    }

    BsonDocument clock() {
        BsonDocument clock = stored(Fixture.NAMESPACE);
        if (clock == null) {
            throw new AssertionError("no clock document");
        }
        return clock;
    }

    @Nullable BsonDocument lease(String name) {
        return stored(Fixture.NAMESPACE + "#" + name);
    }

    BsonDocument entry(String writer) {
        return clock().getDocument("writers").getDocument(writer);
    }

    long ticks() {
        return clock().getInt64("ticks").getValue();
    }

    /** Changes a stored document from outside. */
    void edit(String id, Bson change) {
        if (documents().updateOne(Filters.eq("_id", id), change).getMatchedCount() != 1) {
            throw new AssertionError("no document '" + id + "'");
        }
    }

    /** Another client's transaction that has written a document and stays open. */
    ClientSession openTransactionOn(String id) {
        ClientSession session = database.client().startSession();
        session.startTransaction();
        documents().updateOne(session, Filters.eq("_id", id), Updates.inc("bystander", 1));
        return session;
    }

    /** Whether a transaction of another client gets through at once, so that no other one holds the clock document. */
    boolean clockIsFree() {
        try (ClientSession session = openTransactionOn(Fixture.NAMESPACE)) {
            session.commitTransaction();
            return true;
        } catch (MongoCommandException e) {
            if (e.getErrorCode() == WRITE_CONFLICT) {
                return false;
            }
            throw e;
        }
    }

    /** Whether a store of this test waits in the server. */
    boolean isServerBusyWithAnUpdate() {
        return isInServer("op", "update");
    }

    /** Whether an update of a store of this test has not begun yet, since another one of its session has not ended. */
    boolean isAnUpdateBehindAnotherOne() {
        return isInServer("command.update", COLLECTION);
    }

    private boolean isInServer(String field, String value) {
        Document active = new Document("$match", new Document("appName", database.name()).append(field, value));
        return database.client()
                        .getDatabase("admin")
                        .aggregate(List.of(new Document("$currentOp", new Document()), active))
                        .first()
                != null;
    }

    /** For tests that break the documents on purpose. */
    void expectCorruptDocuments() {
        breaksDocuments = true;
    }

    /** Closes the stores, and reads all documents back to check them against the schema. */
    @Override
    public void close() {
        made.forEach(MongoLeaseStore::close);
        if (!breaksDocuments) {
            SchemaCheck.of(database);
        }
    }
}
