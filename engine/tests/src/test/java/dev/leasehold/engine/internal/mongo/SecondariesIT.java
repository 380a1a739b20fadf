package dev.leasehold.engine.internal.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoException;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.connection.ServerDescription;
import dev.leasehold.engine.UnsupportedDeploymentException;
import dev.leasehold.engine.internal.mongo.errors.ErrorMapper;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.replicaset.Node;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.StoppedReplication;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What only shows in a set with secondaries: direct connections to them, and a majority that is missing. */
@WithOwnReplicaSet
class SecondariesIT {

    private static final Duration SHORT_BUDGET = Duration.ofSeconds(2);
    private static final Duration CAUGHT_UP = Duration.ofMinutes(1);

    private final ReplicaSet set;
    private final Stores stores;
    private final MongoClient client;
    private final TestWriter a;
    private final List<StoppedReplication> stopped = new ArrayList<>();

    SecondariesIT(ReplicaSet set, TestDatabase database) {
        this.set = set;
        stores = new Stores(database);
        client = stores.client(settings -> {});
        MongoLeaseStore store = stores.on(client, SHORT_BUDGET);
        store.open();
        a = new TestWriter(store, "a").registered();
        a.commits(a.insert("x"));
    }

    @AfterEach
    void close() {
        resumeReplication();
        stores.close();
    }

    private List<Node> secondaries() {
        return set.nodes().stream().filter(node -> !node.isPrimary()).toList();
    }

    private void stopReplication() {
        stopped.add(set.stopReplication());
    }

    private void resumeReplication() {
        stopped.forEach(StoppedReplication::close);
    }

    @Test
    void aDirectConnectionToASecondaryIsRefused() {
        String uri = "mongodb://" + secondaries().get(0).address() + "/?directConnection=true";
        try (MongoClient client = MongoClients.create(uri)) {
            assertThatExceptionOfType(UnsupportedDeploymentException.class)
                    .isThrownBy(() -> stores.on(client, Stores.BUDGET).open())
                    .withMessageContaining("not the primary");
        }
    }

    @Test
    void theClientKnowsItsPrimaryBehindWritesThatNoMajorityHas() {
        stopReplication();

        assertThat(a.commit(a.insert("y")).verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThatTheClientStillKnowsItsPrimary();
        assertThat(a.store()
                        .writeClock(new TestWriter(a.store(), "b").registration())
                        .verdict())
                .isEqualTo(Verdict.UNKNOWN);
        assertThatTheClientStillKnowsItsPrimary();
    }

    @Test
    void thatATransactionDoesNotExistIsUnknownUntilAMajorityKnows() {
        ErrorMapper errorMapper = new ErrorMapper("billing", stores.documents().getNamespace());
        WriteConcern shortly = WriteConcern.MAJORITY.withWTimeout(500, TimeUnit.MILLISECONDS);
        try (ClientSession session = client.startSession()) {
            MongoCollection<Document> inTransaction = client.getDatabase(
                            stores.documents().getNamespace().getDatabaseName())
                    .getCollection("mine");
            session.startTransaction(
                    TransactionOptions.builder().writeConcern(shortly).build());
            inTransaction.insertOne(session, new Document());
            stopReplication();
            client.getDatabase("admin")
                    .runCommand(new Document(
                            "killSessions", List.of(session.getServerSession().getIdentifier())));

            assertThat(commit(session, errorMapper).verdict()).isEqualTo(Verdict.UNKNOWN);
            resumeReplication();

            Awaitility.await()
                    .atMost(CAUGHT_UP)
                    .until(() -> commit(session, errorMapper).verdict(), Verdict.UNAVAILABLE::equals);
        }
    }

    private static WriteOutcome commit(ClientSession session, ErrorMapper errorMapper) {
        MongoException failure = catchThrowableOfType(MongoException.class, session::commitTransaction);
        assertThat(failure.getCode()).as("no such transaction").isEqualTo(251);
        return errorMapper.ofCommit(failure);
    }

    /** The driver may take a late majority for a failing primary, and the application could not use its client then. */
    private void assertThatTheClientStillKnowsItsPrimary() {
        assertThat(client.getClusterDescription().getServerDescriptions()).anyMatch(ServerDescription::isPrimary);
    }
}
