package dev.leasehold.simulator.store;

import com.mongodb.MongoNamespace;
import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.bulk.BulkWriteUpsert;
import com.mongodb.client.AggregateIterable;
import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.result.DeleteResult;
import com.mongodb.client.result.UpdateResult;
import dev.leasehold.simulator.world.SimulatorFailure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/** The driver's collection of the leases. As with the driver, the session that is handed in says whose operation it is. */
final class LeaseCollection {

    /** How long the server lets a write wait that does not say how long. */
    private static final long WAIT_NANOS = 1_050_000_000;

    private static final MongoNamespace NAMESPACE = new MongoNamespace("simulated", "leases");

    /** Null for callers, whose sessions are all that they need. */
    private final @Nullable EngineClient client;

    private final MongoCollection<?> documents = proxy(BsonDocument.class);
    private final MongoCollection<?> rawDocuments = proxy(RawBsonDocument.class);

    LeaseCollection(@Nullable EngineClient client) {
        this.client = client;
    }

    private MongoCollection<?> proxy(Class<?> type) {
        return Proxies.of(
                MongoCollection.class, this, "leases", (proxy, method, arguments) -> call(type, method, arguments));
    }

    @SuppressWarnings("unchecked")
    MongoCollection<BsonDocument> documents() {
        return (MongoCollection<BsonDocument>) documents;
    }

    private @Nullable Object call(Class<?> type, String method, Object[] arguments) {
        return switch (method) {
            case "withReadConcern" -> {
                requireMajority((ReadConcern) arguments[0]);
                yield documents;
            }
            case "withWriteConcern" -> {
                DriverSession.requireMajority((WriteConcern) arguments[0]);
                yield documents;
            }
            case "withCodecRegistry", "withReadPreference" -> documents;
            case "withTimeout" -> documentsWithin(TimeUnit.MILLISECONDS.toNanos((Long) arguments[0]));
            case "withDocumentClass" -> arguments[0] == RawBsonDocument.class ? rawDocuments : documents;
            case "getNamespace" -> NAMESPACE;
            case "getCodecRegistry", "getTimeout" -> null;
            case "bulkWrite" -> write(DriverSession.of(arguments[0]), (List<?>) arguments[1]);
            case "updateOne" ->
                update(DriverSession.of(arguments[0]), Proxies.bson(arguments[1]), Proxies.bson(arguments[2]));
            case "find" -> new Find(type, DriverSession.of(arguments[0]), Proxies.bson(arguments[1])).proxy;
            case "aggregate" -> aggregate(DriverSession.of(arguments[0]), (List<?>) arguments[1]);
            case "watch" -> watch((List<?>) arguments[0]);
            default -> throw Proxies.unsupported(MongoCollection.class, method);
        };
    }

    private static void requireMajority(ReadConcern concern) {
        if (!ReadConcern.MAJORITY.equals(concern)) {
            throw new SimulatorFailure("a read of an engine without a majority: " + concern);
        }
    }

    private EngineClient client() {
        return Objects.requireNonNull(client);
    }

    // ---- writes ----

    private static BulkWriteResult write(DriverSession session, List<?> models) {
        CallerSession caller = session.caller();
        return caller == null
                ? bulkWrite(session, models)
                : session.boundary().inside(() -> gate(session, caller, models));
    }

    /** An assertion together with the record of an occurrence, in the caller's transaction. */
    private static BulkWriteResult gate(DriverSession session, CallerSession caller, List<?> models) {
        BulkWriteResult result = bulkWrite(session, models);
        if (result.getMatchedCount() > 0) {
            caller.onFound(Proxies.bson(((UpdateOneModel<?>) models.get(0)).getFilter()));
        }
        return result;
    }

    /** Neighbours of one kind go into one command. Nothing looks at the counts of one before the next is sent. */
    private static BulkWriteResult bulkWrite(DriverSession session, List<?> models) {
        List<Statement> updates = new ArrayList<>(models.size());
        List<Statement> removals = new ArrayList<>(0);
        for (Object model : models) {
            if (model instanceof UpdateOneModel<?> update && removals.isEmpty()) {
                updates.add(new Statement.OfUpdate(
                        Proxies.bson(update.getFilter()),
                        withServerTime(Proxies.bson(Objects.requireNonNull(update.getUpdate())), session),
                        update.getOptions().isUpsert()));
            } else if (model instanceof DeleteOneModel<?> removal) {
                removals.add(new Statement.OfRemoval(Proxies.bson(removal.getFilter())));
            } else {
                throw Proxies.unsupported(MongoCollection.class, "bulk write with " + model);
            }
        }
        List<BulkWriteUpsert> upserts = new ArrayList<>();
        int matched = 0;
        int removed = 0;
        if (!updates.isEmpty()) {
            boolean ofClock =
                    updates.size() == 1 && Ids.isOfClock(updates.get(0).documentId());
            WriteResult result = session.write(ofClock ? "update clock" : "update", updates);
            result.inserted().forEach(place -> upserts.add(new BulkWriteUpsert(place, new BsonString("inserted"))));
            matched = result.matched() - upserts.size();
        }
        if (!removals.isEmpty()) {
            removed = session.write("delete", removals).matched();
        }
        return BulkWriteResult.acknowledged(0, matched, removed, matched, upserts, List.of());
    }

    /** The time when it is sent is as good as that of the server. */
    private static BsonDocument withServerTime(BsonDocument update, DriverSession session) {
        if (!update.containsKey("$currentDate")) {
            return update;
        }
        BsonDocument dated = new BsonDocument();
        dated.putAll(update);
        dated.remove("$currentDate");
        BsonDocument dates = new BsonDocument();
        update.getDocument("$currentDate").keySet().forEach(field -> dates.put(field, session.serverTime()));
        return dated.append("$set", dates);
    }

    private UpdateResult update(DriverSession session, BsonDocument filter, BsonDocument update) {
        CallerSession caller = session.caller();
        return caller == null
                ? insertClock(session, filter, update)
                : session.boundary().inside(() -> gate(session, caller, filter, update));
    }

    /** The first document of a partition, outside of any transaction. */
    private UpdateResult insertClock(DriverSession session, BsonDocument filter, BsonDocument update) {
        Statement statement = new Statement.OfUpdate(filter, update, true);
        WriteResult result =
                session.write("open", session.nextNumber(), List.of(statement), false, WAIT_NANOS, Long.MAX_VALUE);
        BsonDocument answer = EngineClient.answer(result);
        return UpdateResult.acknowledged(answer.getInt32("n").getValue(), 0L, null);
    }

    /** Writes by the driver alone, which wait for other transactions no longer than that. */
    private Object documentsWithin(long limitNanos) {
        return Proxies.of(MongoCollection.class, this, "leases in time", (proxy, method, arguments) -> switch (method) {
            case "updateOne" ->
                tidy(new Statement.OfUpdate(Proxies.bson(arguments[0]), Proxies.bson(arguments[1]), false), limitNanos);
            case "deleteOne" -> tidy(new Statement.OfRemoval(Proxies.bson(arguments[0])), limitNanos);
            default -> throw Proxies.unsupported(MongoCollection.class, method);
        });
    }

    /** In a session of its own. */
    private Object tidy(Statement statement, long limitNanos) {
        DriverSession session = client().session();
        int count = EngineClient.answer(session.write(
                        "tidy queues", session.nextNumber(), List.of(statement), false, limitNanos, Long.MAX_VALUE))
                .getInt32("n")
                .getValue();
        return statement instanceof Statement.OfRemoval
                ? DeleteResult.acknowledged(count)
                : UpdateResult.acknowledged(count, (long) count, null);
    }

    /** An assertion, in the caller's transaction. */
    private static UpdateResult gate(
            DriverSession session, CallerSession caller, BsonDocument filter, BsonDocument update) {
        WriteResult result = session.write("update", List.of(new Statement.OfUpdate(filter, update, false)));
        if (result.matched() > 0) {
            caller.onFound(filter);
        }
        return UpdateResult.acknowledged(result.matched(), (long) result.modified(), null);
    }

    // ---- reads ----

    /** Some documents, and a projection of them. */
    private AggregateIterable<?> aggregate(DriverSession session, List<?> pipeline) {
        Find find = new Find(BsonDocument.class, session, ((BsonDocument) pipeline.get(0)).getDocument("$match"));
        find.projection = ((BsonDocument) pipeline.get(1)).getDocument("$project");
        return Proxies.of(AggregateIterable.class, this, "aggregation", (proxy, method, arguments) -> switch (method) {
            case "maxTime" -> proxy;
            case "into" -> find.call(proxy, method, arguments);
            default -> throw Proxies.unsupported(AggregateIterable.class, method);
        });
    }

    /** An engine's read of what a majority has, never older than what its session knows of; or a caller's in its transaction. */
    private final class Find {

        private static final Comparator<BsonDocument> FROM_THE_LOWEST =
                (one, other) -> BsonOrder.compare(idOf(one), idOf(other));

        private final FindIterable<?> proxy = Proxies.of(FindIterable.class, this, "find", this::call);
        private final Class<?> type;
        private final DriverSession session;
        private final BsonDocument filter;
        private @Nullable BsonDocument projection;
        /** 1 from the lowest id, -1 from the highest; 0 for any order. */
        private int direction;

        private int limit = Integer.MAX_VALUE;

        Find(Class<?> type, DriverSession session, BsonDocument filter) {
            this.type = type;
            this.session = session;
            this.filter = filter;
        }

        @SuppressWarnings("unchecked")
        private @Nullable Object call(Object self, String method, Object[] arguments) {
            switch (method) {
                case "projection" -> projection = Proxies.bson(arguments[0]);
                case "sort" ->
                    direction = Proxies.bson(arguments[0]).getInt32("_id").getValue();
                case "limit" -> limit = (Integer) arguments[0];
                case "batchSize", "maxTime" -> {
                    // All fits into the first answer, and the network has a timeout of its own.
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
            CallerSession caller = session.caller();
            List<BsonDocument> documents =
                    caller == null ? ofMajority() : session.boundary().inside(() -> inTransaction(caller));
            return type == RawBsonDocument.class
                    ? documents.stream()
                            .map(document -> new RawBsonDocument(document, new BsonDocumentCodec()))
                            .toList()
                    : documents;
        }

        private List<BsonDocument> inTransaction(CallerSession caller) {
            Document found = session.read("find", Statement.idIn(filter));
            if (found == null || !Filter.matches(filter, found.bson())) {
                return List.of();
            }
            if (!Ids.isOfRecord(Statement.idIn(filter))) {
                caller.onFound(filter);
            }
            return List.of(found.bson());
        }

        private List<BsonDocument> ofMajority() {
            Oplog oplog = client().database().primary().oplog();
            return client().<List<BsonDocument>>ask(
                            what(),
                            answer -> oplog.whenMajorityHas(session.seenPoint(), () -> {
                                long point = oplog.majorityPoint();
                                answer.give(new EngineClient.Found<>(
                                        selected(oplog.majority().documents()), point));
                            }))
                    .value(session);
        }

        private String what() {
            if (!filter.isString("_id")) {
                return direction < 0 ? "read a page" : "read leases";
            }
            return projection == null
                    ? "read writers"
                    : projection.containsKey("stamps") ? "read stamps" : "read clock";
        }

        private List<BsonDocument> selected(TreeMap<String, Document> documents) {
            List<BsonDocument> selected = new ArrayList<>();
            for (Document document : candidates(documents)) {
                if (Filter.matches(filter, document.bson())) {
                    selected.add(document.bson());
                }
            }
            if (direction != 0) {
                selected.sort(direction < 0 ? FROM_THE_LOWEST.reversed() : FROM_THE_LOWEST);
            }
            List<BsonDocument> shown = selected.size() > limit ? selected.subList(0, limit) : selected;
            BsonDocument wanted = projection;
            if (wanted != null) {
                shown.replaceAll(document -> projected(document, wanted));
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
                List<Document> candidates = new ArrayList<>();
                for (BsonValue id : filter.getDocument("_id").getArray("$in")) {
                    Document one = documents.get(id.asString().getValue());
                    if (one != null) {
                        candidates.add(one);
                    }
                }
                return candidates;
            }
            return documents.values();
        }

        private static String idOf(BsonDocument document) {
            return document.getString("_id").getValue();
        }
    }

    /** Those fields of a document that are wanted. */
    private static BsonDocument projected(BsonDocument document, BsonDocument wanted) {
        if (wanted.keySet().containsAll(document.keySet())) {
            return document;
        }
        BsonDocument shown = new BsonDocument("_id", document.get("_id"));
        wanted.forEach((path, how) -> {
            if (how.isDocument()) {
                BsonValue computed = new Expression(document).of(how);
                if (computed != null) {
                    shown.put(path, computed);
                }
            } else {
                show(document, path, shown);
            }
        });
        return shown;
    }

    /** Of a document on the way at least that it is there. */
    private static void show(BsonDocument document, String path, BsonDocument shown) {
        int dot = path.indexOf('.');
        String key = dot < 0 ? path : path.substring(0, dot);
        BsonValue value = document.get(key);
        if (value != null && dot < 0) {
            shown.put(path, value);
        } else if (value != null && value.isDocument()) {
            BsonDocument inner = shown.isDocument(key) ? shown.getDocument(key) : new BsonDocument();
            shown.put(key, inner);
            show(value.asDocument(), path.substring(dot + 1), inner);
        }
    }

    // ---- change streams ----

    private ChangeStreamIterable<?> watch(List<?> pipeline) {
        BsonDocument match = ((BsonDocument) pipeline.get(0)).getDocument("$match");
        ChangeCursor cursor = client().cursor(match);
        return Proxies.of(ChangeStreamIterable.class, this, "change stream", (proxy, method, arguments) -> {
            switch (method) {
                case "maxAwaitTime", "fullDocument", "withDocumentClass" -> {
                    return proxy;
                }
                case "startAtOperationTime" -> {
                    cursor.startAt(((BsonTimestamp) arguments[0]).getValue());
                    return proxy;
                }
                case "cursor" -> {
                    return cursor.open();
                }
                default -> throw Proxies.unsupported(ChangeStreamIterable.class, method);
            }
        });
    }
}
