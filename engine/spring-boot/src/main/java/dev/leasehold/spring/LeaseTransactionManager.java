package dev.leasehold.spring;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.Lease;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
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
 * <p>The assertion is the last write before the commit, so that the lease document is blocked for as short a time as can be. It goes to a
 * gate stripe if the lease has some. A refusal is thrown as {@link dev.leasehold.assertions.LeaseNotHeldException}, as itself. What the
 * driver throws at the assertion, a write conflict above all, is thrown as itself too; what it throws at the commit is the cause of a
 * {@link org.springframework.transaction.TransactionSystemException}, as with every {@code MongoTransactionManager}.
 */
public class LeaseTransactionManager extends MongoTransactionManager {

    private static final long serialVersionUID = 1L;

    private static final int COMMIT_ATTEMPTS_MAX = 4;

    /**
     * A manager for the transactions of one database factory.
     *
     * @param databaseFactory of the application; its client must be the one of the engine
     */
    public LeaseTransactionManager(MongoDatabaseFactory databaseFactory) {
        super(databaseFactory);
    }

    /**
     * Gates the transaction of the current thread by a lease: it commits only if the lease is still held. Sends nothing now. Acquire the
     * lease before the transaction begins. Gating twice by the same tenure is the same as once.
     *
     * @param lease of an engine on the client of this manager
     * @throws IllegalStateException if the thread has no transaction of this manager that can be gated
     */
    public void gate(Lease lease) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.hasResource(getResourceFactory())) {
            throw new IllegalStateException("lease " + LeaseNames.quote(lease.name())
                    + " cannot gate: this thread has no transaction of the LeaseTransactionManager. Is the method @Transactional, public, and"
                    + " called through its bean?");
        }
        Gates gates = (Gates) TransactionSynchronizationManager.getResource(this);
        if (gates == null) {
            gates = new Gates(this);
            TransactionSynchronizationManager.bindResource(this, gates);
            TransactionSynchronizationManager.registerSynchronization(gates);
        }
        gates.leases.put(lease.tenure().toString(), lease);
    }

    /** Not in {@code doCommit}, which hides what it throws in an exception of its own. */
    @Override
    protected void prepareForCommit(DefaultTransactionStatus status) {
        Gates gates = (Gates) TransactionSynchronizationManager.getResource(this);
        if (gates != null && status.isNewTransaction()) {
            ClientSession session = ((MongoTransactionObject) status.getTransaction()).getSession();
            gates.leases.values().forEach(lease -> lease.assertion().check(Objects.requireNonNull(session)));
        }
    }

    /** A commit whose answer is not known is sent again, which the server carries out once at the most. */
    @Override
    protected void doCommit(MongoTransactionObject transaction) {
        for (int attempt = 1; ; attempt++) {
            try {
                transaction.commitTransaction();
                return;
            } catch (MongoException e) {
                if (attempt == COMMIT_ATTEMPTS_MAX
                        || !e.hasErrorLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL)) {
                    throw e;
                }
            }
        }
    }

    /** The leases that gate one transaction, until it is completed or suspended. */
    private static final class Gates implements TransactionSynchronization {

        private final LeaseTransactionManager manager;
        private final Map<String, Lease> leases = new LinkedHashMap<>();

        Gates(LeaseTransactionManager manager) {
            this.manager = manager;
        }

        @Override
        public void suspend() {
            TransactionSynchronizationManager.unbindResource(manager);
        }

        @Override
        public void resume() {
            TransactionSynchronizationManager.bindResource(manager, this);
        }

        @Override
        public void afterCompletion(int status) {
            TransactionSynchronizationManager.unbindResourceIfPossible(manager);
        }
    }
}
