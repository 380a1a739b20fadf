package dev.leasehold.examples;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A primary that stands still, without a fail-over, for longer than an abort is tried. On real clocks. */
@WithOwnReplicaSet(nodes = 1, parameters = "transactionLifetimeLimitSeconds=300")
class OpenedByHandExampleIT {

    private static final Duration TERM = Duration.ofMinutes(10);

    private final TestDatabase database;
    private final MongoClient client;
    private final MongoCollection<Document> accounts;
    private final ClientSession session;
    private final LeaseEngine engine;

    OpenedByHandExampleIT(TestDatabase database) {
        this.database = database;
        client = database.newClient(settings -> settings.applyToSocketSettings(
                        socket -> socket.readTimeout(1, TimeUnit.SECONDS).connectTimeout(1, TimeUnit.SECONDS))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(2, TimeUnit.SECONDS)));
        accounts = client.getDatabase(database.name()).getCollection("accounts");
        session = client.startSession();
        engine = LeaseEngine.builder(database.newClient())
                .database(database.name())
                .namespace("examples")
                .operationBudget(Duration.ofSeconds(3))
                .sessionLength(Duration.ofMinutes(5))
                .build();
    }

    @BeforeEach
    void openAccount() {
        accounts.insertOne(new Document("_id", "till").append("balance", 0));
    }

    @AfterEach
    void close() {
        session.close();
        engine.close();
    }

    @Test
    void aLostAbortBlocksTheLeaseUntilTheNextTransactionOfTheSession() throws Exception {
        Tenure tenure = claim();
        LeaseAssertion own = LeaseAssertion.of(tenure, leases());
        loseTheAbortOf(own);

        assertBlocked(tenure);
        OpenedByHandExample.deposit(session, own, accounts, 7);

        assertThat(accounts.find()).containsExactly(new Document("_id", "till").append("balance", 7));
        engine.tenures().extend(tenure, TERM.multipliedBy(2)).orElseThrow();
    }

    @Test
    void aLostAbortBlocksTheLeaseUntilItsSessionIsKilled() throws Exception {
        Tenure tenure = claim();
        loseTheAbortOf(LeaseAssertion.of(tenure, leases()));

        assertBlocked(tenure);
        OpenedByHandExample.end(client, session);

        engine.tenures().extend(tenure, TERM.multipliedBy(2)).orElseThrow();
    }

    private Tenure claim() throws InterruptedException {
        return engine.tenures().claim("accounts", "teller", TERM).orElseThrow();
    }

    private MongoCollection<Document> leases() {
        return client.getDatabase(database.name()).getCollection("leases");
    }

    private void loseTheAbortOf(LeaseAssertion assertion) {
        session.startTransaction();
        assertion.check(session);
        database.set().primary().pause();
        try {
            assertThatExceptionOfType(MongoException.class)
                    .isThrownBy(() -> accounts.updateOne(session, eq("_id", "till"), inc("balance", 1)));
            session.abortTransaction(); // the connection is gone, and none can be made: it is not sent, and the driver
            // does not say so
        } finally {
            database.set().node(0).resume();
        }
    }

    /** For the living holder too, with which nothing is wrong. */
    private void assertBlocked(Tenure tenure) {
        assertThatExceptionOfType(LeaseContentionException.class)
                .isThrownBy(() -> engine.tenures().extend(tenure, TERM.multipliedBy(2)))
                .withMessageContaining("'accounts'");
        assertThat(engine.tenures().isHeld(tenure)).isTrue();
    }
}
