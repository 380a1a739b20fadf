package dev.leasehold.engine.mongo;

import com.mongodb.ClientSessionOptions;
import com.mongodb.ErrorCategory;
import com.mongodb.MongoWriteException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.store.ClockDocument;
import dev.leasehold.engine.store.ClockWrite;
import dev.leasehold.engine.store.GuardedTransaction;
import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.store.Snapshot;
import dev.leasehold.engine.store.StoredLease;
import dev.leasehold.engine.store.WriteOutcome;
import dev.leasehold.engine.store.WriterEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * One namespace on MongoDB. Every command runs in one driver session, pinned for the life of the store: its next
 * transaction ends one that was left open, and its reads are causally consistent, so that they wait for the write that an
 * aborted transaction collided with.
 */
public final class MongoLeaseStore implements LeaseStore {

    private static final int ID_DESCENDING = -1;

    private final String namespace;
    private final long commandBudgetMillis;
    private final MongoDatabase database;
    private final MongoCollection<BsonDocument> documents;
    private final ClientSession session;
    private final ClockCodec clocks;
    private final LeaseCodec leases;
    private final Statements statements;
    private final Guards guards;
    private final DriverErrors errors;
    private ReadConcern transactionReadConcern = ReadConcern.LOCAL;

    /**
     * A store that was not opened yet.
     *
     * @param client the application's; never closed here
     * @param commandBudgetNanos the longest time that the server may spend on one command
     */
    public MongoLeaseStore(
            MongoClient client, String database, String collection, String namespace, long commandBudgetNanos) {
        this.namespace = namespace;
        this.commandBudgetMillis = TimeUnit.NANOSECONDS.toMillis(commandBudgetNanos);
        this.database = client.getDatabase(database).withReadPreference(ReadPreference.primary());
        this.documents = this.database
                .getCollection(collection, BsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY)
                .withWriteConcern(WriteConcern.MAJORITY.withWTimeout(commandBudgetMillis, TimeUnit.MILLISECONDS));
        this.clocks = new ClockCodec(namespace);
        this.leases = new LeaseCodec(namespace);
        this.guards = new Guards(namespace);
        this.statements = new Statements(guards, leases);
        this.errors = new DriverErrors(namespace);
        this.session = reading(() -> client.startSession(
                ClientSessionOptions.builder().causallyConsistent(true).build()));
    }

    @Override
    public void open() {
        reading(() -> {
            BsonDocument hello = database.runCommand(new BsonDocument("hello", new BsonInt32(1)), BsonDocument.class);
            DeploymentCheck.checkServer(hello);
            DeploymentCheck.checkCollection(collectionName(), collectionInfo());
            transactionReadConcern = DeploymentCheck.isSharded(hello) ? ReadConcern.SNAPSHOT : ReadConcern.LOCAL;
            createClock();
            return clocks.decode(find(clockId()).first());
        });
    }

    private @Nullable BsonDocument collectionInfo() {
        return database.listCollections(session, BsonDocument.class)
                .filter(new BsonDocument("name", new BsonString(collectionName())))
                .first();
    }

    private String collectionName() {
        return documents.getNamespace().getCollectionName();
    }

    /** Two engines may make it at once: whoever comes second finds it. */
    private void createClock() {
        try {
            documents.updateOne(
                    session,
                    new BsonDocument(Fields.ID, new BsonString(namespace)),
                    new BsonDocument("$setOnInsert", ClockCodec.first()),
                    new UpdateOptions().upsert(true));
        } catch (MongoWriteException e) {
            if (e.getError().getCategory() != ErrorCategory.DUPLICATE_KEY) {
                throw e;
            }
        }
    }

    @Override
    public UUID driverSession() {
        return session.getServerSession().getIdentifier().getBinary("id").asUuid();
    }

    @Override
    public Snapshot read(Set<String> names, String writer) {
        return reading(() -> {
            Map<String, StoredLease> found = new TreeMap<>();
            names.forEach(name -> found.put(name, new StoredLease.Absent(name)));
            if (!names.isEmpty()) {
                find(byNames(names)).forEach(document -> put(found, leases.decode(document)));
            }
            return snapshot(List.copyOf(found.values()), writer);
        });
    }

    private static void put(Map<String, StoredLease> found, StoredLease lease) {
        found.put(lease.name(), lease);
    }

    private Bson byNames(Set<String> names) {
        BsonArray ids = new BsonArray();
        names.forEach(name -> ids.add(leases.id(name)));
        return new BsonDocument(Fields.ID, new BsonDocument("$in", ids));
    }

    @Override
    public Page page(@Nullable String belowId, int limit, String writer) {
        return reading(() -> {
            List<BsonDocument> found = find(below(belowId))
                    .sort(new BsonDocument(Fields.ID, new BsonInt32(ID_DESCENDING)))
                    .limit(limit)
                    .into(new ArrayList<>());
            List<StoredLease> page = found.stream().map(leases::decode).toList();
            String lastId = found.size() < limit
                    ? null
                    : found.get(limit - 1).getString(Fields.ID).getValue();
            return new Page(snapshot(page, writer), lastId);
        });
    }

    /** All ids of the namespace's leases lie between these two, since '$' follows '#'. */
    private Bson below(@Nullable String belowId) {
        return new BsonDocument(
                Fields.ID,
                new BsonDocument("$gte", new BsonString(namespace + "#"))
                        .append("$lt", new BsonString(belowId == null ? namespace + "$" : belowId)));
    }

    @Override
    public Collection<WriterEntry> writers() {
        return reading(() -> clocks.decode(find(clockId()).first()).writers().values());
    }

    /** The leases come first: a writer that joins and claims between the two reads would seem to be absent otherwise. */
    private Snapshot snapshot(List<StoredLease> found, String writer) {
        Set<String> writers = new TreeSet<>(Set.of(writer));
        for (StoredLease lease : found) {
            if (lease instanceof StoredLease.Sound sound) {
                writers.add(sound.document().writer());
            }
        }
        return new Snapshot(found, clock(writers));
    }

    private ClockDocument clock(Set<String> writers) {
        List<String> wanted = new ArrayList<>(List.of(Fields.TYPE, Fields.SCHEMA, Fields.TICKS, Fields.TOKEN_FLOOR));
        return clocks.decode(find(clockId()).projection(projection(wanted, writers)).first());
    }

    private BsonDocument clockId() {
        return new BsonDocument(Fields.ID, new BsonString(namespace));
    }

    private static Bson projection(List<String> fields, Set<String> writers) {
        writers.forEach(writer -> fields.add(Fields.entry(writer)));
        return Projections.include(fields);
    }

    private FindIterable<BsonDocument> find(Bson filter) {
        return documents.find(session, filter).maxTime(commandBudgetMillis, TimeUnit.MILLISECONDS);
    }

    private <T> T reading(Supplier<T> read) {
        try {
            return read.get();
        } catch (LeaseException e) {
            throw e;
        } catch (RuntimeException e) {
            throw errors.ofRead(e);
        }
    }

    @Override
    public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        List<WriteModel<BsonDocument>> models = statements.of(transaction);
        try {
            session.startTransaction(options());
            if (matched(documents.bulkWrite(session, models)) != models.size()) {
                session.abortTransaction();
                return WriteOutcome.MISSED;
            }
        } catch (RuntimeException e) {
            abort();
            return errors.ofUpdate(e);
        }
        if (!mayCommit.getAsBoolean()) {
            session.abortTransaction();
            return WriteOutcome.WITHHELD;
        }
        return commitAgain();
    }

    private TransactionOptions options() {
        return TransactionOptions.builder()
                .readConcern(transactionReadConcern)
                .writeConcern(WriteConcern.MAJORITY)
                .readPreference(ReadPreference.primary())
                .maxCommitTime(commandBudgetMillis, TimeUnit.MILLISECONDS)
                .build();
    }

    /** A guard that misses stops nothing: the later statements were carried out, and only the counts tell. */
    private static int matched(BulkWriteResult result) {
        return result.getMatchedCount() + result.getUpserts().size() + result.getDeletedCount();
    }

    private void abort() {
        if (session.hasActiveTransaction()) {
            session.abortTransaction();
        }
    }

    @Override
    public WriteOutcome commitAgain() {
        try {
            session.commitTransaction();
            return WriteOutcome.APPLIED;
        } catch (RuntimeException e) {
            return errors.ofCommit(e);
        }
    }

    @Override
    public WriteOutcome writeClock(ClockWrite write) {
        UpdateOneModel<BsonDocument> model = statements.of(write);
        try {
            Bson change = Objects.requireNonNull(model.getUpdate());
            long matched = documents.updateOne(session, model.getFilter(), change).getMatchedCount();
            return matched == 1 ? WriteOutcome.APPLIED : WriteOutcome.MISSED;
        } catch (RuntimeException e) {
            return errors.ofSingleWrite(e);
        }
    }

    @Override
    public void close() {
        try {
            session.close();
        } catch (RuntimeException e) {
            // The client may be closed already; the server ends what is open by itself.
        }
    }
}
