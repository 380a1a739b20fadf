package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class GateExampleIT {

    private final MongoClient client;
    private final LeaseEngine engine;
    private final MongoCollection<Document> accounts;
    private final MongoCollection<Document> orders;
    private final MongoCollection<Document> leases;

    GateExampleIT(TestDatabase database) {
        client = database.newClient();
        engine = LeaseEngine.builder(client).database(database.name()).namespace("examples").build();
        accounts = client.getDatabase(database.name()).getCollection("accounts");
        orders = client.getDatabase(database.name()).getCollection("orders");
        leases = client.getDatabase(database.name()).getCollection("leases");
    }

    @BeforeEach
    void openAccounts() {
        accounts.insertMany(List.of(account("safe", 100), account("till", 0)));
    }

    @AfterEach
    void closeEngine() {
        engine.close();
    }

    @Test
    void theHolderTransfers() throws InterruptedException {
        GateExample.transfer(client, engine, claim("accounts"), accounts, 30);

        assertThat(accounts.find()).containsExactlyInAnyOrder(account("safe", 70), account("till", 30));
    }

    @Test
    void whoHasGivenTheLeaseUpDoesNotTransfer() throws InterruptedException {
        Tenure tenure = claim("accounts");
        engine.release(tenure).orElseThrow();

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> GateExample.transfer(client, engine, tenure, accounts, 30));

        assertThat(accounts.find()).containsExactlyInAnyOrder(account("safe", 100), account("till", 0));
    }

    @Test
    void theHolderOfAllLeasesOrders() throws InterruptedException {
        order(claim("stock"), claim("shipping"));

        assertThat(orders.find()).containsExactly(new Document("_id", 1));
    }

    @Test
    void whoLacksOneOfTheLeasesDoesNotOrder() throws InterruptedException {
        Tenure stock = claim("stock");
        Tenure shipping = claim("shipping");
        engine.release(shipping).orElseThrow();

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> order(stock, shipping))
                .satisfies(missed -> assertThat(missed.tenure()).isEqualTo(shipping));

        assertThat(orders.find()).isEmpty();
    }

    private Tenure claim(String lease) throws InterruptedException {
        return engine.claim(lease, "clerk-1", Duration.ofSeconds(60)).orElseThrow();
    }

    private void order(Tenure... tenures) {
        try (ClientSession session = client.startSession()) {
            GateExample.underSeveral(session, engine, List.of(tenures), leases, orders, new Document("_id", 1));
        }
    }

    private static Document account(String id, int balance) {
        return new Document("_id", id).append("balance", balance);
    }
}
