package dev.leasehold.simulator.store;

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
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.world.NetworkFault;
import dev.leasehold.simulator.world.ProcessKilled;
import dev.leasehold.simulator.world.Reply;
import dev.leasehold.simulator.world.SimulatedNetwork;
import dev.leasehold.simulator.world.SimulatedProcess;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The client's side of the simulated database, as an engine uses it. */
final class SimulatedStore implements LeaseStore {

    /** How long the server lets writes of one document wait, as the real store asks it to. */
    private static final long CLOCK_WAIT_NANOS = 1_050_000_000;

    private static final long LEASE_WAIT_NANOS = 100_000_000;

    private final Server server;
    private final SimulatedProcess simulatedProcess;
    private final Partition partition;
    private final String namespace;
    private final ServerSession session;
    private final Author transactions;
    private final Author singleWrites;
    private final StoreReads reads;
    private long number;
    private boolean mayBeOpen;
    private boolean commitCanBeRepeated;
    /** When the server made the list that was last received. */
    private long listedNanos = Long.MAX_VALUE;

    SimulatedStore(Server server, SimulatedProcess simulatedProcess, Partition partition, UUID driverSession) {
        this.server = server;
        this.simulatedProcess = simulatedProcess;
        this.partition = partition;
        this.namespace = partition.id();
        int machine = simulatedProcess.simulatedMachine().number();
        // An engine ends what it has begun, by its next write at the latest.
        this.session = server.primary().engineSession(driverSession, machine, ofNumber -> simulatedProcess.isAlive());
        int incarnation = simulatedProcess.incarnation();
        this.transactions = new Author(Author.Kind.TRANSACTION, machine, incarnation, -1, null, null);
        this.singleWrites = new Author(Author.Kind.SINGLE_WRITE, machine, incarnation, -1, null, null);
        this.reads = new StoreReads(server, simulatedProcess, partition);
    }

    @Override
    public void open() {
        Reply<Counts> reply =
                write("open", List.of(new ClockStatements.IfNone(namespace, partition.count())), CLOCK_WAIT_NANOS);
        if (reply.answer() == null) {
            throw Outcomes.unavailable(reply.networkFault());
        }
        reads.writers();
    }

    @Override
    public UUID driverSession() {
        return session.id();
    }

    // ---- reads ----

    @Override
    public Snapshot read(Set<String> names, String writer) {
        return reads.byName(names, writer);
    }

    @Override
    public Page page(@Nullable String belowId, int limit, String writer) {
        return reads.page(belowId, limit, writer);
    }

    @Override
    public Collection<WriterEntry> writers() {
        return reads.writers();
    }

    @Override
    public ClockSurvey survey() {
        return reads.survey();
    }

    @Override
    public LeaseChanges changes() {
        return new SimulatedChanges(server, simulatedProcess, partition);
    }

    // ---- transactions ----

    @Override
    public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        commitCanBeRepeated = false;
        number++;
        mayBeOpen = true;
        try {
            WriteOutcome refusal = whyNotToCommit(new Statements(namespace, transaction));
            if (refusal != null) {
                return refusal;
            }
            if (!mayCommit.getAsBoolean()) {
                return WriteOutcome.WITHHELD;
            }
            mayBeOpen = false;
            WriteOutcome outcome = sendCommit("commit");
            if (outcome.verdict() == Verdict.APPLIED) {
                noteCommitted(transaction);
            }
            return outcome;
        } finally {
            abortOpenTransaction();
        }
    }

    private void noteCommitted(GuardedTransaction transaction) {
        if (transaction.writes().size() > 1) {
            server.reached(session.machine(), Marks.BATCH);
        }
        if (partition.index() > 0) {
            server.reached(session.machine(), Marks.FURTHER_PARTITION);
        }
    }

    /** Sends the statements; null if the transaction is now open and all its guards held. */
    private @Nullable WriteOutcome whyNotToCommit(Statements statements) {
        boolean missed = false;
        int part = 0;
        for (Statements.Part next : statements.parts()) {
            WriteOutcome refusal = Outcomes.beforeCommit(
                    update(part, next), next.statements().size(), statements.areBehindTheClock(part));
            missed |= refusal == WriteOutcome.MISSED;
            boolean goesOn = refusal == WriteOutcome.MISSED && mayBeOpen && next.isFollowedAnyway();
            if (refusal != null && !goesOn) {
                return noted(refusal);
            }
            part++;
        }
        return missed ? noted(WriteOutcome.MISSED) : null;
    }

    private WriteOutcome noted(WriteOutcome outcome) {
        if (outcome == WriteOutcome.MISSED) {
            server.reached(session.machine(), Marks.MISSED);
        }
        return outcome;
    }

    private Reply<Counts> update(int part, Statements.Part statements) {
        long ofNumber = number;
        Reply<Counts> reply = send(
                statements.what(),
                server.commandNanos(),
                answer -> server.primary().update(session, ofNumber, part, statements.statements(), answer::give));
        if (reply.answer() == null) {
            mayBeOpen &= part > 0 || reply.networkFault() != NetworkFault.NOT_SENT;
        } else {
            mayBeOpen = reply.answer().kind() == Counts.Kind.DONE;
        }
        return reply;
    }

    private WriteOutcome sendCommit(String what) {
        long ofNumber = number;
        WriteOutcome outcome = Outcomes.ofCommit(send(
                what,
                server.commandNanos(),
                answer -> server.primary().commit(session, ofNumber, transactions, answer::give)));
        commitCanBeRepeated = outcome.verdict() == Verdict.UNKNOWN;
        return outcome;
    }

    @Override
    public WriteOutcome commitAgain() {
        if (!commitCanBeRepeated) {
            return Outcomes.commitCannotBeRepeated();
        }
        server.reached(session.machine(), Marks.COMMIT_REPEATED);
        return sendCommit("commit again");
    }

    /** An answer that fails to come changes nothing. */
    private void abortOpenTransaction() {
        if (mayBeOpen) {
            mayBeOpen = false;
            long ofNumber = number;
            send("abort", server.commandNanos(), answer -> server.primary().abort(session, ofNumber, answer::give));
        }
    }

    // ---- writes of one document ----

    @Override
    public WriteOutcome writeClock(ClockWrite write) {
        List<Statement> statements = List.of(new ClockStatements.Alone(namespace, partition.count(), write));
        return noted(
                Outcomes.ofSingleWrite(write(nameOf(write), statements, CLOCK_WAIT_NANOS), 1, "the clock document"));
    }

    private static String nameOf(ClockWrite write) {
        return write.getClass().getSimpleName();
    }

    @Override
    public WriteOutcome writeLeases(String writer, List<LeaseWrite.Replace> writes) {
        LeaseWrite.requireSingle(writes);
        List<Statement> statements = new ArrayList<>(writes.size());
        for (LeaseWrite.Replace write : writes) {
            statements.add(new LeaseStatements.OfEngine(Ids.lease(namespace, write.name()), write));
        }
        return noted(Outcomes.ofSingleWrite(
                write("write leases", statements, LEASE_WAIT_NANOS), writes.size(), "one of the leases"));
    }

    private Reply<Counts> write(String what, List<Statement> statements, long waitNanos) {
        commitCanBeRepeated = false;
        long ofNumber = ++number;
        return send(
                what,
                waitNanos + server.commandNanos(),
                answer -> server.primary().write(session, ofNumber, statements, waitNanos, singleWrites, answer::give));
    }

    private Reply<Counts> send(String what, long patienceNanos, SimulatedNetwork.Request<Counts> request) {
        Reply<Counts> reply = server.simulatedNetwork().exchange(simulatedProcess, what, patienceNanos, answer -> {
            if (answer.isLate()) {
                server.reached(session.machine(), Marks.EXECUTED_LATE);
            }
            request.execute(answer);
        });
        if (reply.answer() != null) {
            reads.hasSeen(reply.answer().point());
        }
        return reply;
    }

    // ---- rescue ----

    /** What the server has listed, and when it did. */
    private record Listed(long atNanos, List<IdleTransaction> transactions) {}

    @Override
    public List<IdleTransaction> idleTransactions() {
        Listed listed = answered(server.simulatedNetwork()
                .exchange(simulatedProcess, "list transactions", server.commandNanos(), answer -> {
                    List<IdleTransaction> found = new ArrayList<>();
                    for (ServerTransaction open : server.primary().open()) {
                        found.add(new IdleTransaction(
                                open.session().id(),
                                open.session().number(),
                                open.activeNanos(),
                                server.simulation().nowNanos() - open.openedNanos()));
                    }
                    answer.give(new Listed(server.simulation().nowNanos(), found));
                }));
        listedNanos = listed.atNanos();
        return listed.transactions();
    }

    @Override
    public void endTransactions(Collection<UUID> driverSessions) {
        List<UUID> ended = List.copyOf(driverSessions);
        // Until this arrives there may be another list.
        long sinceNanos = listedNanos;
        answered(server.simulatedNetwork()
                .exchange(simulatedProcess, "kill sessions", server.commandNanos(), answer -> {
                    server.primary().kill(ended, transaction -> noteEnded(transaction, sinceNanos));
                    answer.give(Boolean.TRUE);
                }));
    }

    /** Whoever has gone on since the server was asked is ended too, which nobody can help. */
    private void noteEnded(ServerTransaction transaction, long sinceNanos) {
        long nowNanos = server.simulation().nowNanos();
        boolean wentOn = transaction.restsSinceNanos() > sinceNanos;
        if (transaction.session().isEngines()) {
            Event.Rest rest = server.primary()
                    .registeredBy(transaction.session().id())
                    .filter(writer -> !wentOn)
                    .map(writer -> new Event.Rest(writer, nowNanos - transaction.restsSinceNanos()))
                    .orElse(null);
            server.simulation().record(new Event.Reached(nowNanos, session.machine(), Marks.RESCUED, rest));
        } else {
            server.reached(session.machine(), Marks.CALLER_ENDED);
        }
    }

    private static <T> T answered(Reply<T> reply) {
        T answer = reply.answer();
        if (answer == null) {
            throw Outcomes.unavailable(reply.networkFault());
        }
        return answer;
    }

    @Override
    public void close() {
        commitCanBeRepeated = false;
        try {
            abortOpenTransaction();
        } catch (ProcessKilled e) {
            // Nothing of a program that is no more is left to be ended by it.
        }
    }
}
