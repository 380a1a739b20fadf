package dev.leasehold.withreactivedriver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseMeters;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** A transaction of the driver for reactive streams that commits only under a tenure that stands. */
@WithReplicaSet
class OrdersIT {

    private final TestDatabase database;
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final LeaseEngine engine;
    private final MongoClient client;
    private final MongoDatabase reactive;
    private final MongoCollection<Document> orders;

    OrdersIT(TestDatabase database) {
        this.database = database;
        engine = LeaseEngine.builder(database.newClient())
                .database(database.name())
                .namespace("shop")
                .meters(LeaseMeters.to(meters))
                .build();
        client = MongoClients.create(database.uri());
        reactive = client.getDatabase(database.name());
        orders = database.database().getCollection("orders");
    }

    @BeforeEach
    void createCollection() {
        database.database().createCollection("orders");
    }

    @AfterEach
    void close() {
        client.close();
        engine.close();
    }

    @Test
    void theHolderOrders() throws InterruptedException {
        Lease lease = engine.tryAcquire("stock").orElseThrow();

        Orders.place(client, reactive, lease.assertion(), order()).block();

        assertThat(orders.find()).containsExactly(order());
        assertThat(lease.isHeld()).isTrue();
        assertThat(meters.find("leasehold.transactions").counters()).isNotEmpty();
    }

    @Test
    void holderThatHasReleasedTheLeaseDoesNotOrder() throws InterruptedException {
        Lease lease = engine.tryAcquire("stock").orElseThrow();
        LeaseAssertion assertion = lease.assertion();
        lease.close();
        engine.tryAcquire("stock").orElseThrow();

        assertThatIllegalStateException()
                .isThrownBy(
                        () -> Orders.place(client, reactive, assertion, order()).block())
                .withMessageContaining("token=" + lease.token());

        assertThat(orders.find()).isEmpty();
    }

    @Test
    void anOrderWhoseCommitFailsIsNotPlacedAndTheCallerSeesWhy() throws InterruptedException {
        Lease lease = engine.tryAcquire("stock").orElseThrow();

        try (ActiveFailPoint commits = database.activate(FailPoint.failCommands("commitTransaction")
                .withErrorCode(251)
                .withErrorLabels(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)
                .forAppName(database.name()))) {
            assertThatExceptionOfType(MongoException.class)
                    .isThrownBy(() -> Orders.place(client, reactive, lease.assertion(), order())
                            .block())
                    .matches(failure -> failure.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL));
            assertThat(commits.timesEntered()).isOne();
        }

        assertThat(orders.find()).isEmpty();
    }

    @Test
    void noTenureBeginsBetweenTheAssertionAndTheCommit() throws InterruptedException {
        Lease lease = engine.tryAcquire("stock").orElseThrow();
        var leases = reactive.getCollection("leases");
        var session = Mono.from(client.startSession()).block();
        session.startTransaction();
        assertThat(Mono.from(leases.bulkWrite(session, List.of(lease.assertion().asWriteModel())))
                        .block()
                        .getMatchedCount())
                .isOne();

        try (var other = database.client().startSession()) {
            other.startTransaction();
            assertThatExceptionOfType(MongoCommandException.class)
                    .isThrownBy(() -> database.database()
                            .getCollection("leases")
                            .updateOne(
                                    other, new Document("_id", "shop#stock"), Updates.set("holder", "another holder")))
                    .matches(conflict -> conflict.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL));
            other.abortTransaction();
        }
        Mono.from(session.abortTransaction()).block();
        session.close();
    }

    private static Document order() {
        return new Document("_id", 1);
    }
}
