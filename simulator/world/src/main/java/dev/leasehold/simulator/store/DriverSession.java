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
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the driver does for one session of a client: transactions, one after the other, and writes between them. */
final class DriverSession {

    /** For how long the driver runs a body again and again. */
    private static final long PATIENCE_NANOS = 120_000_000_000L;

    private static final double BACKOFF_FIRST_NANOS = 5_000_000;
    private static final double BACKOFF_LAST_NANOS = 500_000_000;
    private static final double BACKOFF_GROWTH = 1.5;

    private final Server server;
    private final SimulatedProcess simulatedProcess;
    private final ServerSession session;
    /** Whose it is, as the first word of what is sent; empty for an engine's. */
    private final String whose;

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
    private long seenPoint;

    private DriverSession(
            Server server,
            SimulatedProcess simulatedProcess,
            UUID id,
            boolean engines,
            Supplier<Author> author,
            Runnable onStart) {
        this.server = server;
        this.simulatedProcess = simulatedProcess;
        int machine = simulatedProcess.simulatedMachine().number();
        // An engine ends what it has begun, by its next write at the latest.
        this.session = engines
                ? server.primary().engineSession(id, machine, ofNumber -> simulatedProcess.isAlive())
                : server.primary().session(id, machine, this::isAt);
        this.whose = engines ? "" : "caller's ";
        this.author = author;
        this.onStart = onStart;
    }

    /**
     * That of an engine, which nobody has used yet.
     *
     * @param author of what is committed
     */
    static DriverSession ofEngine(Server server, SimulatedProcess simulatedProcess, UUID id, Author author) {
        return new DriverSession(server, simulatedProcess, id, true, () -> author, () -> {});
    }

    /**
     * That of a caller, which nobody has used yet.
     *
     * @param author of what is committed, asked when the commit is sent
     * @param onStart told of each transaction before it begins
     */
    static DriverSession ofCaller(
            Server server, SimulatedProcess simulatedProcess, UUID id, Supplier<Author> author, Runnable onStart) {
        return new DriverSession(server, simulatedProcess, id, false, author, onStart);
    }

    /** Whether it will end the transaction of that number, if it has not already. */
    private boolean isAt(long ofNumber) {
        return simulatedProcess.isAlive() && ofNumber == number && !abandoned;
    }

    boolean isActive() {
        return active;
    }

    /** That of the last transaction or write that was started. */
    long number() {
        return number;
    }

    /** For a write of its own. */
    long nextNumber() {
        return ++number;
    }

    /** Those of the transaction that is under way, or was last. */
    TransactionOptions options() {
        return options;
    }

    /** Up to where it knows the log. */
    long seenPoint() {
        return seenPoint;
    }

    void hasSeen(long point) {
        seenPoint = Math.max(seenPoint, point);
    }

    // ---- transactions ----

    /** Something of it counts as sent. Returns whether it was the first. */
    boolean sent() {
        boolean first = !sent;
        sent = true;
        return first;
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

    /** One command of the transaction. */
    Counts write(String what, List<? extends Statement> statements) {
        long ofNumber = number;
        int part = parts++;
        return inTransaction(send(
                whose + what, answer -> server.primary().update(session, ofNumber, part, statements, answer::give)));
    }

    /** A caller's read of a document. */
    @Nullable Document read(String what, String id) {
        long ofNumber = number;
        int part = parts++;
        Primary.Found found = answered(
                send(whose + what, answer -> server.primary().read(session, ofNumber, part, id, answer::give)));
        if (found.kind() != Counts.Kind.DONE) {
            throw DriverErrors.noSuchTransaction();
        }
        return found.document();
    }

    /** The driver does not know that the transaction is over with an error. */
    private Counts inTransaction(Reply<Counts> reply) {
        Counts counts = answered(reply);
        hasSeen(counts.point());
        if (counts.kind() != Counts.Kind.DONE) {
            throw DriverErrors.of(counts);
        }
        return counts;
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
    private <T> Reply<T> send(String what, SimulatedNetwork.Request<T> request) {
        boolean[] delivered = new boolean[1];
        return exchange(what, server.commandNanos(), answer -> {
            if (!delivered[0]) {
                delivered[0] = true;
                request.execute(answer);
            }
        });
    }

    private <T> Reply<T> exchange(String what, long patienceNanos, SimulatedNetwork.Request<T> request) {
        return server.simulatedNetwork().exchange(simulatedProcess, what, patienceNanos, answer -> {
            if (answer.isLate()) {
                server.reached(simulatedProcess.simulatedMachine().number(), Marks.EXECUTED_LATE);
            }
            request.execute(answer);
        });
    }

    /** One of which nothing has reached the server is over without a word. One that was committed is committed again. */
    void commit() {
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
            server.reached(simulatedProcess.simulatedMachine().number(), Marks.COMMIT_REPEATED);
        }
        long ofNumber = number;
        Author as = author.get();
        Reply<Counts> reply = exchange(
                whose + (again ? "commit again" : "commit"),
                server.commandNanos(),
                answer -> server.primary().commit(session, ofNumber, as, answer::give));
        Counts counts = reply.answer();
        if (counts == null) {
            throw DriverErrors.atCommit(reply.networkFault());
        }
        hasSeen(counts.point());
        if (counts.kind() != Counts.Kind.DONE) {
            throw DriverErrors.of(counts);
        }
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
        exchange(
                whose + "abort",
                server.commandNanos(),
                answer -> server.primary().abort(session, ofNumber, answer::give));
    }

    /** Runs the body, and again where the driver would, on the clock of the client's machine. */
    <T> T run(TransactionBody<T> body) {
        long beginNanos = simulatedProcess.simulatedMachine().monotonicNanos();
        for (int attempt = 0; ; attempt++) {
            backOff(attempt);
            start(TransactionOptions.builder().build());
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

    // ---- outside of transactions ----

    /**
     * Statements without a transaction, each for itself.
     *
     * @param ofNumber that of the write
     * @param waitNanos how long the server waits behind others
     * @param majorityNanos how long it then waits for a majority
     * @param as who writes
     */
    Counts write(
            String what,
            long ofNumber,
            List<? extends Statement> statements,
            long waitNanos,
            long majorityNanos,
            Author as) {
        Reply<Counts> reply = exchange(
                what,
                waitNanos + server.commandNanos(),
                answer -> server.primary()
                        .write(session, ofNumber, statements, waitNanos, majorityNanos, as, answer::give));
        Counts counts = reply.answer();
        if (counts == null) {
            throw DriverErrors.of(reply.networkFault());
        }
        hasSeen(counts.point());
        return counts;
    }

    /** Asks the server something. */
    static <T> T asked(
            Server server,
            SimulatedProcess simulatedProcess,
            String what,
            Consumer<SimulatedNetwork.Answer<T>> question) {
        Reply<T> reply =
                server.simulatedNetwork().exchange(simulatedProcess, what, server.commandNanos(), question::accept);
        T answer = reply.answer();
        if (answer == null) {
            throw DriverErrors.of(reply.networkFault());
        }
        return answer;
    }
}
