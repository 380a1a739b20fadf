package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.mongodb.client.MongoCollection;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.nio.file.Path;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@WithOwnReplicaSet(nodes = 1)
class OneNodeIT {

    private final ReplicaSet set;
    private MongoCollection<Document> things;

    OneNodeIT(ReplicaSet set) {
        this.set = set;
    }

    @BeforeEach
    void oneThing(TestDatabase database) {
        things = database.database().getCollection("things");
        things.insertOne(new Document("_id", 1));
    }

    @Test
    void whatWasAcknowledgedOutlivesAKilledProcess() {
        set.node(0).kill();
        assertThat(set.node(0).isRunning()).isFalse();
        assertThat(set.findPrimary()).isEmpty();

        set.node(0).restart();

        assertThat(set.primary()).isSameAs(set.node(0));
        assertThat(things.countDocuments()).isEqualTo(1);
    }

    @Test
    void aPausedNodeThatIsTerminatedIsGoneAndHealingBringsItBack() {
        set.node(0).pause();
        set.node(0).terminate();
        assertThat(set.node(0).isRunning()).isFalse();

        set.heal();

        assertThat(things.countDocuments()).isEqualTo(1);
    }

    @Test
    void aLoneNodeThatSteppedDownIsElectedAgain() {
        set.primary().stepDown();

        assertThat(set.primary()).isSameAs(set.node(0));
    }

    @Test
    void aNodeThatIsGoneCannotBePaused() {
        set.node(0).kill();

        assertThatIllegalStateException().isThrownBy(set.node(0)::pause).withMessageContaining("node 0");
        assertThatIllegalStateException().isThrownBy(set.node(0)::resume).withMessageContaining("node 0");
    }

    @Test
    void closingASetEndsItsProcessAndDeletesItsData() throws Exception {
        ReplicaSet other = ReplicaSet.start(1);
        ProcessHandle process = Mongods.of(ProcessHandle.current(), other.node(0));
        Path data = Mongods.dataFolder(process);
        assertThat(data).isDirectory();

        other.close();

        assertThat(process.isAlive()).isFalse();
        assertThat(data.getParent()).doesNotExist();
        assertThat(set.primary()).isSameAs(set.node(0));
    }

    @Test
    void anInterruptedThreadEndsItsSetAllTheSame() {
        ReplicaSet other = ReplicaSet.start(1);
        ProcessHandle process = Mongods.of(ProcessHandle.current(), other.node(0));

        Thread.currentThread().interrupt();
        other.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void otherNumbersOfNodesAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReplicaSet.start(2))
                .withMessage("nodes must be 1 or 3, is 2");
    }
}
