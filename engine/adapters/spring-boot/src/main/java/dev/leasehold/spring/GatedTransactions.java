package dev.leasehold.spring;

import com.mongodb.MongoException;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.retry.RetryException;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Runs transactions that commit only if a lease is still held, and runs them again after a conflict.
 *
 * <pre>{@code
 * transactions.run(lease, () -> invoices.save(invoice));
 * }</pre>
 *
 * <p>Transactions that assert the same lease conflict with each other, unless it has gate stripes for all of them. The one that loses is
 * run again, after a short random pause, until the retry time is over. So the work must have no effects but in the database. Any exception
 * ends the transaction without a commit.
 *
 * <p>Safe for use by many threads.
 */
public class GatedTransactions {

    private final LeaseTransactionManager manager;
    private final TransactionTemplate transaction;
    private final RetryTemplate retry;

    /**
     * Runs transactions of one manager.
     *
     * @param manager begins and commits them
     * @param retryTime how long a transaction that meets conflicts is run again, 1 ms to 36,500 days; with zero never
     * @throws IllegalArgumentException if the time is out of this range
     */
    public GatedTransactions(LeaseTransactionManager manager, Duration retryTime) {
        DurationRange.checkOrZero("retryTime", retryTime);
        this.manager = manager;
        this.transaction = new TransactionTemplate(manager);
        this.retry = new RetryTemplate(RetryPolicy.builder()
                .maxRetries(retryTime.isZero() ? 0 : Long.MAX_VALUE) // a policy takes 0 ms for no time-out
                .timeout(retryTime)
                .delay(Duration.ofMillis(5))
                .jitter(Duration.ofMillis(5))
                .multiplier(1.5)
                .maxDelay(Duration.ofMillis(200))
                .predicate(GatedTransactions::isConflict)
                .build());
    }

    /**
     * Runs work in a transaction that commits only if the lease is still held.
     *
     * @param lease of an engine on the same client
     * @param work runs at least once, on the caller's thread
     * @throws LeaseNotHeldException if the lease was no longer held; nothing was committed
     * @throws GatedTransactionException if other transactions wrote to the lease's document first for the whole retry time; nothing was
     *     committed
     * @throws IllegalStateException if the thread is in a transaction already: that one would not be run again. Gate it by {@link
     *     LeaseTransactionManager#gate}. Also if the thread is interrupted before the work is run again: it stays interrupted, and nothing was
     *     committed
     */
    public void run(Lease lease, Runnable work) {
        Objects.requireNonNull(work, "work");
        call(lease, () -> {
            work.run();
            return null;
        });
    }

    /**
     * Runs work in a transaction that commits only if the lease is still held, and returns its result. See {@link #run}.
     *
     * @param lease of an engine on the same client
     * @param work runs at least once, on the caller's thread
     * @param <T> what it returns
     * @return what its last run returned
     */
    public <T extends @Nullable Object> T call(Lease lease, Supplier<T> work) {
        Objects.requireNonNull(work, "work");
        AtomicReference<T> result = new AtomicReference<>();
        try {
            callThrowing(lease, () -> {
                result.set(work.get());
                return null;
            });
            return result.get();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a supplier threw a checked exception", e);
        }
    }

    @Nullable Object callThrowing(Lease lease, LeaseHolder.Work work) throws Throwable {
        return repeated(lease, () -> {}, () -> manager.gate(lease), work);
    }

    /**
     * Runs work in a transaction that commits a record of the occurrence too, and only if there is none yet.
     *
     * @throws DoneBefore if there is one; nothing was committed
     */
    @Nullable Object callOnce(LeaseEngine engine, Lease lease, String occurrence, LeaseHolder.Work work) throws Throwable {
        return repeated(
                lease, () -> lookForRecord(engine, lease, occurrence), () -> manager.gateOnce(lease, occurrence), work);
    }

    /** Spares the work where another transaction was first. The record itself is looked for at the commit. */
    private static void lookForRecord(LeaseEngine engine, Lease lease, String occurrence) {
        Optional<OccurrenceRecord> done;
        try {
            done = engine.findOccurrence(lease.name(), occurrence);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(lease, e);
        }
        if (done.isPresent()) {
            throw new DoneBefore(done.get());
        }
    }

    private static IllegalStateException interrupted(Lease lease, Throwable cause) {
        return new IllegalStateException(
                "the transaction gated by lease " + LeaseNames.quote(lease.name())
                        + " has ended: the thread was interrupted, and nothing was committed",
                cause);
    }

    private @Nullable Object repeated(Lease lease, Runnable before, Runnable gate, LeaseHolder.Work work)
            throws Throwable {
        Objects.requireNonNull(lease, "lease");
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException("lease " + LeaseNames.quote(lease.name())
                    + " cannot gate a transaction of its own inside of another one, which"
                    + " would not be run again after a conflict. Call this outside of a transaction");
        }
        try {
            AtomicReference<@Nullable Object> result = new AtomicReference<>();
            retry.execute(() -> {
                before.run();
                transaction.executeWithoutResult(status -> {
                    gate.run();
                    result.set(unchecked(work));
                });
                return Boolean.TRUE;
            });
            return result.get();
        } catch (RetryException e) {
            Throwable last = e.getCause();
            // The pause before the next run sets the flag, and does not say so.
            if (isConflict(last) && Thread.currentThread().isInterrupted()) {
                throw interrupted(lease, last);
            }
            if (last instanceof GatedTransactionException && last.getCause() instanceof LeaseNotHeldException lost) {
                throw lost;
            }
            throw last instanceof Checked checked ? checked.carried : last;
        }
    }

    private static @Nullable Object unchecked(LeaseHolder.Work work) {
        try {
            return work.run();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new Checked(e);
        }
    }

    /** Carries a checked exception through code that ends transactions for unchecked ones. */
    private static final class Checked extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Throwable carried;

        Checked(Throwable carried) {
            super(carried);
            this.carried = carried;
        }
    }

    /** The label is the driver's word that nothing was committed and that it is worth another try. */
    private static boolean isConflict(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof MongoException e && e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)) {
                return true;
            }
        }
        return false;
    }
}
