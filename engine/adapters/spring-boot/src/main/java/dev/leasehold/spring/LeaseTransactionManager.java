package dev.leasehold.spring;

import com.mongodb.MongoException;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.OnceResult;
import dev.leasehold.engine.Lease;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A {@link MongoTransactionManager} whose commit checks, first of all, the leases that the transaction is gated by: if one of them is no
 * longer held, nothing is committed. Repositories, templates and {@code @Transactional} methods need not know of it.
 *
 * <p>{@link #gate(Lease)} adds a lease to the transaction of the current thread. {@link Leased#gated()} and {@link GatedTransactions} do
 * that for you, and run the transaction again after a conflict, which this class does not.
 *
 * <p>The assertion is the last write before the commit, after all that is done before the commit ({@link
 * TransactionSynchronization#beforeCommit}, {@code @TransactionalEventListener(phase = BEFORE_COMMIT)}), so that the lease document is
 * blocked for as short a time as can be. It goes to a gate stripe if the lease has some. A lost lease and a conflict on the lease document
 * are thrown as {@link GatedTransactionException}, and the transaction is rolled back, as its synchronizations are told; what the driver
 * throws at the commit is the cause of a {@link org.springframework.transaction.TransactionSystemException}, as with every {@code
 * MongoTransactionManager}.
 *
 * <p>Transactions read from the primary and commit with write concern {@code majority}, whatever the URI of the client says: a commit that
 * a failover can undo must not count as made under a lease. What a gated transaction may have left open because its abort was lost is
 * ended in the background, by {@link Lease#endAbandoned}.
 *
 * <p>Safe for use by many threads.
 */
public class LeaseTransactionManager extends MongoTransactionManager {

    private static final long serialVersionUID = 1L;

    private static final int COMMIT_ATTEMPTS_MAX = 4;

    private static final TransactionOptions OPTIONS = TransactionOptions.builder()
            .writeConcern(WriteConcern.MAJORITY)
            .readPreference(ReadPreference.primary())
            .build();

    /**
     * A manager for the transactions of one database factory.
     *
     * @param databaseFactory of the application; its client must be the one of the engine
     */
    public LeaseTransactionManager(MongoDatabaseFactory databaseFactory) {
        super(databaseFactory, OPTIONS);
    }

    /**
     * Gates the transaction of the current thread by a lease: it commits only if the lease is still held. Sends nothing now. Acquire the
     * lease before the transaction begins. Gating twice by the same tenure is the same as once.
     *
     * @param lease of an engine on the client of this manager
     * @throws IllegalStateException if the thread has no transaction that this manager began, if that transaction would not commit with
     *     write concern {@code majority}, or if its leases were checked already: from then on it is being committed
     */
    public void gate(Lease lease) {
        gatesFor(lease).gate(lease, null);
    }

    /** As {@link #gate}; the commit records the occurrence too, or throws {@link DoneBefore}. */
    void gateOnce(Lease lease, String occurrence) {
        gatesFor(lease).gate(lease, occurrence);
    }

    private Gates gatesFor(Lease lease) {
        Objects.requireNonNull(lease, "lease");
        String name = LeaseNames.quote(lease.name());
        Gates gates = (Gates) TransactionSynchronizationManager.getResource(this);
        if (gates == null) {
            throw new IllegalStateException(
                    "lease " + name
                            + " cannot gate: this thread has no transaction of the LeaseTransactionManager. Is the method @Transactional, public, and"
                            + " called through its bean, and is @Transactional that of this manager, where the application has others?");
        }
        WriteConcern writeConcern = gates.session().getTransactionOptions().getWriteConcern();
        if (writeConcern == null || !"majority".equals(writeConcern.getWObject())) {
            throw new IllegalStateException("lease " + name + " cannot gate: the transaction would commit with "
                    + writeConcern + ", so that a failover could undo it. Let it commit with majority");
        }
        if (gates.areChecked) {
            throw new IllegalStateException("lease " + name
                    + " cannot gate: the transaction is being committed, and its leases were checked. Gate it sooner");
        }
        return gates;
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
        super.doBegin(transaction, definition);
        TransactionSynchronizationManager.bindResource(this, new Gates((MongoTransactionObject) transaction));
    }

    @Override
    protected Object doSuspend(Object transaction) {
        @Nullable Object gates = TransactionSynchronizationManager.unbindResourceIfPossible(this);
        return new Suspended(super.doSuspend(transaction), gates);
    }

    @Override
    protected void doResume(@Nullable Object transaction, Object suspendedResources) {
        Suspended suspended = (Suspended) suspendedResources;
        super.doResume(transaction, suspended.resources);
        if (suspended.gates != null) {
            TransactionSynchronizationManager.bindResource(this, suspended.gates);
        }
    }

    /** The abort of what was not committed may be lost. Its leases would stay blocked until the server ends it, for a minute or more. */
    @Override
    protected void doCleanupAfterCompletion(Object transaction) {
        Gates gates = (Gates) TransactionSynchronizationManager.unbindResourceIfPossible(this);
        if (gates != null) {
            gates.endUnlessCommitted();
        }
        super.doCleanupAfterCompletion(transaction);
    }

    /**
     * Not in {@code doCommit}, which hides what it throws in an exception of its own; and last of all that is done before the commit, since
     * that may write, and may ask for gates.
     */
    @Override
    protected void prepareForCommit(DefaultTransactionStatus status) {
        Gates gates = (Gates) TransactionSynchronizationManager.getResource(this);
        if (gates == null || !status.isNewTransaction()) {
            return;
        }
        if (status.isNewSynchronization()) {
            // Synchronizations run in the order of their precedence, those of one precedence in the order in which they
            // came.
            TransactionSynchronizationManager.registerSynchronization(gates);
        } else {
            gates.check();
        }
    }

    /** A commit whose answer is not known is sent again, which the server carries out once at the most. */
    @Override
    protected void doCommit(MongoTransactionObject transaction) {
        for (int attempt = 1; ; attempt++) {
            try {
                transaction.commitTransaction();
                Gates gates = (Gates) TransactionSynchronizationManager.getResource(this);
                if (gates != null) {
                    gates.isCommitted = true;
                }
                return;
            } catch (MongoException e) {
                if (attempt == COMMIT_ATTEMPTS_MAX
                        || !e.hasErrorLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL)) {
                    throw e;
                }
            }
        }
    }

    private record Suspended(Object resources, @Nullable Object gates) {}

    /** A lease that has to be held at the commit, and the occurrence that the transaction does; null for none. */
    private record Gate(Lease lease, @Nullable String occurrence) {

        void check(ClientSession session) {
            if (occurrence == null) {
                lease.assertion().check(session);
            } else if (lease.once(session, occurrence) instanceof OnceResult.DoneBefore before) {
                throw new DoneBefore(before.record());
            }
        }
    }

    /** The leases that gate one transaction, until it is completed or suspended. */
    private static final class Gates implements TransactionSynchronization {

        private final MongoTransactionObject transaction;
        private final Map<String, Gate> gates = new LinkedHashMap<>();
        private boolean areChecked;
        private boolean isCommitted;

        Gates(MongoTransactionObject transaction) {
            this.transaction = transaction;
        }

        void gate(Lease lease, @Nullable String occurrence) {
            gates.merge(
                    lease.tenure().toString(),
                    new Gate(lease, occurrence),
                    (had, added) -> added.occurrence() == null ? had : added);
        }

        ClientSession session() {
            return Objects.requireNonNull(transaction.getSession());
        }

        /** The lowest, said here since the check relies on it. */
        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE;
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            check();
        }

        /**
         * One later number ends the transaction for all its leases; each engine that is closed by now does nothing. Spring rolls nothing
         * back when a synchronization has ended the commit by a {@link org.springframework.transaction.TransactionException}: the session
         * has the transaction yet.
         */
        void endUnlessCommitted() {
            ClientSession session = transaction.getSession();
            if (!isCommitted && session != null) {
                if (session.hasActiveTransaction()) {
                    session.abortTransaction();
                }
                gates.values().forEach(gate -> gate.lease().endAbandoned(session));
            }
        }

        void check() {
            areChecked = true;
            for (Gate gate : gates.values()) {
                try {
                    gate.check(session());
                } catch (LeaseNotHeldException e) {
                    throw new GatedTransactionException(e);
                } catch (MongoException e) {
                    if (e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)) {
                        throw new GatedTransactionException(
                                LeaseNames.quote(gate.lease().name()), e);
                    }
                    throw e;
                }
            }
        }
    }
}
