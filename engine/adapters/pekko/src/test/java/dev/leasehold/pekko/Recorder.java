package dev.leasehold.pekko;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import org.bson.Document;

/** Writes down what actors do, in the database: whatever befalls their process, it can be read. */
final class Recorder {

    private static final FindOneAndUpdateOptions OR_BEGIN =
            new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER);

    private final MongoDatabase database;
    private final MongoClient client;
    private final String node;

    Recorder(MongoDatabase database, MongoClient client, String node) {
        this.database = database;
        this.client = client;
        this.node = node;
    }

    /** Work that is not gated, under a lease that said at this time, or a little later, that it is held. */
    void held(Tenure tenure, long nanos) {
        try {
            database.getCollection("held").insertOne(record(tenure).append("nanos", nanos));
        } catch (MongoException e) {
            // The database fails over. What was not recorded is not judged.
        }
    }

    /** A transaction that commits only under the tenure, with a number that shows the order of the commits. */
    void gated(LeaseAssertion assertion) {
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            assertion.check(session);
            Document counter = database.getCollection("counters")
                    .findOneAndUpdate(
                            session,
                            Filters.eq("_id", assertion.tenure().name()),
                            Updates.inc("commits", 1L),
                            OR_BEGIN);
            database.getCollection("gated")
                    .insertOne(session, record(assertion.tenure()).append("commit", counter.getLong("commits")));
            session.commitTransaction();
        } catch (LeaseNotHeldException e) {
            try {
                database.getCollection("refused").insertOne(record(assertion.tenure()));
            } catch (MongoException unrecorded) {
                // The database fails over.
            }
        } catch (MongoException e) {
            // Aborted, or unknown; the next tick tries again.
        }
    }

    /** The actor has ended, in this process. */
    void stopped(Tenure tenure) {
        try {
            database.getCollection("stopped").insertOne(record(tenure));
        } catch (MongoException | IllegalStateException e) {
            // The process ends, and its client is closed.
        }
    }

    private Document record(Tenure tenure) {
        return new Document("lease", tenure.name()).append("node", node).append("token", tenure.token());
    }
}
