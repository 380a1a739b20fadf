package dev.leasehold.simulator.store;

import com.mongodb.MongoNamespace;
import com.mongodb.TransactionOptions;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.bulk.BulkWriteUpsert;
import com.mongodb.client.AggregateIterable;
import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.ListCollectionsIterable;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.result.UpdateResult;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ClusterType;
import com.mongodb.session.ServerSession;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.world.SimulatedProcess;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/** The driver's client, as the store of one engine uses it, with a simulated server behind it. */
final class EngineClient {

    /** How long the server lets a write wait that says nothing of it. */
    private static final long WAIT_NANOS = 1_050_000_000;

    /** What a primary says of itself. */
    private static final BsonDocument PRIMARY =
            new BsonDocument("setName", new BsonString("simulated")).append("isWritablePrimary", BsonBoolean.TRUE);

    private static final ClusterDescription CLUSTER =
            new ClusterDescription(ClusterConnectionMode.MULTIPLE, ClusterType.REPLICA_SET, List.of());

    private static final MongoNamespace LEASES = new MongoNamespace("simulated", "leases");

    private final Server server;
    private final SimulatedProcess simulatedProcess;
    private final Supplier<UUID> ids;
    private final Author transactions;
    private final Author singleWrites;
    private final MongoClient client;
    private final MongoDatabase database;
    private final MongoCollection<BsonDocument> leases;
    private final MongoCollection<RawBsonDocument> rawLeases;
    private final List<EngineWatch> watches = new ArrayList<>(1);
    /** When the server made the list of open transactions that was last received. */
    private long listedNanos = Long.MAX_VALUE;

    /**
     * One that has not sent anything yet.
     *
     * @param ids of driver sessions, drawn when they are first used to write
     */
    EngineClient(Server server, SimulatedProcess simulatedProcess, Supplier<UUID> ids) {
        this.server = server;
        this.simulatedProcess = simulatedProcess;
        this.ids = ids;
        int machine = simulatedProcess.simulatedMachine().number();
        this.transactions =
                new Author(Author.Kind.TRANSACTION, machine, simulatedProcess.incarnation(), -1, null, null);
        this.singleWrites =
                new Author(Author.Kind.SINGLE_WRITE, machine, simulatedProcess.incarnation(), -1, null, null);
        this.client = Proxies.of(MongoClient.class, this, "client", this::onClient);
        this.database = Proxies.of(MongoDatabase.class, this, "database", this::onDatabase);
        this.leases = collection(BsonDocument.class);
        this.rawLeases = collection(RawBsonDocument.class);
    }

    @SuppressWarnings("unchecked")
    private <T> MongoCollection<T> collection(Class<T> type) {
        return Proxies.of(
                MongoCollection.class, this, "leases", (proxy, method, arguments) -> onLeases(type, method, arguments));
    }

    MongoClient client() {
        return client;
    }

    /** Change streams that wait for something to tell are answered now. */
    void stopWatching() {
        watches.forEach(EngineWatch::stopWaiting);
    }

    private Object onClient(Object proxy, String method, Object[] arguments) {
        return switch (method) {
            case "getDatabase" -> database;
            case "startSession" -> new Session().proxy;
            case "getClusterDescription" -> CLUSTER;
            default -> throw Proxies.unsupported(MongoClient.class, method);
        };
    }

    // ---- sessions ----

    /** A session of the engine. It is known to the server when it writes first. */
    private final class Session {

        private final ClientSession proxy = Proxies.of(ClientSession.class, this, "session", this::onSession);
        private final ServerSession serverSession =
                Proxies.of(ServerSession.class, this, "server session", this::onServerSession);
        private @Nullable DriverSession driver;
        private @Nullable UUID id;
        private long seenPoint;

        UUID id() {
            UUID drawn = id;
            if (drawn == null) {
                drawn = ids.get();
                id = drawn;
            }
            return drawn;
        }

        DriverSession driver() {
            DriverSession made = driver;
            if (made == null) {
                made = DriverSession.ofEngine(server, simulatedProcess, id(), transactions);
                driver = made;
            }
            return made;
        }

        long seenPoint() {
            return driver == null ? seenPoint : Math.max(seenPoint, driver.seenPoint());
        }

        void hasSeen(long point) {
            seenPoint = Math.max(seenPoint, point);
        }

        private @Nullable Object onSession(Object self, String method, Object[] arguments) {
            switch (method) {
                case "getServerSession" -> {
                    return serverSession;
                }
                case "hasActiveTransaction" -> {
                    return driver != null && driver.isActive();
                }
                case "getOperationTime" -> {
                    return seenPoint() == 0 ? null : new BsonTimestamp(seenPoint());
                }
                case "advanceOperationTime" -> {
                    if (arguments[0] != null) {
                        hasSeen(((BsonTimestamp) arguments[0]).getValue());
                    }
                }
                case "startTransaction" -> driver().start((TransactionOptions) arguments[0]);
                case "commitTransaction" -> driver().commit();
                case "abortTransaction" -> driver().abort();
                case "getClusterTime", "advanceClusterTime", "close" -> {
                    // One clock of the whole set says nothing more than the time of its operations.
                }
                default -> throw Proxies.unsupported(ClientSession.class, method);
            }
            return null;
        }

        private Object onServerSession(Object self, String method, Object[] arguments) {
            return switch (method) {
                case "getIdentifier" -> new BsonDocument("id", new BsonBinary(id()));
                case "advanceTransactionNumber" -> driver().nextNumber();
                default -> throw Proxies.unsupported(ServerSession.class, method);
            };
        }
    }

    private static Session session(Object argument) {
        Session session = Proxies.ownerOf(Session.class, argument);
        if (session == null) {
            throw Proxies.unsupported(ClientSession.class, "session of another client");
        }
        return session;
    }

    // ---- the database ----

    private @Nullable Object onDatabase(Object proxy, String method, Object[] arguments) {
        return switch (method) {
            case "getCollection" -> leases;
            case "withCodecRegistry", "withReadConcern", "withReadPreference" -> proxy;
            case "getTimeout" -> null;
            case "runCommand" ->
                arguments[0] instanceof ClientSession
                        ? command(session(arguments[0]), (BsonDocument) arguments[1])
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

    private BsonDocument command(Session session, BsonDocument command) {
        if (command.containsKey("hello")) {
            return PRIMARY;
        }
        List<Statement> statements = new ArrayList<>();
        for (BsonValue update : command.getArray("updates")) {
            BsonDocument parts = update.asDocument();
            statements.add(new Statement.OfUpdate(parts.getDocument("q"), parts.getDocument("u"), false));
        }
        long majorityNanos =
                nanos(command.getDocument("writeConcern").getNumber("wtimeout").longValue());
        long waitNanos = nanos(command.getNumber("maxTimeMS").longValue()) - majorityNanos;
        long number = command.getInt64("txnNumber").getValue();
        String what = Ids.isOfClock(statements.get(0).documentId()) ? "write clock" : "write leases";
        return answer(session.driver().write(what, number, statements, waitNanos, majorityNanos, singleWrites));
    }

    private static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private static BsonDocument answer(Counts counts) {
        if (counts.kind() == Counts.Kind.NO_SUCH_TRANSACTION) {
            throw DriverErrors.tooOld();
        }
        if (counts.kind() != Counts.Kind.DONE && counts.kind() != Counts.Kind.NO_MAJORITY) {
            throw DriverErrors.of(counts);
        }
        BsonDocument answer = new BsonDocument("n", new BsonInt32(counts.matched()));
        if (!counts.errors().isEmpty()) {
            BsonArray errors = new BsonArray();
            counts.errors()
                    .forEach(error -> errors.add(new BsonDocument("index", new BsonInt32(error.place()))
                            .append("code", new BsonInt32(error.code()))));
            answer.append("writeErrors", errors);
        }
        return counts.kind() == Counts.Kind.NO_MAJORITY
                ? answer.append("writeConcernError", new BsonDocument("code", new BsonInt32(64)))
                : answer;
    }

    // ---- the collection ----

    private @Nullable Object onLeases(Class<?> type, String method, Object[] arguments) {
        return switch (method) {
            case "withCodecRegistry", "withReadConcern", "withReadPreference", "withWriteConcern" -> leases;
            case "withDocumentClass" -> arguments[0] == RawBsonDocument.class ? rawLeases : leases;
            case "getNamespace" -> LEASES;
            case "getCodecRegistry", "getTimeout" -> null;
            case "bulkWrite" -> bulkWrite(session(arguments[0]), (List<?>) arguments[1]);
            case "updateOne" -> make(session(arguments[0]), Proxies.bson(arguments[1]), Proxies.bson(arguments[2]));
            case "find" -> new Find(type, session(arguments[0]), Proxies.bson(arguments[1])).proxy;
            case "watch" -> watch((List<?>) arguments[0]);
            default -> throw Proxies.unsupported(MongoCollection.class, method);
        };
    }

    /** Neighbours of one kind go into one command. Nobody looks at the counts of one before the next is sent. */
    private BulkWriteResult bulkWrite(Session session, List<?> models) {
        List<Statement> updates = new ArrayList<>(models.size());
        List<Statement> removals = new ArrayList<>(0);
        for (Object model : models) {
            if (model instanceof UpdateOneModel<?> update && removals.isEmpty()) {
                updates.add(new Statement.OfUpdate(
                        Proxies.bson(update.getFilter()),
                        Proxies.bson(Objects.requireNonNull(update.getUpdate())),
                        update.getOptions().isUpsert()));
            } else if (model instanceof DeleteOneModel<?> removal) {
                removals.add(new Statement.OfRemoval(Proxies.bson(removal.getFilter())));
            } else {
                throw Proxies.unsupported(MongoCollection.class, "bulk write with " + model);
            }
        }
        DriverSession driver = session.driver();
        List<BulkWriteUpsert> made = new ArrayList<>();
        int matched = 0;
        int removed = 0;
        if (!updates.isEmpty()) {
            boolean ofClock =
                    updates.size() == 1 && Ids.isOfClock(updates.get(0).documentId());
            Counts counts = driver.write(ofClock ? "update clock" : "update", updates);
            counts.made().forEach(place -> made.add(new BulkWriteUpsert(place, new BsonString("made"))));
            matched = counts.matched() - made.size();
        }
        if (!removals.isEmpty()) {
            removed = driver.write("delete", removals).matched();
        }
        return BulkWriteResult.acknowledged(0, matched, removed, matched, made, List.of());
    }

    /** The first document of a partition, outside of any transaction. */
    private UpdateResult make(Session session, BsonDocument filter, BsonDocument update) {
        DriverSession driver = session.driver();
        Statement statement = new Statement.OfUpdate(filter, update, true);
        BsonDocument answer = answer(driver.write(
                "open", driver.nextNumber(), List.of(statement), WAIT_NANOS, Long.MAX_VALUE, singleWrites));
        return UpdateResult.acknowledged(answer.getInt32("n").getValue(), 0L, null);
    }

    // ---- reads ----

    /** What a majority had. */
    private record Found(List<BsonDocument> documents, long point) {}

    /** A read of what a majority has, never older than what its session knows of. */
    private final class Find {

        private static final Comparator<BsonDocument> FROM_THE_HIGHEST =
                (one, other) -> Order.compare(idOf(other), idOf(one));

        private final FindIterable<?> proxy = Proxies.of(FindIterable.class, this, "find", this::onFind);
        private final Class<?> type;
        private final Session session;
        private final BsonDocument filter;
        private @Nullable BsonDocument projection;
        private boolean sorted;
        private int limit = Integer.MAX_VALUE;

        Find(Class<?> type, Session session, BsonDocument filter) {
            this.type = type;
            this.session = session;
            this.filter = filter;
        }

        @SuppressWarnings("unchecked")
        private @Nullable Object onFind(Object self, String method, Object[] arguments) {
            switch (method) {
                case "projection" -> projection = Proxies.bson(arguments[0]);
                case "sort" -> sorted = true;
                case "limit" -> limit = (Integer) arguments[0];
                case "batchSize", "maxTime" -> {
                    // All fits into the first answer, and the wire has a patience of its own.
                }
                case "into" -> {
                    ((Collection<Object>) arguments[0]).addAll(documents());
                    return arguments[0];
                }
                case "first" -> {
                    List<?> documents = documents();
                    return documents.isEmpty() ? null : documents.get(0);
                }
                default -> throw Proxies.unsupported(FindIterable.class, method);
            }
            return self;
        }

        private List<? extends BsonDocument> documents() {
            Found found = DriverSession.asked(server, simulatedProcess, what(), answer -> {
                Versions versions = server.versions();
                versions.whenMajorityHas(
                        session.seenPoint(),
                        () -> answer.give(new Found(found(versions.majority().documents()), versions.majorityPoint())));
            });
            session.hasSeen(found.point());
            return type == RawBsonDocument.class
                    ? found.documents().stream()
                            .map(document -> new RawBsonDocument(document, new BsonDocumentCodec()))
                            .toList()
                    : found.documents();
        }

        private String what() {
            if (!filter.isString("_id")) {
                return sorted ? "read a page" : "read leases";
            }
            return projection == null || projection.containsKey("writers") ? "read writers" : "read clock";
        }

        private List<BsonDocument> found(TreeMap<String, Document> documents) {
            List<BsonDocument> found = new ArrayList<>();
            for (Document document : candidates(documents)) {
                if (Filter.matches(filter, document.bson())) {
                    found.add(document.bson());
                }
            }
            if (sorted) {
                found.sort(FROM_THE_HIGHEST);
            }
            List<BsonDocument> shown = found.size() > limit ? new ArrayList<>(found.subList(0, limit)) : found;
            BsonDocument wanted = projection;
            if (wanted != null) {
                shown.replaceAll(document -> Projection.of(document, wanted));
            }
            return shown;
        }

        /** By the index of ids, as far as it helps. */
        private Collection<Document> candidates(TreeMap<String, Document> documents) {
            if (filter.isString("_id")) {
                Document only = documents.get(idOf(filter));
                return only == null ? List.of() : List.of(only);
            }
            if (filter.isDocument("_id") && filter.getDocument("_id").isArray("$in")) {
                List<Document> found = new ArrayList<>();
                for (BsonValue id : filter.getDocument("_id").getArray("$in")) {
                    Document one = documents.get(id.asString().getValue());
                    if (one != null) {
                        found.add(one);
                    }
                }
                return found;
            }
            return documents.values();
        }

        private static String idOf(BsonDocument document) {
            return document.getString("_id").getValue();
        }
    }

    private ChangeStreamIterable<?> watch(List<?> pipeline) {
        return Proxies.of(ChangeStreamIterable.class, null, "change stream", new Proxies.Calls() {
            private long startPoint;

            @Override
            public Object call(Object proxy, String method, Object[] arguments) {
                switch (method) {
                    case "maxAwaitTime", "fullDocument", "withDocumentClass" -> {
                        return proxy;
                    }
                    case "startAtOperationTime" -> {
                        startPoint = ((BsonTimestamp) arguments[0]).getValue();
                        return proxy;
                    }
                    case "cursor" -> {
                        EngineWatch watch = new EngineWatch(server, simulatedProcess, (BsonDocument) pipeline.get(0));
                        watches.add(watch);
                        return watch.begin(startPoint);
                    }
                    default -> throw Proxies.unsupported(ChangeStreamIterable.class, method);
                }
            }
        });
    }

    // ---- open transactions ----

    /** What the server has listed, and when it did. */
    private record Listed(long atNanos, List<BsonDocument> operations) {}

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
        Listed listed = DriverSession.asked(server, simulatedProcess, "list transactions", answer -> {
            List<BsonDocument> found = new ArrayList<>();
            server.primary().open().forEach(open -> found.add(operation(open)));
            answer.give(new Listed(server.simulation().nowNanos(), found));
        });
        listedNanos = listed.atNanos();
        return listed.operations();
    }

    private BsonDocument operation(ServerTransaction open) {
        long openNanos = server.simulation().nowNanos() - open.openedNanos();
        BsonDocument transaction = new BsonDocument(
                        "parameters",
                        new BsonDocument(
                                "txnNumber", new BsonInt64(open.session().number())))
                .append("timeActiveMicros", new BsonInt64(TimeUnit.NANOSECONDS.toMicros(open.activeNanos())))
                .append("timeInactiveMicros", new BsonInt64(TimeUnit.NANOSECONDS.toMicros(openNanos)));
        return new BsonDocument(
                        "lsid",
                        new BsonDocument("id", new BsonBinary(open.session().id())))
                .append("transaction", transaction);
    }

    private BsonDocument killSessions(BsonDocument command) {
        List<UUID> ended = command.getArray("killSessions").stream()
                .map(session -> session.asDocument().getBinary("id").asUuid())
                .toList();
        // Until this arrives there may be another list.
        long sinceNanos = listedNanos;
        return DriverSession.asked(server, simulatedProcess, "kill sessions", answer -> {
            server.primary().kill(ended, transaction -> noteEnded(transaction, sinceNanos));
            answer.give(new BsonDocument());
        });
    }

    /** Whoever has gone on since the server was asked is ended too, which nobody can help. */
    private void noteEnded(ServerTransaction transaction, long sinceNanos) {
        int machine = simulatedProcess.simulatedMachine().number();
        if (!transaction.session().isEngines()) {
            server.reached(machine, Marks.CALLER_ENDED);
            return;
        }
        long nowNanos = server.simulation().nowNanos();
        boolean wentOn = transaction.restsSinceNanos() > sinceNanos;
        Event.Rest rest = server.primary()
                .registeredBy(transaction.session().id())
                .filter(writer -> !wentOn)
                .map(writer -> new Event.Rest(writer, nowNanos - transaction.restsSinceNanos()))
                .orElse(null);
        server.simulation().record(new Event.Reached(nowNanos, machine, Marks.RESCUED, rest));
    }

    /** Which fields of a document are wanted. */
    private static final class Projection {

        private Projection() {}

        static BsonDocument of(BsonDocument document, BsonDocument wanted) {
            if (wanted.keySet().containsAll(document.keySet())) {
                return document;
            }
            BsonDocument shown = new BsonDocument("_id", document.get("_id"));
            for (Map.Entry<String, BsonValue> field : wanted.entrySet()) {
                show(document, field.getKey(), shown);
            }
            return shown;
        }

        /** Of a document on the way at least that it is there. */
        private static void show(BsonDocument document, String path, BsonDocument shown) {
            int dot = path.indexOf('.');
            BsonValue value = document.get(dot < 0 ? path : path.substring(0, dot));
            if (value == null) {
                return;
            }
            if (dot < 0) {
                shown.put(path, value);
            } else if (value.isDocument()) {
                String key = path.substring(0, dot);
                BsonDocument inner = shown.isDocument(key) ? shown.getDocument(key) : new BsonDocument();
                shown.put(key, inner);
                show(value.asDocument(), path.substring(dot + 1), inner);
            }
        }
    }
}
