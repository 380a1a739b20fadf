package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What ends a primary has another one elected. */
@WithOwnReplicaSet(nodes = 3)
class ElectionIT {

    private final ReplicaSet set;
    private MongoCollection<Document> things;

    ElectionIT(ReplicaSet set) {
        this.set = set;
    }

    @BeforeEach
    void oneThingOnTheMajority(TestDatabase database) {
        things = database.database().getCollection("things").withWriteConcern(WriteConcern.MAJORITY);
        things.insertOne(new Document("_id", 1));
    }

    @Test
    void anotherNodeIsElectedWhenThePrimaryIsKilled() {
        Node old = set.primary();

        old.kill();

        assertThat(set.primary()).isNotSameAs(old);
        assertThat(things.countDocuments()).isEqualTo(1);
        things.insertOne(new Document("_id", 2));
    }

    @Test
    void aPausedPrimaryIsReplacedAndFollowsWhenItGoesOn(TestDatabase database) {
        Node old = set.primary();

        old.pause();
        Node next = set.primary();
        // A client from before could still take the old one for the primary, and would wait for its answer.
        database.newClient()
                .getDatabase(database.name())
                .getCollection("things")
                .insertOne(new Document("_id", 2));
        old.resume();
        set.heal();

        assertThat(next).isNotSameAs(old);
        assertThat(old.isPrimary()).isFalse();
        assertThat(old.isRunning()).isTrue();
    }

    @Test
    void anotherNodeIsElectedWhenThePrimaryStepsDown() {
        Node old = set.primary();

        old.stepDown();

        assertThat(set.primary()).isNotSameAs(old);
        assertThat(old.isRunning()).isTrue();
    }

    @Test
    void anotherNodeIsElectedWhenThePrimaryIsTerminated() {
        Node old = set.primary();

        old.terminate();

        assertThat(set.primary()).isNotSameAs(old);
        assertThat(things.countDocuments()).isEqualTo(1);
    }

    @Test
    void anotherNodeIsElectedAfterReplicationWasStopped() {
        Node old = set.primary();
        StoppedReplication stopped = set.stopReplication();

        old.kill();
        stopped.close();

        assertThat(set.primary()).isNotSameAs(old);
    }
}
