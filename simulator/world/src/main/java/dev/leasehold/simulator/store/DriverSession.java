package dev.leasehold.simulator.store;

import com.mongodb.MongoException;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.TransactionBody;
import com.mongodb.session.ServerSession;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.world.SimulatedNetwork;
import dev.leasehold.simulator.world.SimulatedNetwork.NetworkFault;
import dev.leasehold.simulator.world.SimulatedNetwork.Reply;
import dev.leasehold.simulator.world.SimulatedProcess;
import dev.leasehold.simulator.world.SimulatorFailure;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;

/**
 * A session of the driver, of an engine or of a caller: transactions, one after the other, and writes between them. The driver's
 * interface in front of it has what engines and assertions use.
 */
final class DriverSession {

    /** For how long the driver runs a body again and again. */
    private static final long RETRIES_NANOS = 120_000_000_000L;

    private static final double BACKOFF_FIRST_NANOS = 5_000_000;
    private static final double BACKOFF_LAST_NANOS = 500_000_000;
    private static final double BACKOFF_GROWTH = 1.5;
    private static final TransactionOptions NO_OPTIONS =
            TransactionOptions.builder().build();

    private final SimulatedDatabase database;
    private final Primary primary;
    private final SimulatedProcess process;
    private final UUID id;
    private final LogicalSession session;
    private final int machine;
    /** Null for an engine's. */
    private final @Nullable CallerSession caller;

    private final ClientSession proxy;
    private final ServerSession serverProxy;
    /** That of the last transaction or write that was started. */
    private long number;

    private int commands;
    private boolean active;
    /** Whether anything of the transaction was sent. */
    private boolean sent;
    /** Whether nothing of it will be sent any more. */
    private boolean abandoned;

    private TransactionOptions options = NO_OPTIONS;
    /** Up to where it knows the oplog. */
    private long seenPoint;

    /**
     * One that is not in use yet.
     *
     * @param caller that it belongs to; null for an engine's
     */
    DriverSession(SimulatedDatabase database, SimulatedProcess process, UUID id, @Nullable CallerSession caller) {
        this.database = database;
        this.primary = database.primary();
        this.process = process;
        this.id = id;
        this.machine = process.simulatedMachine().number();
        this.caller = caller;
        // An engine ends what it has begun, by its next write at the latest.
        this.session = primary.session(
                id, machine, caller == null, caller == null ? ofNumber -> process.isAlive() : this::isAt);
        this.proxy = Proxies.of(ClientSession.class, this, "session", this::onSession);
        this.serverProxy = Proxies.of(ServerSession.class, this, "server session", this::onServerSession);
    }

    /** Whether it will end the transaction of that number, if it has not already. */
    private boolean isAt(long ofNumber) {
        return process.isAlive() && ofNumber == number && !abandoned;
    }

    /** The session that the driver's interface stands for. */
    static DriverSession of(Object argument) {
        DriverSession session = Proxies.ownerOf(DriverSession.class, argument);
        if (session == null) {
            throw new IllegalStateException("this session is none of the database in memory that has the lease, so it"
                    + " cannot carry an assertion on it: " + argument);
        }
        return session;
    }

    ClientSession proxy() {
        return proxy;
    }

    UUID id() {
        return id;
    }

    @Nullable CallerSession caller() {
        return caller;
    }

    long seenPoint() {
        return seenPoint;
    }

    void hasSeen(long point) {
        seenPoint = Math.max(seenPoint, point);
    }

    /** The server in memory has no other way to answer. */
    static void requireMajority(WriteConcern concern) {
        if (!"majority".equals(concern.getWObject())) {
            throw new SimulatorFailure("a write of an engine without a majority: " + concern);
        }
    }

    // ---- the driver's interface ----

    private @Nullable Object onSession(Object self, String method, Object[] arguments) {
        switch (method) {
            case "getServerSession" -> {
                return serverProxy;
            }
            // It has no client that could start another session.
            case "getOriginator" -> {
                return null;
            }
            case "hasActiveTransaction" -> {
                return active;
            }
            case "notifyMessageSent" -> {
                boolean first = !sent;
                sent = true;
                return first;
            }
            case "getTransactionOptions" -> {
                return options;
            }
            case "getOperationTime" -> {
                return seenPoint == 0 ? null : new BsonTimestamp(seenPoint);
            }
            case "advanceOperationTime" -> {
                if (arguments[0] != null) {
                    hasSeen(((BsonTimestamp) arguments[0]).getValue());
                }
            }
            case "startTransaction" -> start(arguments.length == 0 ? NO_OPTIONS : (TransactionOptions) arguments[0]);
            case "commitTransaction" -> inside(this::commit);
            case "abortTransaction" -> inside(this::abort);
            case "close" -> {
                if (caller != null) {
                    inside(caller::close);
                }
            }
            case "withTransaction" -> {
                TransactionBody<?> body = (TransactionBody<?>) arguments[0];
                return boundary().inside(() -> run(() -> boundary().outside(body::execute)));
            }
            case "getClusterTime", "advanceClusterTime" -> {
                // One clock of the whole set says nothing more than the time of its operations.
            }
            default -> throw Proxies.unsupported(ClientSession.class, method);
        }
        return null;
    }

    private Object onServerSession(Object self, String method, Object[] arguments) {
        return switch (method) {
            case "getIdentifier" -> new BsonDocument("id", new BsonBinary(id));
            case "getTransactionNumber" -> number;
            case "advanceTransactionNumber" -> nextNumber();
            default -> throw Proxies.unsupported(ServerSession.class, method);
        };
    }

    ThreadBoundary boundary() {
        return caller == null ? ThreadBoundary.NONE : caller.boundary();
    }

    private void inside(Runnable call) {
        boundary().inside(() -> {
            call.run();
            return null;
        });
    }

    /** For a write of its own. */
    long nextNumber() {
        return ++number;
    }

    BsonDateTime serverTime() {
        return new BsonDateTime(TimeUnit.NANOSECONDS.toMillis(primary.nowNanos()));
    }

    // ---- messages ----

    private <T> Reply<T> exchange(String what, long patienceNanos, Consumer<SimulatedNetwork.Answer<T>> request) {
        return database.network().exchange(process, what, patienceNanos, answer -> {
            if (answer.isLate()) {
                primary.reached(machine, Marks.EXECUTED_LATE);
            }
            session.execute(() -> request.accept(answer));
        });
    }

    /** A command of the transaction. Drivers send it once: after a fail-over it would begin a transaction anew. */
    private <T> T send(String what, Consumer<SimulatedNetwork.Answer<T>> request) {
        boolean[] delivered = new boolean[1];
        Reply<T> reply = exchange(prefixed(what), database.commandNanos(), answer -> {
            if (!delivered[0]) {
                delivered[0] = true;
                request.accept(answer);
            }
        });
        sent |= reply.networkFault() != NetworkFault.NOT_SENT;
        T answer = reply.answer();
        if (answer == null) {
            throw DriverErrors.inTransaction(reply.networkFault());
        }
        return answer;
    }

    private String prefixed(String what) {
        return caller == null ? what : "caller's " + what;
    }

    // ---- transactions ----

    private void start(TransactionOptions with) {
        if (active) {
            throw new IllegalStateException("a transaction is under way");
        }
        if (caller == null) {
            requireMajority(Objects.requireNonNull(with.getWriteConcern()));
        } else {
            caller.onStart();
        }
        options = with;
        number++;
        commands = 0;
        active = true;
        sent = false;
        abandoned = false;
    }

    /** One command of the transaction. The driver does not know that the transaction is over with an error. */
    WriteResult write(String what, List<? extends Statement> statements) {
        long ofNumber = number;
        int command = commands++;
        WriteResult result = send(what, answer -> answer.give(primary.write(session, ofNumber, command, statements)));
        hasSeen(result.point());
        if (result.kind() != WriteResult.Kind.DONE) {
            throw DriverErrors.of(result);
        }
        return result;
    }

    /** Reads a document in the transaction. */
    @Nullable Document read(String what, String documentId) {
        long ofNumber = number;
        int command = commands++;
        Optional<Primary.Read> read =
                send(what, answer -> answer.give(primary.read(session, ofNumber, command, documentId)));
        return read.orElseThrow(DriverErrors::noSuchTransaction).document();
    }

    /** One of which nothing has reached the server is over without a message. One that was committed is committed again. */
    private void commit() {
        boolean again = !active;
        try {
            if (sent) {
                askForConcern();
                sendCommit(again);
            }
        } finally {
            active = false;
        }
    }

    /** The driver puts the concern into the command, which may keep it from being sent. */
    private void askForConcern() {
        WriteConcern concern = options.getWriteConcern();
        if (concern != null) {
            concern.asDocument();
        }
    }

    private void sendCommit(boolean again) {
        if (again) {
            primary.reached(machine, Marks.COMMIT_REPEATED);
        }
        long ofNumber = number;
        Author author = caller == null ? engine(Author.Kind.TRANSACTION) : caller.author();
        Reply<WriteResult> reply = exchange(
                prefixed(again ? "commit again" : "commit"),
                database.commandNanos(),
                answer -> primary.commit(session, ofNumber, author, answer::give));
        WriteResult result = reply.answer();
        if (result == null) {
            throw DriverErrors.atCommit(reply.networkFault());
        }
        hasSeen(result.point());
        if (result.kind() != WriteResult.Kind.DONE) {
            throw DriverErrors.of(result);
        }
    }

    private Author engine(Author.Kind kind) {
        return new Author(kind, machine, process.incarnation(), -1, null, null);
    }

    /** An answer that fails to come changes nothing. */
    void abort() {
        if (active && sent) {
            sendAbort();
        }
        active = false;
        sent = false;
        abandoned = true;
    }

    /** As with the driver, what keeps it from being sent is ignored. */
    private void sendAbort() {
        try {
            askForConcern();
        } catch (RuntimeException ignored) {
            return;
        }
        long ofNumber = number;
        this.<WriteResult>exchange(
                prefixed("abort"), database.commandNanos(), answer -> answer.give(primary.abort(session, ofNumber)));
    }

    /** Runs the body, and again where the driver would, on the clock of the client's machine. */
    private <T> T run(TransactionBody<T> body) {
        long beginNanos = process.simulatedMachine().monotonicNanos();
        for (int attempt = 0; ; attempt++) {
            backOff(attempt);
            start(NO_OPTIONS);
            try {
                T result = body.execute();
                if (active) {
                    commitUntilKnown(beginNanos);
                }
                return result;
            } catch (RuntimeException e) {
                abort();
                if (!mayRetry(e, MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL, beginNanos)) {
                    throw e;
                }
            }
        }
    }

    private void commitUntilKnown(long beginNanos) {
        while (true) {
            try {
                commit();
                return;
            } catch (MongoException e) {
                if (!mayRetry(e, MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL, beginNanos)) {
                    throw e;
                }
            }
        }
    }

    private boolean mayRetry(RuntimeException e, String label, long beginNanos) {
        return e instanceof MongoException failure
                && failure.hasErrorLabel(label)
                && process.simulatedMachine().monotonicNanos() - beginNanos < RETRIES_NANOS;
    }

    private void backOff(int attempt) {
        if (attempt > 0) {
            double most = Math.min(BACKOFF_LAST_NANOS, BACKOFF_FIRST_NANOS * Math.pow(BACKOFF_GROWTH, attempt - 1));
            process.pause(1 + process.simulatedMachine().seededRandom().upTo((long) most));
        }
    }

    // ---- outside of transactions ----

    /**
     * Statements of an engine without a transaction, each for itself.
     *
     * @param ofNumber that of the write
     * @param ordered whether a statement that is refused stops those after it
     * @param waitNanos how long the server waits behind transactions
     * @param majorityNanos how long it then waits for a majority
     */
    WriteResult write(
            String what,
            long ofNumber,
            List<? extends Statement> statements,
            boolean ordered,
            long waitNanos,
            long majorityNanos) {
        SingleWrite write =
                new SingleWrite(statements, ordered, waitNanos, majorityNanos, engine(Author.Kind.SINGLE_WRITE));
        Reply<WriteResult> reply = exchange(
                what,
                waitNanos + database.commandNanos(),
                answer -> primary.write(session, ofNumber, write, answer.isCutShort(), answer::give));
        WriteResult result = reply.answer();
        if (result == null) {
            throw DriverErrors.of(reply.networkFault());
        }
        hasSeen(result.point());
        return result;
    }
}
