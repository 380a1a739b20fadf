package dev.leasehold.engine.internal.mongo;

import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import java.util.List;
import java.util.function.Function;

/**
 * Writes of one document each, without a transaction, in the driver session of the transactions.
 *
 * <p>One whose outcome is unknown may still wait in the server, or be on its way to it. It is over as soon as a later write
 * of that session is done: the server runs the commands of a session one after the other, and refuses those with a lower
 * number than the last.
 */
final class SingleWrites {

    /** A little more than the second without progress after which a blocked clock document is looked into. */
    private static final long CLOCK_WAIT_MILLIS = 1_050;

    /** A lease that a caller's transaction holds is better written in a transaction, which is told so at once. */
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
        return noted(write, send(List.of(statement), CLOCK_WAIT_MILLIS, errorMapper::ofClockWrite));
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

    /** Whether the clock document may name the writing session, which must then not go back to the driver's pool. */
    private WriteOutcome noted(ClockWrite write, WriteOutcome outcome) {
        if (write instanceof ClockWrite.Register || write instanceof ClockWrite.Join) {
            // Without an answer to either the engine goes on under another name, and nobody unlists this one.
            sessions.mayBeListed(outcome.verdict() == Verdict.UNKNOWN);
        } else if (endsListing(write) && outcome.verdict() == Verdict.APPLIED) {
            // A miss is no proof: a clock document of a newer schema is left as it is.
            sessions.unlisted();
        }
        return outcome;
    }

    private static boolean endsListing(ClockWrite write) {
        return write instanceof ClockWrite.Unlist || write instanceof ClockWrite.Leave;
    }
}
