package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import org.bson.Document;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class FenceExampleIT {

    private static final Tenure EARLIER = new Tenure("examples", "report", "a", 1);
    private static final Tenure LATER = new Tenure("examples", "report", "b", 2);

    private final MongoCollection<Document> reports;

    FenceExampleIT(TestDatabase database) {
        reports = database.database().getCollection("reports");
        reports.insertOne(new Document("_id", "weekly"));
    }

    @Test
    void anEarlierTenureWritesUntilALaterOneHasWritten() {
        assertThat(FenceExample.publish(reports, EARLIER, "draft")).isTrue();
        assertThat(FenceExample.publish(reports, EARLIER, "second draft")).isTrue();
        assertThat(FenceExample.publish(reports, LATER, "final")).isTrue();
        assertThat(FenceExample.publish(reports, EARLIER, "third draft")).isFalse();

        assertThat(reports.find())
                .containsExactly(
                        new Document("_id", "weekly").append("fence", 2L).append("text", "final"));
    }
}
