package dev.leasehold.engine;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.engine.world.TestClock;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * The engines of one test on one collection and namespace, and the documents as stored. Closing it closes the engines,
 * checks that every hook fired, and reads all documents back to check them against the schema.
 */
final class Engines implements AutoCloseable {

    static final String NAMESPACE = "billing";
    static final String COLLECTION = "leases";

    private static final int UNAUTHORIZED = 13;

    private final TestDatabase database;
    private final List<TestEngine> started = new ArrayList<>();
    private final SchemaCheck schema = new SchemaCheck();
    private long driftPpm;
    private boolean lookingByTheirClocks;

    Engines(TestDatabase database) {
        this.database = database;
    }

    /** Drift of the engines started from now on; 0 before. */
    Engines withDriftPpm(long ppm) {
        driftPpm = ppm;
        return this;
    }

    /**
     * The engines started from now on look at the writers when they start, before the test goes on, and then once in ten
     * seconds of their own clocks. Others do so all the time while their clocks stand still, and so see each stamp, as a
     * rule, before their clocks move: true sights, but of instants that no test sets.
     */
    Engines lookingByTheirClocks() {
        lookingByTheirClocks = true;
        return this;
    }

    TestDatabase database() {
        return database;
    }

    /** An engine whose clock shows Z. */
    TestEngine start(String instance) {
        return start(instance, TestClock.atZ());
    }

    TestEngine start(String instance, TestClock clock) {
        return start(NAMESPACE, instance, clock);
    }

    TestEngine start(String namespace, String instance, TestClock clock) {
        return start(namespace, instance, clock, new Hooks());
    }

    /** An engine whose client has settings of its own. */
    TestEngine startWith(String instance, Consumer<MongoClientSettings.Builder> settings) {
        return start(NAMESPACE, instance, TestClock.atZ(), new Hooks(), settings);
    }

    /** An engine whose start is watched too. */
    TestEngine start(String namespace, String instance, TestClock clock, Hooks hooks) {
        return start(namespace, instance, clock, hooks, settings -> {});
    }

    /** An engine that is watched. */
    TestEngine startWithMeters(String instance, TestClock clock, LeaseMeters meters) {
        return start(NAMESPACE, instance, clock, new Hooks(), settings -> {}, builder -> builder.meters(meters));
    }

    /** An engine that is watched, and takes the namespace to have so many partitions. */
    TestEngine startWithMeters(String instance, int partitions, LeaseMeters meters) {
        return start(
                NAMESPACE,
                instance,
                TestClock.atZ(),
                new Hooks(),
                settings -> {},
                builder -> builder.partitions(partitions).meters(meters));
    }

    /** An engine that takes the namespace to have so many partitions. */
    TestEngine start(String instance, int partitions) {
        return start(
                NAMESPACE,
                instance,
                TestClock.atZ(),
                new Hooks(),
                settings -> {},
                builder -> builder.partitions(partitions));
    }

    /** An engine that takes no part in the wait queues. */
    TestEngine startWithoutQueue(String instance) {
        return start(
                NAMESPACE, instance, TestClock.atZ(), new Hooks(), settings -> {}, builder -> builder.waitQueue(false));
    }

    /** An engine that takes another namespace to have so many partitions. */
    TestEngine start(String namespace, String instance, int partitions) {
        return start(
                namespace,
                instance,
                TestClock.atZ(),
                new Hooks(),
                settings -> {},
                builder -> builder.partitions(partitions));
    }

    private TestEngine start(
            String namespace,
            String instance,
            TestClock clock,
            Hooks hooks,
            Consumer<MongoClientSettings.Builder> customiser) {
        return start(namespace, instance, clock, hooks, customiser, builder -> {});
    }

    private TestEngine start(
            String namespace,
            String instance,
            TestClock clock,
            Hooks hooks,
            Consumer<MongoClientSettings.Builder> customiser,
            Consumer<LeaseEngineBuilder> more) {
        documents().find().forEach(schema::saw);
        TestRuntime runtime = new TestRuntime(clock, lookingByTheirClocks);
        MongoClient client = database.newClient(settings -> {
            customiser.accept(settings);
            settings.addCommandListener(hooks);
        });
        LeaseEngineBuilder builder = LeaseEngine.builder(client)
                .database(database.name())
                .collection(COLLECTION)
                .namespace(namespace)
                .instance(instance)
                .maximumDriftPpm(driftPpm)
                .operationBudget(Duration.ofSeconds(10))
                .runtime(runtime);
        more.accept(builder);
        LeaseEngine engine = builder.build();
        countTokensFromOne();
        TestEngine test = new TestEngine(this, instance, engine, client, clock, runtime, hooks);
        started.add(test);
        if (lookingByTheirClocks) {
            test.settles();
        }
        return test;
    }

    /** An engine as applications have it, on the system's clock. The test closes it. */
    static LeaseEngineBuilder onTheSystemsClock(
            MongoClient client, TestDatabase database, String instance, Duration budget) {
        beginTokensAtOne(database, 1);
        return LeaseEngine.builder(client)
                .database(database.name())
                .collection(COLLECTION)
                .namespace(NAMESPACE)
                .instance(instance)
                .operationBudget(budget)
                .commandBudget(Duration.ofSeconds(2));
    }

    /** Starts an engine whose budget may be too short for a busy machine, as a service would: until it has started. */
    static LeaseEngine start(LeaseEngineBuilder builder) {
        return Awaitility.await()
                // The processes of tests use it too, where JUnit's extension does not count.
                .atMost(Duration.ofMinutes(1))
                .pollDelay(Duration.ZERO)
                .pollInSameThread()
                .ignoreException(LeaseUnavailableException.class)
                .until(builder::build, Objects::nonNull);
    }

    MongoCollection<BsonDocument> documents() {
        return database.database().getCollection(COLLECTION, BsonDocument.class);
    }

    /** What the application writes in its own transactions. */
    MongoCollection<BsonDocument> reports() {
        return database.database().getCollection("reports", BsonDocument.class);
    }

    /** The clock document as stored. */
    BsonDocument clockDocument() {
        return seen(NAMESPACE);
    }

    /** As in namespaces that an earlier version has made, so that tests can name tokens. For those without leases yet. */
    private void countTokensFromOne() {
        documents().updateMany(Filters.gt("tokenFloor", 1_000_000_000_000_000L), Updates.set("tokenFloor", 0L));
    }

    /** Makes the clock documents as an earlier version did, if there are none, so that tests can name tokens. */
    static void beginTokensAtOne(TestDatabase database, int partitions) {
        for (int index = 0; index < partitions; index++) {
            BsonDocument clock = BsonDocument.parse("""
                {type: 'clock', schema: 1, writers: {}, ticks: NumberLong(0), tokenFloor: NumberLong(0)}\
                """);
            if (partitions > 1) {
                clock.append("partitions", new BsonInt32(partitions));
            }
            database.database()
                    .getCollection(COLLECTION)
                    .updateOne(
                            Filters.eq("_id", LeaseIds.partition(NAMESPACE, index)),
                            new BsonDocument("$setOnInsert", clock),
                            new UpdateOptions().upsert(true));
        }
    }

    /** Fails commands of all engines. */
    ActiveFailPoint fail(FailPoint failPoint) {
        return database.activate(failPoint.forAppName(database.name()));
    }

    /** No engine is told of changes any more. */
    void withoutChanges() {
        fail(FailPoint.failCommands("aggregate").withErrorCode(UNAUTHORIZED));
    }

    /** As if no engine had ever started. Those that run lose what they know. */
    void removeNamespace() {
        documents().deleteMany(new BsonDocument());
    }

    /** A lease document as stored; null when there is none. */
    @Nullable BsonDocument leaseDocument(String name) {
        return seen(NAMESPACE + "#" + name);
    }

    private @Nullable BsonDocument seen(String id) {
        BsonDocument document = documents().find(Filters.eq("_id", id)).first();
        schema.saw(document);
        return document;
    }

    /** The entry of a writer in the clock document. */
    BsonDocument entry(String writer) {
        return clockDocument().getDocument("writers").getDocument(writer);
    }

    /** Removes the entry of a writer, as a prune or eviction would. */
    void removeEntry(String writer) {
        documents().updateOne(Filters.eq("_id", NAMESPACE), Updates.unset("writers." + writer));
    }

    /** The writers that have an entry. */
    Set<String> writers() {
        return clockDocument().getDocument("writers").keySet();
    }

    /** The newest acknowledged time of a writer. */
    long time(String writer) {
        return entry(writer).getInt64("time").getValue();
    }

    long ticks() {
        return clockDocument().getInt64("ticks").getValue();
    }

    /** A lease in the short form of the scenarios without the count of writes: {@code holder/token} or {@code -/token}. */
    String shortForm(String name) {
        BsonDocument lease = leaseDocument(name);
        if (lease == null) {
            return "none";
        }
        String holder = lease.isNull("holder") ? "-" : lease.getString("holder").getValue();
        return holder + "/" + lease.getInt64("token").getValue();
    }

    static long expiry(BsonDocument lease) {
        return lease.getInt64("expiry", new BsonInt64(Long.MIN_VALUE)).getValue();
    }

    static long written(BsonDocument lease) {
        return lease.getInt64("written").getValue();
    }

    static String writer(BsonDocument lease) {
        return lease.getString("writer").getValue();
    }

    /** Until an update waits on the server, as the server sees it. An open transaction by itself runs no command. */
    void untilAnUpdateIsUnderWay() {
        BsonDocument update =
                new BsonDocument("op", new BsonString("update")).append("appName", new BsonString(database.name()));
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .until(() -> database.client()
                                .getDatabase("admin")
                                .aggregate(
                                        List.of(new Document("$currentOp", new Document()), Aggregates.match(update)))
                                .first()
                        != null);
    }

    /** Until a transaction of an engine waits for its next command, as the server sees it. */
    void untilATransactionIsOpen() {
        BsonDocument open = new BsonDocument("type", new BsonString("idleSession"))
                .append("appName", new BsonString(database.name()))
                .append("transaction.parameters.txnNumber", new BsonDocument("$exists", BsonBoolean.TRUE));
        BsonDocument withIdleOnes = new BsonDocument("$currentOp", new BsonDocument("idleSessions", BsonBoolean.TRUE));
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .until(() -> database.client()
                                .getDatabase("admin")
                                .aggregate(List.of(withIdleOnes, Aggregates.match(open)))
                                .first()
                        != null);
    }

    /** For tests that break the documents on purpose. */
    void expectCorruptDocuments() {
        schema.switchOff();
    }

    @Override
    public void close() {
        try {
            // While there are sessions, which end with the engines.
            schema.check(documents());
        } finally {
            started.forEach(TestEngine::close);
        }
        started.forEach(engine -> engine.hooks().verify());
        schema.check(documents());
    }
}
