package dev.leasehold.engine.internal.mongo;

import com.mongodb.MongoException;
import com.mongodb.MongoNamespace;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.UpdateOptions;
import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.internal.mongo.changes.TenureChanges;
import dev.leasehold.engine.internal.mongo.connection.DeploymentCheck;
import dev.leasehold.engine.internal.mongo.connection.StoreContext;
import dev.leasehold.engine.internal.mongo.connection.StoreSessions;
import dev.leasehold.engine.internal.mongo.documents.ClockCodec;
import dev.leasehold.engine.internal.mongo.documents.DriftCheck;
import dev.leasehold.engine.internal.mongo.documents.Fields;
import dev.leasehold.engine.internal.mongo.documents.Guards;
import dev.leasehold.engine.internal.mongo.documents.Updates;
import dev.leasehold.engine.internal.mongo.errors.ErrorKind;
import dev.leasehold.engine.internal.store.ClockStamps;
import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.IdleTransaction;
import dev.leasehold.engine.internal.store.LeaseChanges;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A {@link LeaseStore} in a MongoDB collection.
 *
 * <p>A transaction is two commands: an {@code update} with all statements, the clock document's first, and a {@code
 * commitTransaction} with write concern majority. Removals are a {@code delete} in between. Writes without a transaction
 * are one {@code update} each, in the same driver session. The client's concerns, read preference and codecs do not
 * matter. The client must stay open while the store is open; the store does not close it.
 *
 * <p>The command budget bounds reads and commits, and the wait of single writes for a majority, besides the client's
 * server selection timeout. A single write that waits for another open transaction is cancelled by the server. If the
 * application has set a timeout on its client, these limits include the server selection, and the shorter of both counts.
 */
public final class MongoLeaseStore implements LeaseStore {

    private static final BulkWriteOptions ORDERED = new BulkWriteOptions().ordered(true);
    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

    /** How much the time limit of a commit exceeds that of its write concern. {@link StoreContext#MARGIN_MILLIS} says why. */
    private static final long COMMIT_MARGIN_MILLIS = 1_000;

    private final StoreContext context;
    private final StoreSessions sessions;
    private final StoreReads reads;
    private final SingleWrites singleWrites;
    private final IdleTransactions idleTransactions;
    private final OccurrenceRecords occurrences;

    private ReadConcern readConcern = ReadConcern.LOCAL;
    private boolean commitCanBeRepeated;

    /**
     * A store that has not sent anything yet.
     *
     * @param client stays open until the store is closed
     * @param collection may hold several namespaces; created if it does not exist
     * @param commandBudgetNanos at least a millisecond; truncated to whole milliseconds
     */
    public MongoLeaseStore(
            MongoClient client,
            String database,
            String collection,
            Partition partition,
            long commandBudgetNanos,
            String instance,
            long driftPpm) {
        this(
                StoreContext.of(client, new MongoNamespace(database, collection), partition, commandBudgetNanos),
                new DriftCheck(partition.id(), instance, driftPpm));
    }

    MongoLeaseStore(StoreContext context, DriftCheck drifts) {
        this.context = context;
        this.sessions = context.read(() -> new StoreSessions(context.client(), context.namespace()));
        this.reads = new StoreReads(context, sessions, drifts);
        this.singleWrites = new SingleWrites(context, sessions, drifts.ppm());
        this.idleTransactions = new IdleTransactions(context);
        this.occurrences = new OccurrenceRecords(context, sessions, reads);
    }

    private TransactionOptions transactionOptions() {
        long commitMillis = context.limitMillis() + COMMIT_MARGIN_MILLIS;
        TransactionOptions.Builder options = TransactionOptions.builder()
                .readConcern(readConcern)
                .writeConcern(WriteConcern.MAJORITY.withWTimeout(context.limitMillis(), TimeUnit.MILLISECONDS))
                .readPreference(ReadPreference.primary())
                .maxCommitTime(commitMillis, TimeUnit.MILLISECONDS);
        // The driver then ignores the time of the commit, and grants this to the statements and again to the commit.
        Long driverLimitMillis = context.driverLimitMillis(commitMillis);
        return (driverLimitMillis == null ? options : options.timeout(driverLimitMillis, TimeUnit.MILLISECONDS))
                .build();
    }

    @Override
    public void open() {
        BsonDocument hello = context.read(() -> new DeploymentCheck(context.place()).run(context, sessions.reading()));
        if (DeploymentCheck.isMongos(hello)) {
            // Across shards, only a snapshot shows the same moment on every shard.
            readConcern = ReadConcern.SNAPSHOT;
            reads.sharded();
        }
        boolean exists = reads.hasClock();
        if (!exists) {
            requireNoLease();
        }
        context.read(this::createClock);
        if (!exists) {
            reads.survey();
        }
    }

    /** The first lease of another engine may be newer than the look at the clock document. */
    private void requireNoLease() {
        if (reads.hasLeases() && !reads.hasClock()) {
            // What its engines acknowledged is lost, and a holder may be alive.
            throw CorruptDocumentException.ofMissingClock(context.namespace(), Fields.ID);
        }
    }

    /**
     * Creates the clock document if there is none. Two engines may do this at once, and both succeed. Sent in any case,
     * since it shows whether the engine has the rights that it needs.
     */
    private boolean createClock() {
        try {
            long tokenFloor = ClockCodec.tokenFloorAt(sessions.reading().getOperationTime());
            BsonDocument clock = Updates.clockIfNone(context.partition(), tokenFloor);
            context.readable().updateOne(sessions.writing(), Guards.clockId(context.namespace()), clock, UPSERT);
            return true;
        } catch (MongoException e) {
            if (ErrorKind.of(e) != ErrorKind.DUPLICATE_KEY) {
                throw e;
            }
            return false;
        }
    }

    @Override
    public String servers() {
        return "the driver sees " + context.client().getClusterDescription().getShortDescription();
    }

    @Override
    public UUID driverSession() {
        return sessions.writingId();
    }

    @Override
    public Snapshot read(Set<String> names, String writer) {
        return reads.byName(names, writer);
    }

    @Override
    public Page page(@Nullable String belowId, int limit, String writer) {
        return reads.page(belowId, limit, writer);
    }

    @Override
    public ClockSurvey survey() {
        return reads.survey();
    }

    @Override
    public ClockStamps stamps(String writer) {
        return reads.stamps(writer);
    }

    @Override
    public @Nullable OccurrenceRecord occurrence(String lease, String occurrence) {
        return occurrences.find(lease, occurrence);
    }

    @Override
    public List<OccurrenceRecord> occurrences(String lease, int limit) {
        return occurrences.last(lease, limit);
    }

    @Override
    public boolean forgetOccurrence(OccurrenceRecord record) {
        return occurrences.forget(record);
    }

    @Override
    public Removal removeOldOccurrences(@Nullable String belowId, int limit, long retentionNanos) {
        return occurrences.removeOld(belowId, limit, retentionNanos);
    }

    @Override
    public QueuePage queues(@Nullable String belowId, int limit) {
        return reads.queues(belowId, limit);
    }

    @Override
    public Removal tidyQueues(@Nullable String belowId, int limit) {
        return reads.tidyQueues(belowId, limit);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The commit is sent only after the update has returned its counts: the driver reports a commit as done if the
     * update never reached a server. In all other cases the transaction is aborted, because an open one blocks the
     * clock document for all engines.
     */
    @Override
    public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        commitCanBeRepeated = false;
        sessions.usedBy(transaction.clock().writer());
        try {
            return openTransaction(transaction)
                    .orElseGet(() -> mayCommit.getAsBoolean() ? sendCommit() : WriteOutcome.WITHHELD);
        } finally {
            sessions.abortOpenTransaction();
        }
    }

    /** Sends the statements. Empty if the transaction is open and all its guards held. */
    private Optional<WriteOutcome> openTransaction(GuardedTransaction transaction) {
        Statements statements = new Statements(context.namespace(), transaction);
        if (!transaction.clockApart()) {
            return failureOf(() -> begin(statements.together()), context.errorMapper()::beforeCommit);
        }
        return failureOf(() -> begin(statements.clock()), context.errorMapper()::beforeCommit)
                .or(() -> failureOf(() -> send(statements.leases()), context.errorMapper()::afterClockStatement));
    }

    private boolean begin(Statements.Part part) {
        sessions.writing().startTransaction(transactionOptions());
        return send(part);
    }

    private boolean send(Statements.Part part) {
        return part.allGuardsHeld(context.collection().bulkWrite(sessions.writing(), part.models(), ORDERED));
    }

    private static Optional<WriteOutcome> failureOf(
            BooleanSupplier sending, Function<RuntimeException, WriteOutcome> verdict) {
        try {
            return sending.getAsBoolean() ? Optional.empty() : Optional.of(WriteOutcome.MISSED);
        } catch (RuntimeException e) {
            return Optional.of(verdict.apply(e));
        }
    }

    private WriteOutcome sendCommit() {
        WriteOutcome outcome = outcomeOfCommit();
        commitCanBeRepeated = outcome.verdict() == Verdict.UNKNOWN;
        return outcome;
    }

    private WriteOutcome outcomeOfCommit() {
        try {
            sessions.writing().commitTransaction();
            return WriteOutcome.APPLIED;
        } catch (RuntimeException e) {
            return context.errorMapper().ofCommit(e);
        }
    }

    @Override
    public WriteOutcome commitAgain() {
        return commitCanBeRepeated ? sendCommit() : context.errorMapper().commitCannotBeRepeated();
    }

    @Override
    public WriteOutcome writeClock(ClockWrite write) {
        commitCanBeRepeated = false;
        if (!(write instanceof ClockWrite.Clear)) {
            // It names other writers than the one that writes.
            sessions.usedBy(write.writer());
        }
        return singleWrites.ofClock(write);
    }

    @Override
    public WriteOutcome writeLeases(String writer, List<? extends LeaseWrite.Alone> writes) {
        LeaseWrite.requireSingle(writes);
        commitCanBeRepeated = false;
        sessions.usedBy(writer);
        return singleWrites.ofLeases(writes);
    }

    @Override
    public LeaseChanges changes(boolean observing) {
        return new TenureChanges(context, observing);
    }

    @Override
    public List<IdleTransaction> idleTransactions() {
        return idleTransactions.list();
    }

    @Override
    public void endTransactions(Collection<UUID> driverSessions) {
        idleTransactions.end(driverSessions);
    }

    @Override
    public void close() {
        commitCanBeRepeated = false;
        sessions.close();
    }
}
