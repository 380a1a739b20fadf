package dev.leasehold.simulator.store;

import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import java.util.UUID;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** A caller with the driver, in a session of its own. */
final class MongoCaller implements Caller {

    static final String ORDERS = "orders";

    private static final String VALUE = "value";
    private static final TransactionOptions MAJORITY =
            TransactionOptions.builder().writeConcern(WriteConcern.MAJORITY).build();

    private final ClientSession session;
    private final MongoCollection<Document> leases;
    private final MongoCollection<Document> orders;

    MongoCaller(ClientSession session, MongoDatabase database, String leases) {
        this.session = session;
        this.leases = database.getCollection(leases);
        this.orders = database.getCollection(ORDERS);
    }

    @Override
    public UUID driverSession() {
        return session.getServerSession().getIdentifier().getBinary("id").asUuid();
    }

    @Override
    public void begins() {
        session.startTransaction(MAJORITY);
    }

    @Override
    public void asserts(Tenure tenure) {
        asserts(assertionOf(tenure));
    }

    @Override
    public void asserts(LeaseAssertion assertion) {
        assertion.check(session);
    }

    @Override
    public LeaseAssertion assertionOf(Tenure tenure) {
        return LeaseAssertion.of(tenure, leases);
    }

    @Override
    public void writes(String document, long value) {
        orders.updateOne(
                session, Filters.eq("_id", document), Updates.set(VALUE, value), new UpdateOptions().upsert(true));
    }

    @Override
    public @Nullable Long readsToken(String lease) {
        Document found = leases.find(session, Filters.eq("_id", Fixture.NAMESPACE + "#" + lease))
                .first();
        return found == null ? null : found.getLong("token");
    }

    @Override
    public void changesNothingOf(String lease) {
        leases.updateOne(session, Filters.eq("_id", Fixture.NAMESPACE + "#" + lease), Updates.set("type", "lease"));
    }

    @Override
    public void commits() {
        session.commitTransaction();
    }

    @Override
    public void aborts() {
        session.abortTransaction();
    }

    @Override
    public void inTransaction(Runnable body) {
        session.withTransaction(
                () -> {
                    body.run();
                    return null;
                },
                MAJORITY);
    }

    @Override
    public @Nullable Long stored(String document) {
        Document found = orders.find(Filters.eq("_id", document)).first();
        return found == null ? null : found.getLong(VALUE);
    }
}
