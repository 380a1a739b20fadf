package dev.leasehold.spring;

import com.mongodb.MongoException;
import dev.leasehold.assertions.LeaseNotHeldException;
import org.springframework.core.NestedRuntimeException;

/**
 * A transaction that a lease gates was not committed: the lease was no longer held, or another transaction wrote to the lease's document
 * first. Nothing was written. The cause tells which of both.
 *
 * <p>Spring has rolled the transaction back, and has told its synchronizations and listeners so. It is no {@link
 * org.springframework.transaction.TransactionException}, which would tell them that the outcome is unknown.
 *
 * <p>One type for both, so that one {@code @Retryable(GatedTransactionException.class)} around a {@code @Transactional} method fits: it
 * has to acquire the lease anew if the cause is a {@link LeaseNotHeldException}. {@link GatedTransactions} and {@link Leased#gated()} run
 * the transaction again themselves.
 */
public class GatedTransactionException extends NestedRuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * The lease was lost.
     *
     * @param refusal of its assertion
     */
    public GatedTransactionException(LeaseNotHeldException refusal) {
        super("nothing was committed: " + refusal.getMessage(), refusal);
    }

    /**
     * Another transaction was first.
     *
     * @param lease its name, quoted
     * @param conflict as the driver has it
     */
    public GatedTransactionException(String lease, MongoException conflict) {
        super(
                "nothing was committed: another transaction wrote to the document of lease " + lease
                        + " first. Run this one again, or give the lease gate stripes",
                conflict);
    }
}
