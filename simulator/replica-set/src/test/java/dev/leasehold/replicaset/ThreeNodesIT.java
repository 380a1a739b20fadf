package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@WithOwnReplicaSet(nodes = 3)
class ThreeNodesIT {

    private final ReplicaSet set;
    private MongoCollection<Document> things;

    ThreeNodesIT(ReplicaSet set) {
        this.set = set;
    }

    @BeforeEach
    void oneThingOnTheMajority(TestDatabase database) {
        things = database.database().getCollection("things").withWriteConcern(WriteConcern.MAJORITY);
        things.insertOne(new Document("_id", 1));
    }

    @Test
    void allThreeTakeAWrite() {
        things.withWriteConcern(new WriteConcern(3).withWTimeout(30, TimeUnit.SECONDS))
                .insertOne(new Document("_id", 2));

        assertThat(set.nodes()).extracting(Node::index).containsExactly(0, 1, 2);
        assertThat(things.withReadPreference(ReadPreference.secondary()).countDocuments())
                .isEqualTo(2);
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
        // A client from before could still believe in the old one, and would wait for its answer.
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
    void nobodyTakesBackWhatNoMajorityHasWhileReplicationIsStopped() {
        Node primary = set.primary();
        StoppedReplication stopped = set.stopReplication();
        things.withWriteConcern(WriteConcern.W1).insertOne(new Document("_id", 2));

        primary.pause();
        Throwable nobody = catchThrowable(() -> set.awaitPrimary(Duration.ofSeconds(6)));
        primary.resume();
        Node next = set.primary();
        stopped.close();

        assertThat(nobody).isInstanceOf(ReplicaSetUnavailableException.class);
        assertThat(next).isSameAs(primary);
        things.withWriteConcern(new WriteConcern(3).withWTimeout(30, TimeUnit.SECONDS))
                .insertOne(new Document("_id", 3));
        assertThat(things.countDocuments()).isEqualTo(3);
    }

    @Test
    void anotherNodeIsElectedAfterReplicationWasStopped() {
        Node old = set.primary();
        StoppedReplication stopped = set.stopReplication();

        old.kill();
        stopped.close();

        assertThat(set.primary()).isNotSameAs(old);
    }

    @Test
    void healingBringsTwoLostNodesBack() {
        set.node(0).kill();
        set.node(1).pause();

        set.heal();

        assertThat(set.nodes()).allMatch(Node::isRunning);
        things.withWriteConcern(new WriteConcern(3).withWTimeout(30, TimeUnit.SECONDS))
                .insertOne(new Document("_id", 2));
    }
}
