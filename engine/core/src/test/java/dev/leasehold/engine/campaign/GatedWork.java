package dev.leasehold.engine.campaign;

import com.mongodb.MongoException;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;

/** The application: transactions that write a numbered document under a tenure. */
final class GatedWork {

    static final String WRITES = "writes";

    private static final String SEQUENCE = "sequence";

    private final MongoCollection<Document> counters;
    private final MongoCollection<Document> writes;

    GatedWork(MongoDatabase database) {
        counters = database.getCollection("counters");
        writes = database.getCollection(WRITES);
    }

    /** To be called once, before any work. */
    void prepare(List<String> leases) {
        counters.withWriteConcern(WriteConcern.MAJORITY)
                .insertMany(leases.stream()
                        .map(lease -> new Document("_id", lease).append(SEQUENCE, 0L))
                        .toList());
        writes.withWriteConcern(WriteConcern.MAJORITY).createIndex(new Document("call", 1));
    }

    /** One transaction, its answer in the journal. */
    void carryOut(String call, MongoClient client, LeaseAssertion assertion, boolean assertsFirst, Journal journal) {
        Tenure tenure = assertion.tenure();
        journal.asks(call, Operation.GATE, tenure.name(), tenure.holder(), tenure.token(), 0);
        try (ClientSession session = client.startSession()) {
            session.withTransaction(
                    () -> write(session, call, assertion, assertsFirst),
                    TransactionOptions.builder()
                            .writeConcern(WriteConcern.MAJORITY)
                            .build());
            journal.told(call, Verdict.YES, tenure.token(), "committed");
        } catch (LeaseNotHeldException e) {
            journal.told(call, Verdict.NO, 0, "not-held");
        } catch (MongoException e) {
            // What the driver's exceptions mean is not for this project to say.
            journal.told(call, Verdict.NEVER_KNOWN, 0, e.getClass().getSimpleName());
        }
    }

    private boolean write(ClientSession session, String call, LeaseAssertion assertion, boolean assertsFirst) {
        if (assertsFirst) {
            assertion.check(session);
        }
        Tenure tenure = assertion.tenure();
        Document counter = counters.findOneAndUpdate(
                session,
                Filters.eq(tenure.name()),
                Updates.inc(SEQUENCE, 1L),
                new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER));
        writes.insertOne(
                session,
                new Document("call", call)
                        .append("lease", tenure.name())
                        .append("token", tenure.token())
                        .append(SEQUENCE, counter.getLong(SEQUENCE)));
        if (!assertsFirst) {
            assertion.check(session);
        }
        return true;
    }

    long count(String lease) {
        return counters.find(Filters.eq(lease)).first().getLong(SEQUENCE);
    }

    List<GatedWrite> writes() {
        return writes.find()
                .map(write -> new GatedWrite(
                        write.getString("call"),
                        write.getString("lease"),
                        write.getLong("token"),
                        write.getLong(SEQUENCE)))
                .into(new ArrayList<>());
    }
}
