package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bson.Document;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class TenLinesExampleIT {

    @Test
    void theInvoiceIsWrittenUnderTheAssertionAndTheLeaseGivenUp(TestDatabase database) throws InterruptedException {
        MongoClient client = database.newClient();
        MongoCollection<Document> invoices = client.getDatabase(database.name()).getCollection("invoices");
        AtomicBoolean stopped = new AtomicBoolean();

        TenLinesExample.run(client, database.name(), () -> stopped.set(true), invoices, new Document("_id", 7));

        assertThat(invoices.find()).containsExactly(new Document("_id", 7));
        Document lease = database.database()
                .getCollection("leases")
                .find(Filters.eq("_id", "billing#nightly-invoices"))
                .first();
        assertThat(lease).containsEntry("holder", null).containsEntry("gates", 1L);
        assertThat(stopped).as("a lease that is closed is not lost").isFalse();
    }
}
