package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.RunOnceResult;
import dev.leasehold.engine.RunResult;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class OnceExampleIT {

    private static final LocalDate NIGHT = LocalDate.of(2073, 3, 3);

    private final LeaseEngine engine;
    private final LeaseEngine another;
    private final MongoCollection<Document> invoices;
    private final ClientSession session;

    OnceExampleIT(TestDatabase database) {
        MongoClient client = database.client();
        engine = start(client, database.name());
        another = start(client, database.name());
        database.database().createCollection("invoices");
        invoices = database.database().getCollection("invoices");
        session = client.startSession();
    }

    /** Both on one client, whose sessions and collections the example uses. */
    private static LeaseEngine start(MongoClient client, String database) {
        return LeaseEngine.builder(client)
                .database(database)
                .namespace("examples")
                .build();
    }

    @AfterEach
    void close() {
        session.close();
        engine.close();
        another.close();
    }

    @Test
    void theInvoicesOfANightAreInsertedOnceByWhicheverEngine() throws InterruptedException {
        assertThat(OnceExample.run(engine, invoices, NIGHT)).isEqualTo(new RunOnceResult.Ran<>(2));
        assertThat(OnceExample.run(another, invoices, NIGHT)).isInstanceOf(RunOnceResult.DoneBefore.class);
        assertThat(OnceExample.run(another, invoices, NIGHT.plusDays(1)).ran()).isTrue();

        assertThat(invoices.countDocuments()).isEqualTo(4);
    }

    @Test
    void aNightBeginsAtThreeInBerlin() {
        assertThat(OnceExample.nightAt(Instant.parse("2073-03-03T01:59:59Z"))).isEqualTo("2073-03-02");
        assertThat(OnceExample.nightAt(Instant.parse("2073-03-03T02:00:00Z"))).isEqualTo("2073-03-03");
    }

    @Test
    void aTransactionOfOnesOwnInsertsThemOnce() throws InterruptedException {
        for (LeaseEngine each : List.of(engine, another)) {
            try (Lease lease = each.acquire("invoices")) {
                OnceExample.ownTransaction(lease, session, invoices, NIGHT);
            }
        }

        assertThat(invoices.countDocuments()).isEqualTo(2);
    }

    @Test
    void workOutsideIsDoneAgainWithoutARecordAndRecordedOnce() throws InterruptedException {
        List<LocalDate> exported = new ArrayList<>();

        assertThat(OnceExample.outside(engine, session, exported::add, NIGHT))
                .isEqualTo(new RunResult.Ran<>(true, true));
        assertThat(OnceExample.outside(engine, session, exported::add, NIGHT))
                .isEqualTo(new RunResult.Ran<>(false, true));

        assertThat(exported).hasSize(2);
        assertThat(engine.admin().occurrences("export", 10)).hasSize(1);
    }
}
