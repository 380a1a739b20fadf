package dev.leasehold.simulator.campaign;

import com.mongodb.MongoException;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import dev.leasehold.simulator.run.Answers;
import java.util.List;
import org.bson.Document;

/** The application: transactions that write a document under a tenure. */
final class GatedWork {

    static final String WRITES = "writes";

    private final MongoCollection<Document> writes;

    GatedWork(MongoDatabase database) {
        writes = database.getCollection(WRITES);
    }

    /** One transaction, its answer in the journal. */
    void carryOut(MongoClient client, LeaseAssertion assertion, boolean assertsFirst, Journal journal) {
        Tenure tenure = assertion.tenure();
        int call = journal.called(new Operation(Kind.GATE, tenure.name(), null, Journal.held(tenure), 0, false));
        try (ClientSession session = client.startSession()) {
            session.withTransaction(
                    () -> write(session, call, assertion, assertsFirst),
                    TransactionOptions.builder()
                            .writeConcern(WriteConcern.MAJORITY)
                            .build());
            journal.answered(call, Answers.DONE);
        } catch (LeaseNotHeldException e) {
            journal.answered(call, Answers.no("NOT_HELD"));
        } catch (MongoException e) {
            // What the driver's exceptions mean is not for this project to say.
            String name = e.getClass().getSimpleName();
            journal.answered(call, new Answer(Answer.Kind.UNKNOWN, null, name, List.of()));
        }
    }

    private boolean write(ClientSession session, int call, LeaseAssertion assertion, boolean assertsFirst) {
        if (assertsFirst) {
            assertion.check(session);
        }
        Tenure tenure = assertion.tenure();
        writes.insertOne(
                session,
                new Document("call", call)
                        .append("lease", tenure.name())
                        .append("holder", tenure.holder())
                        .append("token", tenure.token()));
        if (!assertsFirst) {
            assertion.check(session);
        }
        return true;
    }
}
