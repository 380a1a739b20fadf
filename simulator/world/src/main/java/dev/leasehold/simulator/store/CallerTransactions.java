package dev.leasehold.simulator.store;

import com.mongodb.MongoException;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.TransactionBody;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.world.NetworkFault;
import dev.leasehold.simulator.world.Reply;
import dev.leasehold.simulator.world.SimulatedNetwork;
import dev.leasehold.simulator.world.SimulatedProcess;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The transactions of one driver session of a caller, one after the other, as the driver runs them. */
final class CallerTransactions {

    /** For how long the driver runs a body again and again. */
    private static final long PATIENCE_NANOS = 120_000_000_000L;

    private static final double BACKOFF_FIRST_NANOS = 5_000_000;
    private static final double BACKOFF_LAST_NANOS = 500_000_000;
    private static final double BACKOFF_GROWTH = 1.5;

    private final Server server;
    private final SimulatedProcess simulatedProcess;
    private final ServerSession session;
    private final Supplier<Author> author;
    private final Runnable onStart;
    private long number;
    private int parts;
    private boolean active;
    /** Whether anything of it was sent. */
    private boolean sent;
    /** Whether nothing of it will be sent any more. */
    private boolean abandoned;

    private TransactionOptions options = TransactionOptions.builder().build();

    /**
     * Those of a session that nobody has used yet.
     *
     * @param author of what is committed, asked when the commit is sent
     * @param onStart told of each transaction before it begins
     */
    CallerTransactions(
            Server server,
            SimulatedProcess simulatedProcess,
            UUID driverSession,
            Supplier<Author> author,
            Runnable onStart) {
        this.server = server;
        this.simulatedProcess = simulatedProcess;
        this.session = server.primary()
                .session(driverSession, simulatedProcess.simulatedMachine().number(), this::isAt);
        this.author = author;
        this.onStart = onStart;
    }

    /** Whether it will end the transaction of that number, if it has not already. */
    private boolean isAt(long ofNumber) {
        return simulatedProcess.isAlive() && ofNumber == number && !abandoned;
    }

    boolean isActive() {
        return active;
    }

    /** That of the last one that was started. */
    long number() {
        return number;
    }

    /** Those of the one that is under way, or was last. */
    TransactionOptions options() {
        return options;
    }

    /** Something of it counts as sent. Returns whether it was the first. */
    boolean sent() {
        boolean first = !sent;
        sent = true;
        return first;
    }

    void start() {
        start(TransactionOptions.builder().build());
    }

    void start(TransactionOptions with) {
        if (active) {
            throw new IllegalStateException("a transaction is under way");
        }
        onStart.run();
        options = with;
        number++;
        parts = 0;
        active = true;
        sent = false;
        abandoned = false;
    }

    /** Returns whether the document was found. */
    boolean update(Statement statement) {
        long ofNumber = number;
        int part = parts++;
        Counts counts = answered(sendOnce(
                "caller's update",
                answer -> server.primary().update(session, ofNumber, part, List.of(statement), answer::give)));
        refuse(counts.kind());
        return counts.matched() > 0;
    }

    /** What a body reads of its own accord. */
    @Nullable Document read(String id) {
        return read("caller's read", id);
    }

    /** What an assertion reads. */
    @Nullable Document find(String id) {
        return read("caller's find", id);
    }

    private @Nullable Document read(String what, String id) {
        long ofNumber = number;
        int part = parts++;
        Primary.Found found =
                answered(sendOnce(what, answer -> server.primary().read(session, ofNumber, part, id, answer::give)));
        refuse(found.kind());
        return found.document();
    }

    /** The driver does not know that the transaction is over with that. */
    private static void refuse(Counts.Kind kind) {
        if (kind != Counts.Kind.DONE) {
            throw kind == Counts.Kind.CONFLICT
                    ? DriverErrors.conflict()
                    : kind == Counts.Kind.DUPLICATE ? DriverErrors.duplicateKey() : DriverErrors.noSuchTransaction();
        }
    }

    private <T> T answered(Reply<T> reply) {
        sent |= reply.networkFault() != NetworkFault.NOT_SENT;
        T answer = reply.answer();
        if (answer == null) {
            throw DriverErrors.inTransaction(reply.networkFault());
        }
        return answer;
    }

    /** Drivers send a statement of a transaction once. Only a commit may come again; after a fail-over a statement would begin a transaction anew. */
    private <T> Reply<T> sendOnce(String what, SimulatedNetwork.Request<T> request) {
        boolean[] delivered = new boolean[1];
        return send(what, answer -> {
            if (!delivered[0]) {
                delivered[0] = true;
                request.execute(answer);
            }
        });
    }

    private <T> Reply<T> send(String what, SimulatedNetwork.Request<T> request) {
        return server.simulatedNetwork().exchange(simulatedProcess, what, server.commandNanos(), answer -> {
            if (answer.isLate()) {
                server.reached(simulatedProcess.simulatedMachine().number(), Marks.EXECUTED_LATE);
            }
            request.execute(answer);
        });
    }

    /** One of which nothing has reached the server is over without a word. */
    void commit() {
        try {
            if (sent) {
                askForConcern();
                sendCommit();
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

    private void sendCommit() {
        long ofNumber = number;
        Author as = author.get();
        Reply<Counts> reply =
                send("caller's commit", answer -> server.primary().commit(session, ofNumber, as, answer::give));
        if (reply.answer() == null) {
            throw DriverErrors.atCommit(reply.networkFault());
        }
        refuse(reply.answer().kind());
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

    /** As with the driver, what keeps it from being sent is passed over. */
    private void sendAbort() {
        try {
            askForConcern();
        } catch (RuntimeException ignored) {
            return;
        }
        long ofNumber = number;
        send("caller's abort", answer -> server.primary().abort(session, ofNumber, answer::give));
    }

    /** Runs the body, and again where the driver would, on the clock of the caller's machine. */
    <T> T run(TransactionBody<T> body) {
        long beginNanos = simulatedProcess.simulatedMachine().monotonicNanos();
        for (int attempt = 0; ; attempt++) {
            backOff(attempt);
            start();
            try {
                T result = body.execute();
                if (active) {
                    commitUntilKnown(beginNanos);
                }
                return result;
            } catch (RuntimeException e) {
                abort();
                if (!mayTryAgain(e, MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL, beginNanos)) {
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
                if (!mayTryAgain(e, MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL, beginNanos)) {
                    throw e;
                }
                server.reached(simulatedProcess.simulatedMachine().number(), Marks.COMMIT_REPEATED);
            }
        }
    }

    private boolean mayTryAgain(RuntimeException e, String label, long beginNanos) {
        return e instanceof MongoException failure
                && failure.hasErrorLabel(label)
                && simulatedProcess.simulatedMachine().monotonicNanos() - beginNanos < PATIENCE_NANOS;
    }

    private void backOff(int attempt) {
        if (attempt > 0) {
            double most = Math.min(BACKOFF_LAST_NANOS, BACKOFF_FIRST_NANOS * Math.pow(BACKOFF_GROWTH, attempt - 1));
            simulatedProcess.pause(
                    1 + simulatedProcess.simulatedMachine().seededRandom().upTo((long) most));
        }
    }
}
