package dev.leasehold.simulator.store;

import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.Faults;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.store.WriteResult.Kind;
import dev.leasehold.simulator.world.Simulation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** What the primary does with the commands of driver sessions. Everything happens at the instant at which it is asked for. */
final class Primary {

    private static final long NEVER = Long.MIN_VALUE;

    private final Simulation simulation;
    private final Oplog oplog;
    private final long lifetimeNanos;
    private final long sweepNanos;
    private final List<LogicalSession> sessions = new ArrayList<>();
    /** In the order in which they were begun. */
    private final List<ServerTransaction> open = new ArrayList<>();
    /** Which open transaction has written which document. */
    private final Map<String, ServerTransaction> locks = new HashMap<>();
    /** Behind those. */
    private final List<SingleWrite.Execution> waiting = new ArrayList<>();

    private long nextSweepNanos = NEVER;
    private boolean endsAbandoned;

    Primary(Simulation simulation, Oplog oplog, DatabaseConditions conditions) {
        this.simulation = simulation;
        this.oplog = oplog;
        this.lifetimeNanos = conditions.lifetimeNanos();
        this.sweepNanos = Math.max(1, conditions.sweepNanos());
    }

    Simulation simulation() {
        return simulation;
    }

    long nowNanos() {
        return simulation.nowNanos();
    }

    Oplog oplog() {
        return oplog;
    }

    List<ServerTransaction> open() {
        return open;
    }

    /** A driver session that is not in use yet. */
    LogicalSession session(UUID id, int machine, boolean ofEngine, LongPredicate isClientAt) {
        LogicalSession session = new LogicalSession(id, machine, ofEngine, isClientAt);
        sessions.add(session);
        return session;
    }

    void reached(int machine, String mark) {
        simulation.record(new Event.Reached(nowNanos(), machine, mark));
    }

    private WriteResult none(Kind kind) {
        return WriteResult.none(kind, oplog.newestPoint());
    }

    // ---- transactions ----

    /**
     * Statements in a transaction.
     *
     * @param command which command of the transaction it is; 0 begins it
     */
    WriteResult write(LogicalSession session, long number, int command, List<? extends Statement> statements) {
        ServerTransaction transaction = transaction(session, number, command);
        if (transaction == null) {
            return none(Kind.NO_SUCH_TRANSACTION);
        }
        WriteResult result = transaction.write(statements, locks, oplog, nowNanos());
        if (result.kind() == Kind.DONE) {
            return result;
        }
        end(transaction);
        if (result.kind() == Kind.CONFLICT) {
            reached(session.machine(), Marks.CONFLICT);
        } else if (result.errors().get(0).code() == DriverErrors.DUPLICATE_KEY) {
            reached(session.machine(), Marks.DUPLICATE);
        }
        return new WriteResult(result.kind(), 0, List.of(), 0, result.errors(), oplog.newestPoint());
    }

    /** What a transaction reads, which conflicts with no other; null if there is no such document. Empty if there is no such transaction. */
    Optional<Read> read(LogicalSession session, long number, int command, String id) {
        ServerTransaction transaction = transaction(session, number, command);
        return transaction == null ? Optional.empty() : Optional.of(new Read(transaction.read(id, nowNanos())));
    }

    /** A document as a transaction saw it. */
    record Read(@Nullable Document document) {}

    /** The transaction of that number whose next command this is. Its first one begins it, if it never was. */
    private @Nullable ServerTransaction transaction(LogicalSession session, long number, int command) {
        if (command == 0 && number > session.number()) {
            return begin(session, number);
        }
        ServerTransaction transaction = open(session, number);
        return transaction != null && transaction.commands() == command ? transaction : null;
    }

    private static @Nullable ServerTransaction open(LogicalSession session, long number) {
        return number == session.number() ? session.open() : null;
    }

    private @Nullable ServerTransaction begin(LogicalSession session, long number) {
        if (endsAbandoned && !session.isClientAt(number)) {
            return null;
        }
        moveTo(session, number);
        ServerTransaction transaction = new ServerTransaction(session, oplog.newest(), nowNanos());
        session.opened(transaction);
        open.add(transaction);
        scheduleSweep(nowNanos());
        return transaction;
    }

    /** What was open of a lower number ends. */
    private void moveTo(LogicalSession session, long number) {
        if (session.open() != null) {
            end(session.open());
        }
        session.moveTo(number);
    }

    /** Commits, now or a long time ago, and answers when a majority has it. */
    void commit(LogicalSession session, long number, Author author, Consumer<WriteResult> answer) {
        if (!session.hasCommitted(number)) {
            ServerTransaction transaction = open(session, number);
            if (transaction == null) {
                answer.accept(none(Kind.NO_SUCH_TRANSACTION));
                return;
            }
            commit(transaction, author);
        }
        long point = session.committedPoint();
        oplog.whenMajorityHas(point, () -> answer.accept(WriteResult.none(Kind.DONE, point)));
    }

    void commit(ServerTransaction transaction, Author author) {
        open.remove(transaction);
        unlock(transaction);
        if (!transaction.writes().isEmpty()) {
            oplog.write(author, transaction.writes());
        }
        transaction.session().committed(oplog.newestPoint());
        wakeWaiting();
    }

    /** Ends the transaction of that number, if it is open. */
    WriteResult abort(LogicalSession session, long number) {
        ServerTransaction transaction = open(session, number);
        if (transaction != null) {
            end(transaction);
        }
        return none(Kind.DONE);
    }

    /** Ends it without a trace. */
    void end(ServerTransaction transaction) {
        open.remove(transaction);
        transaction.session().opened(null);
        unlock(transaction);
        wakeWaiting();
    }

    /**
     * Ends what these sessions are at: an open transaction, or a write that waits.
     *
     * @param onEnd told of each transaction
     */
    void kill(List<UUID> driverSessions, Consumer<ServerTransaction> onEnd) {
        for (ServerTransaction transaction : List.copyOf(open)) {
            if (driverSessions.contains(transaction.session().id())) {
                onEnd.accept(transaction);
                end(transaction);
            }
        }
        for (SingleWrite.Execution write : List.copyOf(waiting)) {
            if (driverSessions.contains(write.session().id())) {
                write.stopWaiting(Kind.INTERRUPTED);
            }
        }
    }

    // ---- transactions that were open for too long ----

    /** A transaction was opened then. Sweeps at which none could be too old are left out. */
    private void scheduleSweep(long openedNanos) {
        if (nextSweepNanos == NEVER) {
            long tooOldNanos = openedNanos + lifetimeNanos;
            nextSweepNanos = tooOldNanos + Math.floorMod(-tooOldNanos, sweepNanos);
            simulation.at(nextSweepNanos, this::sweep);
        }
    }

    private void sweep() {
        long sweptNanos = nextSweepNanos;
        nextSweepNanos = NEVER;
        for (ServerTransaction transaction : List.copyOf(open)) {
            if (sweptNanos - transaction.openedNanos() >= lifetimeNanos) {
                simulation.record(new Event.Fault(sweptNanos, -1, Faults.LIFETIME, sweptNanos));
                end(transaction);
            }
        }
        if (!open.isEmpty()) {
            scheduleSweep(open.get(0).openedNanos());
        }
    }

    // ---- writes without a transaction, and the locks that they wait for ----

    /** Executed once however often it arrives. */
    void write(LogicalSession session, long number, SingleWrite write, boolean cutShort, Consumer<WriteResult> answer) {
        if (number < session.number()) {
            answer.accept(none(Kind.NO_SUCH_TRANSACTION));
            return;
        }
        if (number > session.number()) {
            moveTo(session, number);
        }
        new SingleWrite.Execution(this, session, write, cutShort, answer).proceed();
    }

    boolean isLocked(String id) {
        return locks.containsKey(id);
    }

    /** What it holds, it holds for what it wrote, and perhaps for the one document at which it failed. */
    private void unlock(ServerTransaction transaction) {
        locks.values().removeIf(holder -> holder == transaction);
    }

    void addWaiting(SingleWrite.Execution write) {
        waiting.add(write);
    }

    /** Whether it was waiting. */
    boolean removeWaiting(SingleWrite.Execution write) {
        return waiting.remove(write);
    }

    /** In the order in which they came. One that still finds a lock in its way waits again. */
    private void wakeWaiting() {
        if (!waiting.isEmpty()) {
            List<SingleWrite.Execution> due = List.copyOf(waiting);
            waiting.clear();
            due.forEach(SingleWrite.Execution::proceed);
        }
    }

    // ---- the end of a primary, and of all faults ----

    /** Another primary knows what has reached it, and no open transaction. */
    void lose(long keptPoint) {
        open.clear();
        locks.clear();
        waiting.clear();
        for (LogicalSession session : sessions) {
            session.losePrimary(keptPoint);
        }
    }

    /**
     * From now on no transaction begins that no client will end, and of those that are open only such are left as engines can find: theirs,
     * under a driver session that a clock document shows.
     */
    void endAbandoned() {
        endsAbandoned = true;
        for (ServerTransaction transaction : List.copyOf(open)) {
            LogicalSession session = transaction.session();
            if (!session.isClientAt(session.number())
                    && !(session.isOfEngine() && registeredBy(session.id()).isPresent())) {
                end(transaction);
            }
        }
    }

    /** The newest of the writers that a clock document shows for a driver session: their names end in numbers. */
    Optional<String> registeredBy(UUID driverSession) {
        return oplog.newest().documents().entrySet().stream()
                .filter(document -> Ids.isOfClock(document.getKey()))
                .flatMap(document -> document.getValue().registeredBy(driverSession))
                .max(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()));
    }
}
