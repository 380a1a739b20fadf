package dev.leasehold.engine.internal.mongo;

import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import java.util.List;
import java.util.function.Function;

/**
 * Writes single documents without a transaction, in the driver session of the transactions.
 *
 * <p>A write with an unknown outcome may still wait on the server or in the network. It is over once a later write of
 * that session is done: the server runs the commands of a session one after the other, and refuses those with a lower
 * number than the last.
 */
final class SingleWrites {

    /** Slightly more than the second without progress after which the engine checks for a blocked clock document. */
    private static final long CLOCK_WAIT_MILLIS = 1_050;

    /**
     * If a caller's transaction holds a lease, a transaction is the better way to write it: it gets the conflict at
     * once.
     */
    private static final long LEASE_WAIT_MILLIS = 100;

    private final Partition partition;
    private final BoundedUpdate update;
    private final StoreSessions sessions;
    private final ErrorMapper errorMapper;
    private final long driftPpm;

    SingleWrites(
            Partition partition, BoundedUpdate update, StoreSessions sessions, ErrorMapper errorMapper, long driftPpm) {
        this.driftPpm = driftPpm;
        this.partition = partition;
        this.update = update;
        this.sessions = sessions;
        this.errorMapper = errorMapper;
    }

    WriteOutcome ofClock(ClockWrite write) {
        var statement = new BoundedUpdate.Statement(Guards.clock(partition, write), Updates.clock(write, driftPpm));
        return withListing(write, send(List.of(statement), CLOCK_WAIT_MILLIS, errorMapper::ofClockWrite));
    }

    WriteOutcome ofLeases(List<LeaseWrite.Replace> writes) {
        return send(writes.stream().map(this::statement).toList(), LEASE_WAIT_MILLIS, errorMapper::ofLeaseWrites);
    }

    private BoundedUpdate.Statement statement(LeaseWrite.Replace write) {
        return new BoundedUpdate.Statement(Guards.lease(partition.id(), write), Updates.nextOf(write.document()));
    }

    private WriteOutcome send(
            List<BoundedUpdate.Statement> statements,
            long waitMillis,
            Function<RuntimeException, WriteOutcome> verdict) {
        sessions.forgetLastTransaction();
        try {
            return update.send(sessions.writing(), statements, waitMillis) ? WriteOutcome.APPLIED : WriteOutcome.MISSED;
        } catch (RuntimeException e) {
            return verdict.apply(e);
        }
    }

    /**
     * Records whether the clock document may name the writing session, which must then not return to the driver's pool.
     */
    private WriteOutcome withListing(ClockWrite write, WriteOutcome outcome) {
        if (write instanceof ClockWrite.Register || write instanceof ClockWrite.Join) {
            // If either is not answered, the engine continues as a new writer, and the entry of this one is
            // never unlisted.
            sessions.mayBeListed(outcome.verdict() == Verdict.UNKNOWN);
        } else if (endsListing(write) && outcome.verdict() == Verdict.APPLIED) {
            // A miss proves nothing: a clock document of a newer schema is left unchanged.
            sessions.unlisted();
        }
        return outcome;
    }

    private static boolean endsListing(ClockWrite write) {
        return write instanceof ClockWrite.Unlist || write instanceof ClockWrite.Leave;
    }
}
