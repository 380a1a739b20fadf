package dev.leasehold.assertions;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOneModel;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * Lets a caller's transaction commit only if a tenure still stands.
 *
 * <p>A transaction that carries the assertion commits only if no other tenure of the lease began before it committed,
 * and nobody made the lease vacant. This rests on no clock. See the package's description for what it does not cover.
 *
 * <p>The assertion may stand anywhere in the transaction. From there to the end of the transaction it keeps others from
 * writing the lease document: an extension, a release or a take-over fails and is tried again after it. So a long
 * transaction does best to assert last, at the price of doing work that may turn out to be in vain. Assertions of the
 * same lease also conflict with each other; all get through in the end, one after the other.
 *
 * <p>If the process dies in such a transaction, or the thread's interrupt flag keeps the driver from ending it, the
 * lease document stays blocked until the server ends the transaction by itself: with its default settings after 60 to
 * 90 seconds.
 *
 * <p>Immutable, may be used by many threads at once, each with its own session. Make it once from the tenure and use it
 * for every run of the transaction's body.
 */
public final class LeaseAssertion {

    private final Tenure tenure;
    private final MongoCollection<BsonDocument> leases;

    private LeaseAssertion(Tenure tenure, MongoCollection<BsonDocument> leases) {
        this.tenure = tenure;
        this.leases = leases;
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
                        .withCodecRegistry(MongoClientSettings.getDefaultCodecRegistry()));
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
     * <p>One round trip, and a second one if the tenure does not stand. Blocks as long as the driver does, and is
     * interrupted as the driver is. Let every exception end the transaction: one that is caught and passed over leaves
     * a transaction without the assertion.
     *
     * <p>The driver's exceptions pass through unchanged. Above all a write conflict keeps the label {@code
     * TransientTransactionError}, so that {@link ClientSession#withTransaction} runs the body again. That happens also
     * when the lease was extended since the transaction's snapshot: it says nothing about whether the tenure stands.
     *
     * @param session a session with a transaction that was started and is not ended
     * @throws LeaseNotHeldException if the tenure does not stand, as this transaction sees it. It has no label, so that
     *     {@code withTransaction} does not run the body again
     * @throws IllegalStateException if the session has no open transaction; nothing was sent
     */
    public void check(ClientSession session) {
        requireTransaction(session);
        if (leases.updateOne(session, guard(), touch()).getMatchedCount() == 0) {
            throw notHeld(session);
        }
    }

    /**
     * The assertion as a model, for a bulk write on the collection of the lease documents in the caller's own
     * transaction; for example to assert several leases in one command.
     *
     * <p>It adds exactly 1 to {@link com.mongodb.bulk.BulkWriteResult#getMatchedCount()} if the tenure stands, and 0 if
     * not. It never inserts. <strong>A missed assertion does not stop the bulk write, and throws nothing.</strong> So
     * the caller has to compare the count with the sum that it expects, and to abort the transaction when it is less.
     * That needs a sum that is certain: let a model whose own count can vary be no part of the same bulk write. {@link
     * #check} on each assertion, in the same transaction, throws for the one that missed.
     *
     * <p>Outside a transaction the model guarantees nothing, and unlike {@link #check} it cannot refuse.
     *
     * @param <T> the document type of the caller's collection, of no importance here
     * @return a new model
     */
    public <T> UpdateOneModel<T> asWriteModel() {
        return new UpdateOneModel<>(guard(), touch());
    }

    /** Shows the tenure, for logs. */
    @Override
    public String toString() {
        return "LeaseAssertion[" + tenure + "]";
    }

    private void requireTransaction(ClientSession session) {
        if (!session.hasActiveTransaction()) {
            throw new IllegalStateException("The assertion of " + tenure
                    + " needs a session with an open transaction: outside of one it would guard nothing");
        }
    }

    /** The token makes the difference: the same holder may hold the lease again, and that is another tenure. */
    private BsonDocument guard() {
        return lease()
                .append(LeaseFields.HOLDER, new BsonString(tenure.holder()))
                .append(LeaseFields.TOKEN, new BsonInt64(tenure.token()));
    }

    /** Has to change a byte each time: the server skips an update that changes nothing, and nobody conflicts. */
    private static BsonDocument touch() {
        return new BsonDocument("$inc", new BsonDocument(LeaseFields.GATES, new BsonInt64(1)));
    }

    private BsonDocument lease() {
        return new BsonDocument(LeaseFields.ID, new BsonString(tenure.leaseId()));
    }

    /**
     * That the tenure does not stand is known before the read for the message begins. So a failure of that read,
     * transient or not, must not take the place of the answer.
     */
    private LeaseNotHeldException notHeld(ClientSession session) {
        try {
            return new LeaseNotHeldException(tenure, FoundLease.describe(read(session)));
        } catch (RuntimeException failure) {
            var notHeld = new LeaseNotHeldException(tenure, "what is there instead could not be read");
            // Not as the cause: retry loops search the causes for transient errors.
            notHeld.addSuppressed(failure);
            return notHeld;
        }
    }

    private @Nullable BsonDocument read(ClientSession session) {
        return leases.find(session, lease()).projection(FoundLease.PROJECTION).first();
    }
}
