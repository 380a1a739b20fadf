package dev.leasehold.assertions;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * Lets a caller's transaction commit only if a tenure still stands.
 *
 * <p>A transaction that carries the assertion commits only if no other tenure of the lease began before it committed,
 * and no write made the lease vacant. This rests on no clock. See the package's description for what it does not cover.
 *
 * <p>The assertion may stand anywhere in the transaction. From there to the end of the transaction it keeps other
 * writes from the lease document: an extension, a release or a take-over fails and is tried again. So a long
 * transaction should assert last; its work is in vain if the tenure is over. Assertions of the same lease also conflict
 * with each other, and commit one after the other. For a lease with {@linkplain #gateStripes gate stripes} they
 * conflict only where two transactions write the same stripe.
 *
 * <p>If the process dies in such a transaction, or the thread's interrupt flag keeps the driver from ending it, the
 * lease document stays blocked until the server ends the transaction by itself: with its default settings after 60 to
 * 90 seconds.
 *
 * <p>May be used by many threads at once, each with its own session; what it asserts never changes. Make it once from the tenure and use it
 * for every run of the transaction's body.
 */
public final class LeaseAssertion {

    private static final int NO_STRIPE = 0;

    /** Errors of a transaction that the server has ended: its commit is refused, and the driver runs the body again. */
    private static final int WRITE_CONFLICT = 112;

    private static final int NO_SUCH_TRANSACTION = 251;

    private final Tenure tenure;
    private final MongoCollection<BsonDocument> leases;
    private final @Nullable GateStripes stripes;

    private LeaseAssertion(Tenure tenure, MongoCollection<BsonDocument> leases, @Nullable GateStripes stripes) {
        this.tenure = tenure;
        this.leases = leases;
        this.stripes = stripes;
    }

    /**
     * Makes the assertion of one tenure. Does no I/O.
     *
     * @param tenure the tenure that has to stand
     * @param leases the collection with the lease documents, from the client whose sessions will carry the assertion.
     *     Its document class, codecs, read preference and concerns do not matter. It must not have a timeout of its own,
     *     since the driver refuses that inside a transaction
     * @return the assertion
     */
    public static LeaseAssertion of(Tenure tenure, MongoCollection<?> leases) {
        Objects.requireNonNull(tenure, "tenure");
        Objects.requireNonNull(leases, "leases");
        return new LeaseAssertion(
                tenure,
                leases.withDocumentClass(BsonDocument.class)
                        .withCodecRegistry(MongoClientSettings.getDefaultCodecRegistry()),
                null);
    }

    /**
     * The assertion of the same tenure over gate stripes: documents beside that of the lease, which every change of its
     * tenure writes too. {@link #check} then writes one that no other transaction which uses this value has, as long as
     * there are enough. So make it once, and share it among the threads.
     *
     * <p>A stripe that the lease does not have shows no tenure, and the assertion of it fails. Without knowing how many there
     * are, assert on the lease document; that goes beside assertions on the stripes. Does no I/O.
     *
     * @param count how many the lease has, or fewer; 0 to assert on the lease document
     * @return the assertion
     * @throws IllegalArgumentException if the count is not 0 to {@value LeaseIds#STRIPES_MAX}
     */
    public LeaseAssertion gateStripes(int count) {
        return gateStripes(count, () -> true);
    }

    /**
     * The same, for as long as a condition holds; otherwise it asserts on the lease document. A change of tenure has to
     * find no stripe in an open transaction. If many transactions go on asserting a tenure that is about to end, it
     * finds that moment as soon as all of them assert on one document.
     *
     * @param count how many the lease has, or fewer; 0 to assert on the lease document
     * @param whileTrue asked before each assertion, by any thread; must not block
     * @return the assertion
     * @throws IllegalArgumentException if the count is not 0 to {@value LeaseIds#STRIPES_MAX}
     */
    public LeaseAssertion gateStripes(int count, BooleanSupplier whileTrue) {
        Objects.requireNonNull(whileTrue, "whileTrue");
        return new LeaseAssertion(
                tenure, leases, LeaseIds.checkStripes(count) == 0 ? null : new GateStripes(count, whileTrue));
    }

    /**
     * The tenure that has to stand.
     *
     * @return the tenure
     */
    public Tenure tenure() {
        return tenure;
    }

    /**
     * Asserts the tenure in the session's transaction. When this returns, the transaction can still fail to commit, but
     * it cannot commit after the tenure has ended.
     *
     * <p>One round trip. If the tenure does not stand, three more: to find the words for the message, and to end the transaction. Blocks
     * as long as the driver does, and is interrupted as the driver is.
     *
     * <p><strong>A transaction whose assertion failed does not commit</strong>, also if the caller catches the
     * exception and goes on. The transaction is aborted on the server, and the session gets another one that can only
     * be rolled back: the session still has an open transaction, what is written in it is rolled back too, and its
     * commit throws the exception of this method again, in {@link ClientSession#withTransaction} as by hand. The body
     * is not repeated because of that. The session's next transaction is as any other.
     *
     * <p>The driver's exceptions pass through unchanged. A write conflict keeps the label {@code
     * TransientTransactionError}, so that {@code withTransaction} repeats the body. That happens also if the lease was
     * extended since the transaction's snapshot; it says nothing about whether the tenure stands. If a caller goes on
     * after an exception with that label, the server refuses its statements or its commit, with the same label.
     *
     * @param session a session with a transaction that was started and is not ended, of the client that the collection came from
     * @throws LeaseNotHeldException if the tenure does not stand, as this transaction sees it. It has no label, so that
     *     {@code withTransaction} does not run the body again
     * @throws IllegalStateException if the session has no open transaction; nothing was sent. Or if it is the session of another client;
     *     that transaction does not commit either
     * @throws IllegalArgumentException if the session is null
     */
    public void check(ClientSession session) {
        requireTransaction(session);
        try {
            assertIn(session);
        } catch (RuntimeException thrown) {
            RuntimeException failure = isOfAnotherClient(thrown) ? anotherClient(thrown) : thrown;
            keepFromCommitting(session, failure);
            throw failure;
        }
    }

    /**
     * Asserts the tenure in the session's transaction, and records that the transaction does this occurrence of the work of the lease:
     * the night of an invoice run, an hour, the number of a batch. <strong>At most one transaction with the record of one occurrence ever
     * commits</strong>, whatever the clocks say and however many processes act as the holder of the lease.
     *
     * <pre>{@code
     * session.withTransaction(() -> {
     *     if (assertion.once(session, "2073-03-03").isFirst()) {
     *         invoices.insertMany(session, ofThatNight);
     *     }
     *     return null;
     * });
     * }</pre>
     *
     * <p>If the occurrence was done before, the answer has the record, and nothing is written, not even the assertion. The answer counts
     * when the transaction has committed with a majority. A run of the body that did not commit leaves no record, so a repetition by
     * {@code withTransaction} is the first again. A second call in one transaction answers with the record of that transaction. If the
     * outcome of a commit is unknown, ask again: a record under this tenure says that it committed.
     *
     * <p>Two round trips. All that is said of {@link #check} about a tenure that does not stand holds for this too. If another transaction
     * records the same occurrence meanwhile, one of the two gets a write conflict with the label {@code TransientTransactionError}.
     *
     * @param session a session with a transaction that was started and is not ended, which reads from the primary, of the client that the
     *     collection came from
     * @param occurrence its name, as {@link LeaseNames#checkOccurrence} allows it; the same for all that may do it
     * @return {@link OnceResult.First} or {@link OnceResult.DoneBefore}
     * @throws LeaseNotHeldException if the tenure does not stand and the occurrence was not done, as this transaction sees it
     * @throws IllegalStateException as of {@link #check}
     * @throws IllegalArgumentException if the session is null or the occurrence breaks its rule; or if there is a document in the place of
     *     the record that is none, and the transaction does not commit
     */
    public OnceResult once(ClientSession session, String occurrence) {
        LeaseNames.checkOccurrence(occurrence);
        requireTransaction(session);
        try {
            return recordIn(session, occurrence);
        } catch (RuntimeException thrown) {
            RuntimeException failure = isOfAnotherClient(thrown) ? anotherClient(thrown) : thrown;
            keepFromCommitting(session, failure);
            throw failure;
        }
    }

    private OnceResult recordIn(ClientSession session, String occurrence) {
        BsonDocument found =
                leases.find(session, document(occurrenceId(occurrence))).first();
        if (found != null) {
            return new OnceResult.DoneBefore(OccurrenceRecord.of(found));
        }
        int stripe = stripeFor(session);
        if (leases.bulkWrite(session, onceModels(stripe, occurrence)).getMatchedCount() == 0) {
            throw notHeld(session, stripe);
        }
        if (stripes != null && stripe != NO_STRIPE) {
            stripes.wrote(session);
        }
        return new OnceResult.First();
    }

    /**
     * What {@link #once} writes, as models for an ordered bulk write on the collection of the lease documents in the caller's own
     * transaction: the assertion on the lease document, and the record. For the reactive driver, whose sessions {@code once} does not take.
     *
     * <p>The transaction may commit only if the bulk write has matched exactly 1 document and upserted exactly 1. <strong>If it has matched
     * none, the tenure does not stand, and the caller has to abort the transaction.</strong> If the occurrence was done before, the bulk
     * write fails with a duplicate key (code 11000), and the server aborts the transaction; the document with the id {@link
     * LeaseIds#occurrenceId} shows the record, for {@link OccurrenceRecord#of}. Outside a transaction the models guarantee nothing.
     *
     * @param occurrence its name, as {@link LeaseNames#checkOccurrence} allows it
     * @param <T> the document type of the caller's collection, of no importance here
     * @return two new models
     * @throws IllegalArgumentException if the occurrence breaks its rule
     */
    public <T> List<UpdateOneModel<T>> onceAsWriteModels(String occurrence) {
        return onceModels(NO_STRIPE, LeaseNames.checkOccurrence(occurrence));
    }

    /** An upsert that finds nothing: only an update can take the server's time. */
    private <T> List<UpdateOneModel<T>> onceModels(int stripe, String occurrence) {
        BsonDocument noRecord = document(occurrenceId(occurrence))
                .append(LeaseFields.TYPE, new BsonDocument("$exists", BsonBoolean.FALSE));
        BsonDocument written = new BsonDocument(LeaseFields.TYPE, new BsonString(OccurrenceRecord.TYPE))
                .append(LeaseFields.NAMESPACE, new BsonString(tenure.namespace()))
                .append(LeaseFields.NAME, new BsonString(tenure.name()))
                .append(LeaseFields.OCCURRENCE, new BsonString(occurrence))
                .append(LeaseFields.HOLDER, new BsonString(tenure.holder()))
                .append(LeaseFields.TOKEN, new BsonInt64(tenure.token()));
        BsonDocument record = new BsonDocument("$setOnInsert", written)
                .append("$currentDate", new BsonDocument(LeaseFields.DONE, BsonBoolean.TRUE));
        return List.of(
                new UpdateOneModel<>(guard(stripe), touch()),
                new UpdateOneModel<>(noRecord, record, new UpdateOptions().upsert(true)));
    }

    private String occurrenceId(String occurrence) {
        return LeaseIds.occurrenceId(tenure.namespace(), tenure.name(), occurrence);
    }

    private void assertIn(ClientSession session) {
        int stripe = stripeFor(session);
        if (leases.updateOne(session, guard(stripe), touch()).getMatchedCount() == 0) {
            throw notHeld(session, stripe);
        }
        if (stripes != null && stripe != NO_STRIPE) {
            stripes.wrote(session);
        }
    }

    /**
     * The assertion as a model, for a bulk write on the collection of the lease documents in the caller's own
     * transaction; for example to assert several leases in one command. It asserts on the lease document, whether the lease has
     * gate stripes or not; {@link #asWriteModel(ClientSession)} makes use of them.
     *
     * <p>It adds exactly 1 to {@link com.mongodb.bulk.BulkWriteResult#getMatchedCount()} if the tenure stands, and 0 if
     * not. It never inserts. <strong>A missed assertion does not stop the bulk write, and throws nothing.</strong> So
     * the caller has to compare the count with the sum that it expects, and to abort the transaction if it is less. The
     * sum must be certain: keep models whose own count can vary out of that bulk write. {@link #check} on each
     * assertion, in the same transaction, throws for the one that missed, and keeps the transaction from committing.
     *
     * <p>Outside a transaction the model guarantees nothing, and unlike {@link #check} it cannot refuse. It works with
     * the reactive driver too, whose sessions {@code check} does not take.
     *
     * @param <T> the document type of the caller's collection, of no importance here
     * @return a new model
     */
    public <T> UpdateOneModel<T> asWriteModel() {
        return new UpdateOneModel<>(guard(NO_STRIPE), touch());
    }

    /**
     * The assertion as a model for one transaction, on a gate stripe that is free if there are any. All that is said of {@link
     * #asWriteModel()} holds for it too.
     *
     * @param session whose open transaction the bulk write will be part of
     * @param <T> the document type of the caller's collection, of no importance here
     * @return a new model, to be used in that transaction alone
     * @throws IllegalStateException if the session has no open transaction
     * @throws IllegalArgumentException if the session is null
     */
    public <T> UpdateOneModel<T> asWriteModel(ClientSession session) {
        requireTransaction(session);
        return new UpdateOneModel<>(guard(stripeFor(session)), touch());
    }

    /**
     * What ends a transaction that carried this assertion and failed, if the server still has it open because the abort was lost. Call
     * it when the driver is done with the transaction, and {@link AbandonedTransaction#end} then, on a thread that may block. {@code
     * inTransaction} of the engine's leases does so by itself. Does no I/O.
     *
     * @param session of the transaction, with none open; it may be used and closed from then on
     * @return what to end it by
     * @throws IllegalStateException if the session is closed, or has an open transaction
     */
    public AbandonedTransaction abandoned(ClientSession session) {
        if (session.hasActiveTransaction()) {
            throw new IllegalStateException("The session has an open transaction: abort it first");
        }
        BsonDocument none = lease().append(LeaseFields.TOKEN, new BsonDocument("$in", new BsonArray()));
        return new AbandonedTransaction(leases, none, touch(), session);
    }

    /** Shows the tenure, for logs. */
    @Override
    public String toString() {
        return "LeaseAssertion[" + tenure + "]";
    }

    /** Code that catches a failure and goes on must not commit what the assertion was to guard, nor store it without a transaction. */
    private void keepFromCommitting(ClientSession session, RuntimeException failure) {
        if (!(failure instanceof MongoException known)
                || !known.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)) {
            RollbackOnly.forGood(session, failure, () -> leases.updateOne(session, nothing(), touch()));
        } else if (known.getCode() != WRITE_CONFLICT && known.getCode() != NO_SUCH_TRANSACTION) {
            RollbackOnly.untilRetried(session, failure);
        }
    }

    /** The driver knows and sends nothing, but a collection does not tell its client. If its words change, they are what the caller sees. */
    private static boolean isOfAnotherClient(RuntimeException thrown) {
        return thrown instanceof IllegalStateException
                && String.valueOf(thrown.getMessage()).contains("same MongoClient");
    }

    private IllegalStateException anotherClient(RuntimeException thrown) {
        return new IllegalStateException(
                "The assertion of " + tenure + " was given a session of another MongoClient: it needs one of the client"
                        + " whose collection it was made with, and that is the client of the engine",
                thrown);
    }

    private void requireTransaction(@Nullable ClientSession session) {
        if (session == null) {
            throw new IllegalArgumentException("session null is refused: the assertion of " + tenure
                    + " needs a session with an open transaction");
        }
        if (!session.hasActiveTransaction()) {
            throw new IllegalStateException("The assertion of " + tenure
                    + " needs a session with an open transaction: outside of one it would guard nothing");
        }
    }

    private int stripeFor(ClientSession session) {
        return stripes == null || !stripes.areInUse() ? NO_STRIPE : stripes.of(session);
    }

    /** The token makes the difference: the same holder may hold the lease again, and that is another tenure. */
    private BsonDocument guard(int stripe) {
        return (stripe == NO_STRIPE ? lease() : document(LeaseIds.stripeId(tenure.namespace(), tenure.name(), stripe)))
                .append(LeaseFields.HOLDER, new BsonString(tenure.holder()))
                .append(LeaseFields.TOKEN, new BsonInt64(tenure.token()));
    }

    /** Has to change a byte each time: the server skips an update that changes nothing, and nothing conflicts. */
    private static BsonDocument touch() {
        return new BsonDocument("$inc", new BsonDocument(LeaseFields.GATES, new BsonInt64(1)));
    }

    /** No lease has this id: a name has one character at least. */
    private BsonDocument nothing() {
        return document(LeaseIds.clockId(tenure.namespace()) + "#");
    }

    private BsonDocument lease() {
        return document(tenure.leaseId());
    }

    private static BsonDocument document(String id) {
        return new BsonDocument(LeaseFields.ID, new BsonString(id));
    }

    /**
     * That the tenure does not stand is known before the read for the message begins. So a failure of that read,
     * transient or not, must not take the place of the answer.
     */
    private LeaseNotHeldException notHeld(ClientSession session, int stripe) {
        try {
            return new LeaseNotHeldException(
                    tenure, asserted(stripe) + FoundLease.describe(read(session), leases.getNamespace()));
        } catch (RuntimeException failure) {
            var notHeld = new LeaseNotHeldException(tenure, "what is there instead could not be read");
            // Not as the cause: retry loops search the causes for transient errors.
            notHeld.addSuppressed(failure);
            return notHeld;
        }
    }

    /** Where the lease itself shows the tenure, it is the stripe that is missing or damaged. */
    private static String asserted(int stripe) {
        return stripe == NO_STRIPE
                ? ""
                : "its gate stripe " + stripe + " does not show that tenure, and of the lease itself: ";
    }

    /** What the transaction sees. Where that can write and not read, what is there now has to do. */
    private @Nullable BsonDocument read(ClientSession session) {
        FindIterable<BsonDocument> found = canRead(session)
                ? leases.find(session, lease())
                : leases.withReadPreference(ReadPreference.primary())
                        .withReadConcern(ReadConcern.MAJORITY)
                        .find(lease());
        return found.projection(FoundLease.PROJECTION).first();
    }

    /** The driver refuses all reads of a transaction that is to read from secondaries, as an application may have set its client. */
    private static boolean canRead(ClientSession session) {
        @Nullable ReadPreference preference = session.getTransactionOptions().getReadPreference();
        return preference == null || preference.equals(ReadPreference.primary());
    }
}
