package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.Lease;
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
        engine = LeaseEngine.builder(client)
                .database(database.name())
                .namespace("examples")
                .build();
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
        GateExample.transfer(client, acquire("accounts"), accounts, 30);

        assertThat(accounts.find()).containsExactlyInAnyOrder(account("safe", 70), account("till", 30));
    }

    @Test
    void theHolderTransfersWithTheAssertionAtTheEnd() throws InterruptedException {
        GateExample.transferAtTheEnd(client, acquire("accounts"), accounts, 30);

        assertThat(accounts.find()).containsExactlyInAnyOrder(account("safe", 70), account("till", 30));
    }

    @Test
    void theHolderOfStripesTransfersBesideAnotherTransactionOfItsOwn() throws InterruptedException {
        Lease lease = GateExample.manyAtOnce(engine, Duration.ZERO);
        try (ClientSession other = client.startSession()) {
            other.startTransaction();
            lease.assertion().check(other);

            GateExample.transfer(client, lease, accounts, 30);

            other.commitTransaction();
        }
        assertThat(accounts.find()).containsExactlyInAnyOrder(account("safe", 70), account("till", 30));
    }

    @Test
    void holderThatHasReleasedTheLeaseDoesNotTransfer() throws InterruptedException {
        Lease lease = acquire("accounts");
        lease.close();

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> GateExample.transfer(client, lease, accounts, 30));
        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> GateExample.transferAtTheEnd(client, lease, accounts, 30));

        assertThat(accounts.find()).containsExactlyInAnyOrder(account("safe", 100), account("till", 0));
    }

    @Test
    void theHolderOfAllLeasesOrders() throws InterruptedException {
        order(acquire("stock"), acquire("shipping"));

        assertThat(orders.find()).containsExactly(new Document("_id", 1));
    }

    @Test
    void holderThatLacksOneOfTheLeasesDoesNotOrder() throws InterruptedException {
        Lease stock = acquire("stock");
        Lease shipping = acquire("shipping");
        shipping.close();

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> order(stock, shipping))
                .satisfies(missed -> assertThat(missed.tenure()).isEqualTo(shipping.tenure()));

        assertThat(orders.find()).isEmpty();
    }

    private Lease acquire(String lease) throws InterruptedException {
        return engine.tryAcquire(lease).orElseThrow();
    }

    private void order(Lease... held) {
        try (ClientSession session = client.startSession()) {
            GateExample.underSeveral(session, List.of(held), leases, orders, new Document("_id", 1));
        }
    }

    private static Document account(String id, int balance) {
        return new Document("_id", id).append("balance", balance);
    }
}
