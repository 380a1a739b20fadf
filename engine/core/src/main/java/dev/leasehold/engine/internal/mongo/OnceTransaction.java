package dev.leasehold.engine.internal.mongo;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.OnceResult;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.OnceTask;
import dev.leasehold.engine.RunOnceResult;
import dev.leasehold.engine.internal.store.OnceRunner;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs the task of a caller in a transaction of the driver, in a session of its own. Safe for use by many threads. */
public final class OnceTransaction implements OnceRunner {

    /** Whatever the URI says: a commit that a fail-over can undo must not count as done, and not every read concern has transactions. */
    private static final TransactionOptions LASTING = TransactionOptions.builder()
            .readConcern(ReadConcern.MAJORITY)
            .writeConcern(WriteConcern.MAJORITY)
            .readPreference(ReadPreference.primary())
            .build();

    private final Supplier<ClientSession> sessions;

    /** @param sessions begins a driver session of the client whose leases are asserted */
    public OnceTransaction(Supplier<ClientSession> sessions) {
        this.sessions = sessions;
    }

    /** Carries what the task throws through the driver, which lets a body throw no checked exceptions. */
    private static final class Thrown extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Exception carried;

        Thrown(Exception carried) {
            super(carried.getMessage(), carried, false, false);
            this.carried = carried;
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T extends @Nullable Object, X extends Exception> RunOnceResult<T> run(
            Lease lease, String occurrence, OnceTask<T, X> task) throws X {
        try (ClientSession session = sessions.get()) {
            try {
                return session.withTransaction(() -> recordAndRun(lease, session, occurrence, task), LASTING);
            } catch (Thrown e) {
                lease.endAbandoned(session);
                // Only the task's own exceptions are carried, and it declares no other checked ones.
                throw (X) e.carried;
            } catch (RuntimeException | Error e) {
                lease.endAbandoned(session);
                throw e;
            }
        }
    }

    private static <T extends @Nullable Object> RunOnceResult<T> recordAndRun(
            Lease lease, ClientSession session, String occurrence, OnceTask<T, ?> task) {
        if (lease.once(session, occurrence) instanceof OnceResult.DoneBefore before) {
            return new RunOnceResult.DoneBefore<>(before.record());
        }
        long number = session.getServerSession().getTransactionNumber();
        T value;
        try {
            value = task.run(lease, session);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new Thrown(e);
        }
        if (!session.hasActiveTransaction() || session.getServerSession().getTransactionNumber() != number) {
            // The driver would commit nothing, or another one without the record, and return as after a commit.
            throw new IllegalStateException("the task has ended the transaction of occurrence "
                    + LeaseNames.quote(occurrence) + " of lease " + LeaseNames.quote(lease.name())
                    + " itself, and must leave it open: its record tells whether it was committed");
        }
        return new RunOnceResult.Ran<>(value);
    }
}
