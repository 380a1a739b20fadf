package dev.leasehold.simulator.store;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.engine.internal.mongo.MongoLeaseStore;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.ClientNetwork;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.StoppedReplication;
import dev.leasehold.replicaset.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** A real replica set of three nodes. */
final class MongoDeployment implements ContractDeployment {

    private static final String COLLECTION = "leases";
    private static final Duration BUDGET = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration SHORT_BUDGET = Duration.ofSeconds(2);
    /** A secondary takes longer to replace its primary, so that stores give up under the old one. */
    private static final int SHORT_READ_TIMEOUT_MILLIS = 1_000;

    private static final long POLLING_NANOS_MAX = TimeUnit.SECONDS.toNanos(20);

    private static final int INTERRUPTED = 11601;
    private static final int WRITE_CONCERN_TIMEOUT = 64;
    private static final String[] COMMANDS = {
        "update", "delete", "find", "commitTransaction", "abortTransaction", "aggregate", "getMore", "killSessions"
    };

    private final TestDatabase database;
    private final MongoClient client;
    private final ClientNetwork network = ClientNetwork.open();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<ActiveFailPoint> failing = new ArrayList<>();
    private final List<StoppedReplication> stopped = new ArrayList<>();
    private boolean ordersExist;

    MongoDeployment(TestDatabase database) {
        this.database = database;
        this.client = client(settings -> {});
    }

    private MongoClient client(Consumer<MongoClientSettings.Builder> settings) {
        return database.newClient(builder -> {
            // After a broken connection the driver asks for the server again, and not more often than that.
            builder.applyToServerSettings(server -> server.minHeartbeatFrequency(10, TimeUnit.MILLISECONDS)
                    .heartbeatFrequency(500, TimeUnit.MILLISECONDS));
            settings.accept(builder);
        });
    }

    @Override
    public void play(Story story) throws Throwable {
        try {
            story.run();
        } finally {
            mend();
            resumeReplication();
            for (AutoCloseable open : opened) {
                open.close();
            }
            network.close();
        }
    }

    // ---- stores and callers ----

    @Override
    public LeaseStore connect(Partition partition) {
        return store(client, partition, BUDGET);
    }

    @Override
    public LeaseStore connectPatiently() {
        return store(
                client(settings -> settings.timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)),
                Partition.whole(Fixture.NAMESPACE),
                BUDGET);
    }

    @Override
    public LeaseStore connectImpatiently() {
        MongoClient impatient = client(settings -> settings.applyConnectionString(
                        new ConnectionString(network.uri(database.uri())))
                .applyToClusterSettings(
                        cluster -> cluster.serverSelectionTimeout(SHORT_BUDGET.toMillis(), TimeUnit.MILLISECONDS))
                .applyToSocketSettings(socket -> socket.connectTimeout(SHORT_READ_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
                        .readTimeout(SHORT_READ_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)));
        return store(impatient, Partition.whole(Fixture.NAMESPACE), SHORT_BUDGET);
    }

    private LeaseStore store(MongoClient client, Partition partition, Duration budget) {
        LeaseStore store =
                new MongoLeaseStore(client, database.name(), COLLECTION, partition, budget.toNanos(), "test", 1_000);
        opened.add(store);
        return store;
    }

    @Override
    public Caller caller() {
        if (!ordersExist) {
            // Two transactions that make a collection at once would conflict, whatever they write.
            database.database().createCollection(MongoCaller.ORDERS);
            ordersExist = true;
        }
        return new MongoCaller(client.startSession(), client.getDatabase(database.name()), COLLECTION);
    }

    // ---- mishaps ----

    @Override
    public void befall(Mishap mishap) {
        if (mishap == Mishap.LATE) {
            network.cut(ClientNetwork.Cut.SILENT);
        } else {
            activate(failPoint(mishap));
        }
    }

    @Override
    public void befallOnce(Mishap mishap) {
        activate(failPoint(mishap).times(1));
    }

    private void activate(FailPoint failPoint) {
        failing.add(database.activate(failPoint.forAppName(database.name())));
    }

    private static FailPoint failPoint(Mishap mishap) {
        FailPoint commands = FailPoint.failCommands(COMMANDS);
        return switch (mishap) {
            case REQUEST_LOST -> commands.closingConnection();
            case REFUSED -> commands.withErrorCode(INTERRUPTED);
            case DONE_AND_FAILED -> commands.withWriteConcernError(WRITE_CONCERN_TIMEOUT);
            case LATE -> throw new IllegalArgumentException("only all commands can be late");
        };
    }

    @Override
    public void mend() {
        failing.forEach(ActiveFailPoint::close);
        failing.clear();
        network.mend();
    }

    @Override
    public void awaitLatecomers() {
        await("the commands that are under way", () -> !isServerBusy(new Document()));
    }

    // ---- beside each other ----

    @Override
    public <T> Meanwhile<T> meanwhile(Supplier<T> part) {
        CompletableFuture<T> result = CompletableFuture.supplyAsync(part);
        return new Meanwhile<>() {
            @Override
            public boolean isDone() {
                return result.isDone();
            }

            @Override
            public T join() {
                return result.join();
            }
        };
    }

    @Override
    public void awaitBlocked(Meanwhile<?> part) {
        await("a command that waits", () -> {
            if (part.isDone()) {
                throw new AssertionError("it did not wait, and answered " + part.join());
            }
            return isServerBusy(new Document("secs_running", new Document("$gte", 0))
                    .append("microsecs_running", new Document("$gte", 50_000)));
        });
    }

    /** Whether the server is still at a command of this test's clients; a watch that waits does not count. */
    private boolean isServerBusy(Document how) {
        Document active = new Document("appName", database.name())
                .append("active", true)
                .append("command.hello", new Document("$exists", false))
                .append("command.getMore", new Document("$exists", false));
        active.putAll(how);
        return database.client()
                        .getDatabase("admin")
                        .aggregate(List.of(new Document("$currentOp", new Document()), new Document("$match", active)))
                        .first()
                != null;
    }

    /** Asking takes its time, so that there is no need to wait in between. */
    private static void await(String what, BooleanSupplier condition) {
        long beginNanos = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - beginNanos > POLLING_NANOS_MAX) {
                throw new AssertionError("waited in vain for " + what);
            }
        }
    }

    @Override
    public void passTime() {
        try {
            TimeUnit.MILLISECONDS.sleep(5);
        } catch (InterruptedException e) {
            throw new AssertionError("nothing interrupts a story", e);
        }
    }

    // ---- the database ----

    @Override
    public void stopReplication() {
        stopped.add(database.set().stopReplication());
    }

    @Override
    public void resumeReplication() {
        stopped.forEach(StoppedReplication::close);
        stopped.clear();
    }

    @Override
    public void awaitReplication() {
        database.database()
                .getCollection("markers")
                .withWriteConcern(WriteConcern.MAJORITY)
                .insertOne(new Document());
    }

    @Override
    public @Nullable Long newestToken(String lease) {
        Document found = documents()
                .find(Filters.eq("_id", Fixture.NAMESPACE + "#" + lease))
                .first();
        return found == null ? null : found.getLong("token");
    }

    private MongoCollection<Document> documents() {
        return database.database().getCollection(COLLECTION);
    }

    @Override
    public void replacePrimary() {
        database.set().primary().stepDown();
        database.set().primary();
    }

    @Override
    public void losePrimary() {
        database.set().primary().kill();
        resumeReplication();
        database.set().primary();
    }

    @Override
    public void limitLifetime() {
        setLifetime(3);
        opened.add(() -> setLifetime(60));
    }

    private void setLifetime(int seconds) {
        database.client()
                .getDatabase("admin")
                .runCommand(new Document("setParameter", 1).append("transactionLifetimeLimitSeconds", seconds));
    }

    @Override
    public void corruptQueue(String lease) {
        documents().updateOne(Filters.eq("_id", Fixture.NAMESPACE + "&" + lease), Updates.set("waiters", "none"));
    }

    @Override
    public void corrupt(String lease) {
        documents().updateOne(Filters.eq("_id", Fixture.NAMESPACE + "#" + lease), Updates.set("token", "one"));
    }
}
