package dev.leasehold.simulator.store;

import com.mongodb.MongoException;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A program with transactions of its own, which it may gate by a lease. All that is done belongs to the transaction that
 * was begun last. What goes wrong is thrown as the driver throws it, a {@link MongoException} with its labels.
 */
interface Caller {

    UUID driverSession();

    void begins();

    /** By the assertion that users have. */
    void asserts(Tenure tenure) throws LeaseNotHeldException;

    /** By one that is shared with others. */
    void asserts(LeaseAssertion assertion) throws LeaseNotHeldException;

    /** The assertion of a tenure, which other callers may share. */
    LeaseAssertion assertionOf(Tenure tenure);

    /** Writes a document of one's own. */
    void writes(String document, long value);

    /** The token of a lease as the transaction sees it; null where there is no document. */
    @Nullable Long readsToken(String lease);

    /** An update of a lease document that finds it and changes no byte of it. */
    void changesNothingOf(String lease);

    void commits();

    void aborts();

    /** Runs it in a transaction, and again where the driver would. */
    void inTransaction(Runnable body);

    /** What is stored in a document of one's own, seen from outside of any transaction; null where there is none. */
    @Nullable Long stored(String document);
}
