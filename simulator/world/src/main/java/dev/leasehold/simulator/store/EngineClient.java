package dev.leasehold.simulator.store;

import com.mongodb.WriteConcern;
import com.mongodb.client.AggregateIterable;
import com.mongodb.client.ClientSession;
import com.mongodb.client.ListCollectionsIterable;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ClusterType;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.store.WriteResult.Kind;
import dev.leasehold.simulator.world.SimulatedNetwork;
import dev.leasehold.simulator.world.SimulatedNetwork.Reply;
import dev.leasehold.simulator.world.SimulatedProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The driver's client, as the store of one engine uses it, with a simulated server behind it. */
final class EngineClient {

    /** What a primary says of itself. */
    private static final BsonDocument PRIMARY =
            new BsonDocument("setName", new BsonString("simulated")).append("isWritablePrimary", BsonBoolean.TRUE);

    private static final ClusterDescription CLUSTER =
            new ClusterDescription(ClusterConnectionMode.MULTIPLE, ClusterType.REPLICA_SET, List.of());

    private final SimulatedDatabase database;
    private final SimulatedProcess process;
    private final MongoClient proxy = Proxies.of(MongoClient.class, this, "client", this::onClient);
    private final MongoDatabase databaseProxy = Proxies.of(MongoDatabase.class, this, "database", this::onDatabase);
    private final LeaseCollection leases = new LeaseCollection(this);
    private final List<ChangeCursor> cursors = new ArrayList<>(1);
    /** When the server made the list of open transactions that was last received. */
    private long listedNanos = Long.MAX_VALUE;

    EngineClient(SimulatedDatabase database, SimulatedProcess process) {
        this.database = database;
        this.process = process;
    }

    MongoClient proxy() {
        return proxy;
    }

    SimulatedDatabase database() {
        return database;
    }

    private Object onClient(Object self, String method, Object[] arguments) {
        return switch (method) {
            case "getDatabase" -> databaseProxy;
            case "startSession" -> session().proxy();
            case "getClusterDescription" -> CLUSTER;
            default -> throw Proxies.unsupported(MongoClient.class, method);
        };
    }

    DriverSession session() {
        return new DriverSession(database, process, database.newSession(), null);
    }

    private @Nullable Object onDatabase(Object self, String method, Object[] arguments) {
        return switch (method) {
            case "getCollection" -> leases.documents();
            case "withCodecRegistry", "withReadConcern", "withReadPreference" -> self;
            case "getTimeout" -> null;
            case "runCommand" ->
                arguments[0] instanceof ClientSession
                        ? command(DriverSession.of(arguments[0]), (BsonDocument) arguments[1])
                        : killSessions((BsonDocument) arguments[0]);
            case "listCollections" -> noCollections();
            case "aggregate" -> idleTransactions();
            default -> throw Proxies.unsupported(MongoDatabase.class, method);
        };
    }

    /** Before the first document there is no collection that could be of the wrong kind. */
    private static ListCollectionsIterable<?> noCollections() {
        return Proxies.of(
                ListCollectionsIterable.class, null, "collections", (proxy, method, arguments) -> switch (method) {
                    case "filter" -> proxy;
                    case "first" -> null;
                    default -> throw Proxies.unsupported(ListCollectionsIterable.class, method);
                });
    }

    /**
     * What the server found, at one instant.
     *
     * @param at when: by true time, or as a point of the oplog
     */
    record Found<T>(T value, long at) {

        /** It is known to a session from now on. */
        T value(DriverSession session) {
            session.hasSeen(at);
            return value;
        }
    }

    /** Asks the server something. */
    <T> Found<T> ask(String what, Consumer<SimulatedNetwork.Answer<Found<T>>> question) {
        Reply<Found<T>> reply = database.network().exchange(process, what, database.commandNanos(), question);
        Found<T> answer = reply.answer();
        if (answer == null) {
            throw DriverErrors.of(reply.networkFault());
        }
        return answer;
    }

    // ---- writes of the clock document, and of leases without a transaction ----

    private static BsonDocument command(DriverSession session, BsonDocument command) {
        if (command.containsKey("hello")) {
            return PRIMARY;
        }
        List<Statement> statements = new ArrayList<>();
        for (BsonValue update : command.getArray("updates")) {
            BsonDocument parts = update.asDocument();
            statements.add(new Statement.OfUpdate(
                    parts.getDocument("q"), parts.getDocument("u"), parts.containsKey("upsert")));
        }
        BsonDocument concern = command.getDocument("writeConcern");
        DriverSession.requireMajority(new WriteConcern(concern.getString("w").getValue()));
        long majorityNanos = nanos(concern.getNumber("wtimeout").longValue());
        long waitNanos = nanos(command.getNumber("maxTimeMS").longValue()) - majorityNanos;
        long number = command.getInt64("txnNumber").getValue();
        String what = Ids.isOfClock(statements.get(0).documentId()) ? "write clock" : "write leases";
        boolean ordered = command.getBoolean("ordered").getValue();
        return answer(session.write(what, number, statements, ordered, waitNanos, majorityNanos));
    }

    private static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** As a server answers a write that is no part of a transaction. */
    static BsonDocument answer(WriteResult result) {
        if (result.kind() == Kind.NO_SUCH_TRANSACTION) {
            throw DriverErrors.tooOld();
        }
        if (result.kind() != Kind.DONE && result.kind() != Kind.NO_MAJORITY) {
            throw DriverErrors.of(result);
        }
        BsonDocument answer = new BsonDocument("n", new BsonInt32(result.matched()));
        if (!result.errors().isEmpty()) {
            BsonArray errors = new BsonArray();
            result.errors()
                    .forEach(error -> errors.add(new BsonDocument("index", new BsonInt32(error.place()))
                            .append("code", new BsonInt32(error.code()))));
            answer.append("writeErrors", errors);
        }
        return result.kind() == Kind.NO_MAJORITY
                ? answer.append("writeConcernError", new BsonDocument("code", new BsonInt32(64)))
                : answer;
    }

    // ---- change streams ----

    ChangeCursor cursor(BsonDocument match) {
        ChangeCursor cursor = new ChangeCursor(this, process, match);
        cursors.add(cursor);
        return cursor;
    }

    /** Change streams that wait for an event are answered now. */
    void stopWatching() {
        cursors.forEach(ChangeCursor::stopWaiting);
    }

    // ---- open transactions ----

    private AggregateIterable<?> idleTransactions() {
        return Proxies.of(AggregateIterable.class, null, "operations", (proxy, method, arguments) -> switch (method) {
            case "maxTime" -> proxy;
            case "forEach" -> {
                list().forEach(asConsumer(arguments[0]));
                yield null;
            }
            default -> throw Proxies.unsupported(AggregateIterable.class, method);
        });
    }

    @SuppressWarnings("unchecked")
    private static Consumer<BsonDocument> asConsumer(Object argument) {
        return (Consumer<BsonDocument>) argument;
    }

    private List<BsonDocument> list() {
        Primary primary = database.primary();
        Found<List<BsonDocument>> listed = ask("list transactions", answer -> {
            List<BsonDocument> found = new ArrayList<>();
            primary.open().forEach(open -> found.add(operation(open, primary.nowNanos())));
            answer.give(new Found<>(found, primary.nowNanos()));
        });
        listedNanos = listed.at();
        return listed.value();
    }

    private static BsonDocument operation(ServerTransaction open, long nowNanos) {
        LogicalSession session = open.session();
        long openNanos = nowNanos - open.openedNanos();
        BsonDocument transaction = new BsonDocument(
                        "parameters", new BsonDocument("txnNumber", new BsonInt64(session.number())))
                .append("timeActiveMicros", new BsonInt64(TimeUnit.NANOSECONDS.toMicros(open.activeNanos())))
                .append("timeInactiveMicros", new BsonInt64(TimeUnit.NANOSECONDS.toMicros(openNanos)));
        return new BsonDocument("lsid", new BsonDocument("id", new BsonBinary(session.id())))
                .append("transaction", transaction);
    }

    private BsonDocument killSessions(BsonDocument command) {
        List<UUID> killed = command.getArray("killSessions").stream()
                .map(session -> session.asDocument().getBinary("id").asUuid())
                .toList();
        // Until this arrives there may be another list.
        long sinceNanos = listedNanos;
        return this.<BsonDocument>ask("kill sessions", answer -> {
                    database.primary().kill(killed, transaction -> recordKilled(transaction, sinceNanos));
                    answer.give(new Found<>(new BsonDocument(), 0));
                })
                .value();
    }

    /** One that was in use since the server was asked is ended too, which cannot be helped. */
    private void recordKilled(ServerTransaction transaction, long sinceNanos) {
        Primary primary = database.primary();
        int machine = process.simulatedMachine().number();
        if (!transaction.session().isOfEngine()) {
            primary.reached(machine, Marks.CALLER_ENDED);
            return;
        }
        boolean wasUsed = transaction.idleSinceNanos() > sinceNanos;
        Event.Rest rest = primary.registeredBy(transaction.session().id())
                .filter(writer -> !wasUsed)
                .map(writer -> new Event.Rest(writer, primary.nowNanos() - transaction.idleSinceNanos()))
                .orElse(null);
        primary.simulation().record(new Event.Reached(primary.nowNanos(), machine, Marks.RESCUED, rest));
    }
}
