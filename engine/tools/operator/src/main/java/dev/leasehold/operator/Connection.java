package dev.leasehold.operator;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseEngineBuilder;
import dev.leasehold.engine.LeaseInspector;
import java.time.Duration;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** A client of the servers, and what is made from it. Sends nothing by itself. */
final class Connection implements AutoCloseable {

    /** The longest retention. The services of the namespace may keep records for longer than any default. */
    static final Duration FOR_EVER = Duration.ofDays(36_500);

    /** Above the ids of all that lies in a partition, and below those of the next partitions. */
    private static final String BEHIND_ALL = "'";

    private static final Duration SHORTEST = Duration.ofMillis(100);

    /** An entry that stays behind is removed by housekeeping. */
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final MongoClient client;
    private final String database;
    private final String collection;
    private final String namespace;
    private final long driftPpm;
    private final Duration timeout;

    Connection(
            MongoClientSettings settings,
            String database,
            String collection,
            String namespace,
            long driftPpm,
            Duration timeout) {
        this(MongoClients.create(settings), database, collection, namespace, driftPpm, timeout);
    }

    private Connection(
            MongoClient client, String database, String collection, String namespace, long driftPpm, Duration timeout) {
        this.client = client;
        this.database = database;
        this.collection = collection;
        this.namespace = namespace;
        this.driftPpm = driftPpm;
        this.timeout = timeout;
    }

    MongoClient client() {
        return client;
    }

    String database() {
        return database;
    }

    String collection() {
        return collection;
    }

    String namespace() {
        return namespace;
    }

    /** For each operation. */
    Duration timeout() {
        return timeout;
    }

    /** The same servers with another namespace of the collection. */
    Connection of(String other) {
        return new Connection(client, database, collection, other, driftPpm, timeout);
    }

    /**
     * The namespaces of the collection, by the ids of their clock documents. Each is found by a look into the index, however many leases
     * there are: behind {@code ns} come the stripes {@code ns!...}, leases {@code ns#...} and records {@code ns%...}, and those of its partitions {@code
     * ns~1}.
     */
    SortedSet<String> namespaces() {
        SortedSet<String> found = new TreeSet<>();
        MongoCollection<Document> documents = client.getDatabase(database).getCollection(collection);
        Document next = first(documents, "");
        while (next != null && next.get("_id") instanceof String id) {
            String partition = id.split("[!#%&]", 2)[0];
            if (!partition.isEmpty()) {
                found.add(partition.split("~", 2)[0]);
            }
            next = first(documents, partition + BEHIND_ALL);
        }
        return found;
    }

    private @Nullable Document first(MongoCollection<Document> documents, String above) {
        return documents
                .find(Filters.gt("_id", above))
                .projection(Projections.include("_id"))
                .sort(Sorts.ascending("_id"))
                .maxTime(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .first();
    }

    /** For all that only looks. */
    LeaseInspector inspector() {
        return builder(timeout).buildInspector();
    }

    /** An inspector that begins to know the engines with its first look. Fails if the namespace is not there. */
    int partitions() {
        try (LeaseInspector inspector = inspector()) {
            return inspector.partitions();
        }
    }

    /**
     * An engine for orders, which shows in the documents for as long as the order takes. To be closed by the caller.
     *
     * @param retention of the documents of vacant leases
     * @param occurrences of the records of occurrences
     */
    LeaseEngine engine(Duration retention, Duration occurrences) {
        long beganNanos = System.nanoTime();
        int partitions = partitions();
        return builder(remaining(beganNanos))
                .partitions(partitions)
                .retention(retention)
                .occurrenceRetention(occurrences)
                .instance("operator:" + ProcessHandle.current().pid())
                .build();
    }

    LeaseEngine engine() {
        return engine(Duration.ofHours(1), FOR_EVER);
    }

    /** An engine that keeps leases of its own. To be closed by the caller. */
    LeaseEngine engineForLeases(Duration session) {
        Duration third = session.dividedBy(3);
        return builder(timeout.compareTo(third) < 0 ? timeout : third)
                .partitions(partitionsOfOldOrNew())
                .closeBudget(third)
                .sessionLength(session)
                .build();
    }

    /** How many the namespace has, or will have if it is new. */
    private int partitionsOfOldOrNew() {
        try {
            return partitions();
        } catch (CorruptDocumentException e) {
            if (Failures.isMissingNamespace(e)) {
                return 1;
            }
            throw e;
        }
    }

    /** What an order has waited for already, it does not wait for once more. */
    private Duration remaining(long beganNanos) {
        Duration left = timeout.minusNanos(System.nanoTime() - beganNanos);
        Duration least = timeout.dividedBy(4);
        return max(SHORTEST, left.compareTo(least) < 0 ? least : left);
    }

    private static Duration max(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }

    private LeaseEngineBuilder builder(Duration budget) {
        Duration command = budget.compareTo(Duration.ofSeconds(5)) < 0 ? budget : Duration.ofSeconds(5);
        return LeaseEngine.builder(client)
                .database(database)
                .collection(collection)
                .namespace(namespace)
                .maximumDriftPpm(driftPpm)
                .operationBudget(budget)
                .commandBudget(command)
                .closeBudget(CLOSE)
                .sessionLength(timeout.plusSeconds(30));
    }

    @Override
    public void close() {
        client.close();
    }
}
