package dev.leasehold.examples.environments;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.bson.Document;
import org.bson.types.ObjectId;

/** What is going on in the environments: a document for each action that has begun and not ended. Safe for use by many threads. */
public final class Activities {

    private final MongoClient client;
    private final MongoCollection<Document> activities;

    /**
     * Does no I/O.
     *
     * @param client the one that the engine of the leases was built with
     * @param activities a collection of that client
     */
    public Activities(MongoClient client, MongoCollection<Document> activities) {
        this.client = client;
        this.activities = activities;
    }

    /**
     * Checks that an action is safe and records that it has begun, in one transaction that commits only under the lease.
     *
     * @param lease of the environment and for the action
     * @param isSafe given what is going on there. It may take its time, and may be asked again
     * @return under which id it was recorded; nothing if it is not safe
     * @throws dev.leasehold.assertions.LeaseNotHeldException if the lease is not held any more; nothing was recorded
     */
    public Optional<ObjectId> beginIfSafe(EnvironmentLease lease, Predicate<? super Set<Action>> isSafe) {
        // example:start begin-if-safe
        Document begun = new Document("_id", new ObjectId())
                .append("environment", lease.environment())
                .append("action", lease.action().text());
        try (ClientSession session = client.startSession()) {
            return session.withTransaction(() -> {
                boolean safe = isSafe.test(running(session, lease.environment()));
                if (safe) {
                    activities.insertOne(session, begun);
                }
                lease.requireHeldIn(session); // at the end: until then it blocks no other instance
                return safe ? Optional.of(begun.getObjectId("_id")) : Optional.empty();
            });
        }
        // example:end begin-if-safe
    }

    private Set<Action> running(ClientSession session, String environment) {
        Set<Action> running = EnumSet.noneOf(Action.class);
        activities
                .find(session, eq("environment", environment))
                .forEach(activity -> running.add(Action.ofText(activity.getString("action"))));
        return running;
    }

    /**
     * Records that an action has ended. That needs no lease: it makes nothing unsafe.
     *
     * @param id under which its begin was recorded
     */
    public void end(ObjectId id) {
        activities.deleteOne(eq("_id", id));
    }
}
