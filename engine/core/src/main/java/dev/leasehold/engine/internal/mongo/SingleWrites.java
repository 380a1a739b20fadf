package dev.leasehold.engine.internal.mongo;

import com.mongodb.MongoException;
import com.mongodb.MongoSocketException;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import dev.leasehold.engine.internal.mongo.connection.StoreContext;
import dev.leasehold.engine.internal.mongo.connection.StoreSessions;
import dev.leasehold.engine.internal.mongo.documents.Guards;
import dev.leasehold.engine.internal.mongo.documents.Updates;
import dev.leasehold.engine.internal.mongo.errors.ErrorKind;
import dev.leasehold.engine.internal.mongo.errors.UpdateException;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.WriteOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.RawBsonDocument;

/**
 * Writes single documents without a transaction, in the driver session of the transactions: one command for all
 * statements, as a retryable write that the server cancels after a time limit. The server applies the statements one
 * after the other. If it cancels one, those before it stay applied, and those after it never will be.
 *
 * <p>The driver's {@code updateOne} has no such limit, and is retryable only if the application left that option on. This
 * write always has a transaction number of its own, by which the server ends any transaction left open in the session.
 *
 * <p>The time limit of the command is later than that of its write concern, unless a statement has waited for longer
 * than it was allowed to, and for the margin. {@link StoreContext#MARGIN_MILLIS} says why.
 *
 * <p>A write with an unknown outcome may still wait on the server or in the network. It is over once a later write of
 * that session is done: the server runs the commands of a session one after the other, and refuses those with a lower
 * number than the last.
 */
final class SingleWrites {

    /** Slightly more than the second without progress after which the engine checks for a blocked clock document. */
    private static final long CLOCK_WAIT_MILLIS = 1_050;

    /** If a caller's transaction holds a lease, a transaction is better: it gets the conflict at once. */
    private static final long LEASE_WAIT_MILLIS = 100;

    /** A healthy majority acknowledges within this time; a slow one gets a second attempt with a longer limit. */
    private static final long USUAL_MAJORITY_MILLIS = 250;

    private final StoreContext context;
    private final StoreSessions sessions;
    private final long driftPpm;

    SingleWrites(StoreContext context, StoreSessions sessions, long driftPpm) {
        this.context = context;
        this.sessions = sessions;
        this.driftPpm = driftPpm;
    }

    WriteOutcome ofClock(ClockWrite write) {
        BsonDocument statement = statement(Guards.clock(context.partition(), write), Updates.clock(write, driftPpm));
        WriteOutcome outcome = send(List.of(statement), false, CLOCK_WAIT_MILLIS, context.errorMapper()::ofClockWrite);
        sessions.wrote(write, outcome.verdict());
        return outcome;
    }

    WriteOutcome ofLeases(List<? extends LeaseWrite.Alone> writes) {
        List<BsonDocument> statements = new ArrayList<>(writes.size());
        int queues = 0;
        for (LeaseWrite.Alone write : writes) {
            LeaseWrite.OfQueue ofQueue =
                    write instanceof LeaseWrite.Replace replace ? replace.withdrawn() : (LeaseWrite.OfQueue) write;
            if (ofQueue != null) {
                statements.add(queues++, upsert(ofQueue));
            }
            if (write instanceof LeaseWrite.Replace replace) {
                statements.add(
                        statement(Guards.lease(context.namespace(), replace), Updates.nextOf(replace.document())));
            }
        }
        return behindQueues(statements, queues);
    }

    /** Sends all, and again what is behind a statement of a queue that the server has refused: those before it are done. */
    private WriteOutcome behindQueues(List<BsonDocument> statements, int queues) {
        if (statements.isEmpty()) {
            return WriteOutcome.APPLIED;
        }
        int[] refused = {-1};
        WriteOutcome outcome = send(statements, queues > 0, LEASE_WAIT_MILLIS, failure -> {
            if (failure instanceof UpdateException update && update.index() < queues && isOfContent(update)) {
                refused[0] = update.index();
            }
            return context.errorMapper().ofLeaseWrites(failure);
        });
        return refused[0] < 0
                ? outcome
                : behindQueues(statements.subList(refused[0] + 1, statements.size()), queues - refused[0] - 1);
    }

    private static boolean isOfContent(UpdateException failure) {
        ErrorKind kind = ErrorKind.of(failure);
        return failure.isRefused() && (kind == ErrorKind.REFUSED || kind == ErrorKind.DUPLICATE_KEY);
    }

    private BsonDocument upsert(LeaseWrite.OfQueue write) {
        return statement(Guards.queue(context.namespace(), write.name()), Updates.queue(context.namespace(), write))
                .append("upsert", BsonBoolean.TRUE);
    }

    private static BsonDocument statement(BsonDocument guard, BsonDocument change) {
        return new BsonDocument("q", guard).append("u", change);
    }

    /**
     * Sends the statements, and resends them once if the reply was lost or the majority was slow. By the transaction
     * number the server knows which of them were applied the first time.
     *
     * @param ordered whether one that is refused stops those after it
     * @param waitMillis the limit for all of them together to wait for other transactions
     */
    private WriteOutcome send(
            List<BsonDocument> statements,
            boolean ordered,
            long waitMillis,
            Function<RuntimeException, WriteOutcome> verdict) {
        sessions.forgetLastTransaction();
        ClientSession session = sessions.writing();
        try {
            BsonDocument command = new BsonDocument(
                            "update", new BsonString(context.place().getCollectionName()))
                    .append("updates", new BsonArray(statements))
                    .append("ordered", BsonBoolean.valueOf(ordered))
                    .append(
                            "txnNumber",
                            new BsonInt64(session.getServerSession().advanceTransactionNumber()));
            return matched(session, command, waitMillis) == statements.size()
                    ? WriteOutcome.APPLIED
                    : WriteOutcome.MISSED;
        } catch (RuntimeException e) {
            return verdict.apply(e);
        }
    }

    private int matched(ClientSession session, BsonDocument command, long waitMillis) {
        try {
            return matchedByMajority(session, command, waitMillis);
        } catch (MongoSocketException e) {
            return retryAfter(e, () -> matchedByMajority(session, command, waitMillis));
        }
    }

    /** Waits longer only for a missing majority, never for other transactions. */
    private int matchedByMajority(ClientSession session, BsonDocument command, long waitMillis) {
        try {
            return run(session, command, waitMillis, USUAL_MAJORITY_MILLIS);
        } catch (UpdateException e) {
            if (e.isRefused()) {
                throw e;
            }
            return retryAfter(e, () -> run(session, command, waitMillis, context.limitMillis()));
        }
    }

    /** The first attempt may still be waiting on the server, so a failure of the second is not final. */
    private static int retryAfter(MongoException first, IntSupplier second) {
        try {
            return second.getAsInt();
        } catch (RuntimeException e) {
            first.addSuppressed(e);
            throw first;
        }
    }

    /** The driver makes its own limit that of the command, and a command cannot have two. */
    private int run(ClientSession session, BsonDocument command, long waitMillis, long majorityMillis) {
        WriteConcern majority = WriteConcern.MAJORITY.withWTimeout(majorityMillis, TimeUnit.MILLISECONDS);
        command.append("writeConcern", majority.asDocument());
        long limitMillis = waitMillis + majorityMillis + StoreContext.MARGIN_MILLIS;
        if (context.driverLimitMillis(limitMillis) == null) {
            command.append("maxTimeMS", new BsonInt64(limitMillis));
        }
        // Raw: hardly anything of it is needed.
        BsonDocument answer = context.databaseWithin(context.place().getDatabaseName(), limitMillis)
                .runCommand(session, command, RawBsonDocument.class);
        UpdateException.throwIfAny(answer, command.getArray("updates").size());
        return answer.getNumber("n").intValue();
    }
}
