package dev.leasehold.simulator.store;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.store.Counts.Kind;
import dev.leasehold.simulator.world.Simulation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** What the primary does with the commands of driver sessions. Everything happens at the instant at which it is asked for. */
final class Primary {

    private final Simulation simulation;
    private final Versions versions;
    private final Locks locks = new Locks();
    private final List<ServerSession> sessions = new ArrayList<>();
    private final List<ServerTransaction> open = new ArrayList<>();
    private final Sweeper sweeper;
    private boolean endsAbandoned;

    Primary(Simulation simulation, Versions versions, long lifetimeNanos, long sweepNanos) {
        this.simulation = simulation;
        this.versions = versions;
        this.sweeper = new Sweeper(simulation, this, lifetimeNanos, sweepNanos);
    }

    /** A driver session of a caller that nobody has used yet. The caller will end the transactions for which it says so. */
    ServerSession session(UUID id, int machine, LongPredicate isClientAt) {
        return added(new ServerSession(id, machine, false, isClientAt));
    }

    /** The same of an engine. */
    ServerSession engineSession(UUID id, int machine, LongPredicate isClientAt) {
        return added(new ServerSession(id, machine, true, isClientAt));
    }

    private ServerSession added(ServerSession session) {
        sessions.add(session);
        return session;
    }

    /** In the order in which they were begun. */
    List<ServerTransaction> open() {
        return open;
    }

    // ---- transactions ----

    /**
     * Statements in a transaction.
     *
     * @param part which command of the transaction it is; 0 begins it
     */
    void update(
            ServerSession session,
            long number,
            int part,
            List<? extends Statement> statements,
            Consumer<Counts> answer) {
        session.run(() -> answer.accept(update(session, number, part, statements)));
    }

    /** The same, for what has no client. */
    Counts update(ServerSession session, long number, int part, List<? extends Statement> statements) {
        ServerTransaction transaction = transaction(session, number, part == 0);
        if (transaction == null || transaction.parts() != part) {
            return none(Kind.NO_SUCH_TRANSACTION);
        }
        ServerTransaction.Result result = transaction.run(statements, versions.newest());
        transaction.restsSince(simulation.nowNanos());
        if (result == ServerTransaction.Result.DONE) {
            return transaction.counts(versions.newestPoint());
        }
        end(transaction);
        if (result == ServerTransaction.Result.CONFLICT) {
            reached(session, Marks.CONFLICT);
            return none(Kind.CONFLICT);
        }
        if (transaction.refusal() == DriverErrors.DUPLICATE_KEY) {
            reached(session, Marks.DUPLICATE);
        }
        List<Counts.Error> errors = List.of(new Counts.Error(0, transaction.refusal()));
        return new Counts(Kind.REFUSED, 0, List.of(), 0, errors, versions.newestPoint());
    }

    /** A document as a transaction saw it. */
    record Found(Kind kind, @Nullable Document document) {}

    /** Reads in a transaction, and conflicts with nobody. */
    void read(ServerSession session, long number, int part, String id, Consumer<Found> answer) {
        session.run(() -> {
            ServerTransaction transaction = transaction(session, number, part == 0);
            if (transaction == null || transaction.parts() != part) {
                answer.accept(new Found(Kind.NO_SUCH_TRANSACTION, null));
            } else {
                transaction.restsSince(simulation.nowNanos());
                answer.accept(new Found(Kind.DONE, transaction.read(id)));
            }
        });
    }

    /** The open transaction of that number, which is begun if that is asked for and it never was. */
    @Nullable ServerTransaction transaction(ServerSession session, long number, boolean begins) {
        if (!begins || number <= session.number()) {
            return number == session.number() ? session.open() : null;
        }
        if (endsAbandoned && !session.isClientAt(number)) {
            return null;
        }
        moveTo(session, number);
        ServerTransaction transaction = new ServerTransaction(session, locks, versions.newest(), simulation.nowNanos());
        session.opened(transaction);
        open.add(transaction);
        sweeper.expect(simulation.nowNanos());
        return transaction;
    }

    /** What was open of a lower number ends. */
    private void moveTo(ServerSession session, long number) {
        if (session.open() != null) {
            end(session.open());
        }
        session.moveTo(number);
    }

    /** Commits, now or a long time ago, and answers when a majority has it. */
    void commit(ServerSession session, long number, Author author, Consumer<Counts> answer) {
        session.run(() -> commitNow(session, number, author, answer));
    }

    private void commitNow(ServerSession session, long number, Author author, Consumer<Counts> answer) {
        if (!session.hasCommitted(number)) {
            ServerTransaction transaction = transaction(session, number, false);
            if (transaction == null) {
                answer.accept(none(Kind.NO_SUCH_TRANSACTION));
                return;
            }
            commit(transaction, author);
        }
        long point = session.committedPoint();
        versions.whenMajorityHas(point, () -> answer.accept(Counts.none(Kind.DONE, point)));
    }

    void commit(ServerTransaction transaction, Author author) {
        open.remove(transaction);
        locks.release(transaction);
        if (!transaction.writes().isEmpty()) {
            versions.write(author, transaction.writes());
        }
        transaction.session().committed(versions.newestPoint());
        locks.wake();
    }

    /** Ends the transaction of that number, if it is open. */
    void abort(ServerSession session, long number, Consumer<Counts> answer) {
        session.run(() -> {
            ServerTransaction transaction = transaction(session, number, false);
            if (transaction != null) {
                end(transaction);
            }
            answer.accept(none(Kind.DONE));
        });
    }

    /** Ends it without a trace. */
    void end(ServerTransaction transaction) {
        open.remove(transaction);
        transaction.session().ended();
        locks.release(transaction);
        locks.wake();
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
        locks.interrupt(driverSessions);
    }

    // ---- writes of one document ----

    /** Statements without a transaction, each for itself; carried out once however often they arrive. */
    void write(
            ServerSession session,
            long number,
            List<? extends Statement> statements,
            long waitNanos,
            long majorityNanos,
            Author author,
            Consumer<Counts> answer) {
        session.run(() -> {
            if (number < session.number()) {
                answer.accept(none(Kind.NO_SUCH_TRANSACTION));
                return;
            }
            if (number > session.number()) {
                moveTo(session, number);
            }
            new SingleWrite(simulation, versions, locks, session, statements, waitNanos, majorityNanos, author, answer)
                    .goOn();
        });
    }

    /** A write by hand, which waits for as long as it has to. */
    void writeByHand(ServerSession session, Statement statement, Author author) {
        write(session, session.number() + 1, List.of(statement), Long.MAX_VALUE, Long.MAX_VALUE, author, counts -> {});
    }

    // ---- the end of a primary, and of all trouble ----

    /** Another primary knows what has reached it, and no open transaction. */
    void lose(long keptPoint) {
        open.clear();
        locks.clear();
        for (ServerSession session : sessions) {
            session.losePrimary(keptPoint);
        }
    }

    /**
     * From now on nobody begins a transaction that nobody will end, and of those that are open only such are left as engines can find: theirs,
     * under a driver session that a clock document shows.
     */
    void endAbandoned() {
        endsAbandoned = true;
        for (ServerTransaction transaction : List.copyOf(open)) {
            ServerSession session = transaction.session();
            if (!session.isClientAt(session.number())
                    && !(session.isEngines() && registeredBy(session.id()).isPresent())) {
                end(transaction);
            }
        }
    }

    /** The newest of the writers that a clock document shows for a driver session: their names end in numbers. */
    Optional<String> registeredBy(UUID driverSession) {
        return versions.newest().documents().entrySet().stream()
                .filter(document -> Ids.isOfClock(document.getKey()))
                .flatMap(document -> document.getValue().registeredBy(driverSession))
                .max(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()));
    }

    private Counts none(Kind kind) {
        return Counts.none(kind, versions.newestPoint());
    }

    private void reached(ServerSession session, String mark) {
        simulation.record(new Event.Reached(simulation.nowNanos(), session.machine(), mark));
    }
}
