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

/** Majorities among three nodes, and how they are healed. */
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
    void noNodeTakesBackWhatNoMajorityHasWhileReplicationIsStopped() {
        Node primary = set.primary();
        StoppedReplication stopped = set.stopReplication();
        things.withWriteConcern(WriteConcern.W1).insertOne(new Document("_id", 2));

        primary.pause();
        Throwable none = catchThrowable(() -> set.awaitPrimary(Duration.ofSeconds(6)));
        primary.resume();
        Node next = set.primary();
        stopped.close();

        assertThat(none).isInstanceOf(ReplicaSetUnavailableException.class);
        assertThat(next).isSameAs(primary);
        things.withWriteConcern(new WriteConcern(3).withWTimeout(30, TimeUnit.SECONDS))
                .insertOne(new Document("_id", 3));
        assertThat(things.countDocuments()).isEqualTo(3);
    }

    @Test
    void anInterruptedThreadLetsTheOthersFollowToo() {
        StoppedReplication stopped = set.stopReplication();

        Thread.currentThread().interrupt();
        stopped.close();

        assertThat(Thread.interrupted()).isTrue();
        things.withWriteConcern(new WriteConcern(3).withWTimeout(30, TimeUnit.SECONDS))
                .insertOne(new Document("_id", 2));
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
