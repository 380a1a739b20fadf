package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.granted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A caller that dies between its assertion and its commit leaves a transaction that nothing will finish. It blocks the
 * lease that was asserted until the server ends it, and nothing else. On real clocks.
 */
@WithOwnReplicaSet(nodes = 1, parameters = DeadCallerIT.END_OF_ITS_TRANSACTION)
@Execution(ExecutionMode.CONCURRENT)
class DeadCallerIT {

    /** Long enough for what is shown while the transaction is open. */
    static final String END_OF_ITS_TRANSACTION = "transactionLifetimeLimitSeconds=10";

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private interface Death {
        void between(TestDatabase database, Tenure asserted) throws Exception;
    }

    enum Caller {
        KILLED_WITH_ITS_PROCESS(DeadCallerIT::killAProcess),
        ITS_CLIENT_CLOSED_INSIDE_THE_BODY(DeadCallerIT::closeTheClientInsideTheBody);

        private final Death death;

        Caller(Death death) {
            this.death = death;
        }
    }

    private static void killAProcess(TestDatabase database, Tenure tenure) throws Exception {
        ChildProcess child = ChildProcess.start(database, "child", Duration.ZERO);
        String answer = child.does("assertAndStay " + tenure.name() + " " + tenure.holder() + " " + tenure.token());
        child.kill();
        assertThat(answer).isEqualTo("asserted");
    }

    private static void closeTheClientInsideTheBody(TestDatabase database, Tenure tenure) {
        MongoClient client = database.newClient();
        LeaseAssertion assertion =
                LeaseAssertion.of(tenure, client.getDatabase(database.name()).getCollection(Engines.COLLECTION));
        ClientSession session = client.startSession();
        assertThatThrownBy(() -> session.withTransaction(() -> {
                    client.getDatabase(database.name()).getCollection("reports").insertOne(session, new Document());
                    assertion.check(session);
                    client.close();
                    return null;
                }))
                .isInstanceOf(IllegalStateException.class);
    }

    private static LeaseEngine engine(TestDatabase database, String instance, int budgetSeconds) {
        return Engines.onTheSystemsClock(database.newClient(), database, instance, Duration.ofSeconds(budgetSeconds))
                .build();
    }

    @AfterEach
    void checkSchema(TestDatabase database) {
        SchemaCheck.of(database);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "A dead caller blocks the lease that it asserted until the server ends its transaction, and no other lease")
    void aDeadCallerBlocksItsLeaseAndNothingElse(Caller caller, TestDatabase database) throws Exception {
        try (LeaseEngine a = engine(database, "a", 20);
                LeaseEngine b = engine(database, "b", 20);
                LeaseEngine hasty = engine(database, "hasty", 2)) {
            Tenure asserted = granted(a.tenures().claim("asserted", "h", MINUTE));
            Tenure other = granted(a.tenures().claim("other", "h", MINUTE));
            caller.death.between(database, asserted);

            assertThatThrownBy(() -> hasty.tenures().extend(asserted, Duration.ofHours(1)))
                    .isInstanceOf(LeaseContentionException.class)
                    .hasMessageContaining("'asserted'")
                    .hasMessageContaining("one whose caller died")
                    .hasMessageContaining("transactionLifetimeLimitSeconds");
            granted(b.tenures().claim("another", "h", MINUTE));
            granted(a.tenures().extend(other, MINUTE.multipliedBy(2)));
            granted(b.tenures().release(other));
            assertThat(openTransactions(database))
                    .as("still open while all that was done")
                    .isOne();

            Awaitility.await().until(() -> openTransactions(database) == 0);
            granted(a.tenures().extend(asserted, Duration.ofHours(1)));
            granted(a.tenures().release(asserted));
        }
        assertThat(database.database().getCollection("reports").countDocuments())
                .as("never committed")
                .isZero();
    }

    /** How many transactions of the test's clients wait for their next command. */
    private static int openTransactions(TestDatabase database) {
        return database.client()
                .getDatabase("admin")
                .aggregate(List.of(
                        new Document("$currentOp", new Document("idleSessions", true)),
                        new Document(
                                "$match",
                                new Document("type", "idleSession")
                                        .append("appName", database.name())
                                        .append("transaction.parameters.txnNumber", new Document("$exists", true)))))
                .into(new ArrayList<>())
                .size();
    }
}
