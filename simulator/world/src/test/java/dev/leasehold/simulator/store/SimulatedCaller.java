package dev.leasehold.simulator.store;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.assertions.Tenure;
import java.util.UUID;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** A caller of the simulated database. */
final class SimulatedCaller implements Caller {

    private final CallerSession session;
    private final Function<String, @Nullable Long> stored;

    SimulatedCaller(CallerSession session, Function<String, @Nullable Long> stored) {
        this.session = session;
        this.stored = stored;
    }

    @Override
    public UUID driverSession() {
        return session.driverSession();
    }

    @Override
    public void begins() {
        session.clientSession().startTransaction();
    }

    @Override
    public void asserts(Tenure tenure) {
        asserts(assertionOf(tenure));
    }

    @Override
    public void asserts(LeaseAssertion assertion) {
        assertion.check(session.clientSession());
    }

    @Override
    public LeaseAssertion assertionOf(Tenure tenure) {
        return LeaseAssertion.of(tenure, SimulatedDatabase.leases());
    }

    @Override
    public void writes(String document, long value) {
        session.write(document, value);
    }

    @Override
    public @Nullable Long readsToken(String lease) {
        BsonDocument found = session.read(LeaseIds.leaseId(Fixture.NAMESPACE, lease));
        return found == null ? null : (Long) found.getInt64("token").getValue();
    }

    @Override
    public void changesNothingOf(String lease) {
        SimulatedDatabase.leases()
                .updateOne(
                        session.clientSession(),
                        Filters.eq("_id", Fixture.NAMESPACE + "#" + lease),
                        Updates.set("type", "lease"));
    }

    @Override
    public void commits() {
        session.clientSession().commitTransaction();
    }

    @Override
    public void aborts() {
        session.clientSession().abortTransaction();
    }

    @Override
    public void inTransaction(Runnable body) {
        session.clientSession().withTransaction(() -> {
            body.run();
            return null;
        });
    }

    @Override
    public @Nullable Long stored(String document) {
        return stored.apply(document);
    }
}
