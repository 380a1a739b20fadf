package dev.leasehold.replicaset.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import com.mongodb.client.MongoClient;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;

/** JUnit before 5.13 does not close what is just closeable, and later ones can be told not to, as here. */
class ClosedAfterwardsIT {

    private static final List<String> DATABASES = new ArrayList<>();
    private static final List<ReplicaSet> SETS = new ArrayList<>();

    @Test
    void databasesAndSetsAreClosedByEachVersionOfJUnit() {
        EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.extensions.store.close.autocloseable.enabled", "false")
                .selectors(selectClass(OnTheSharedSet.class), selectClass(OnASetOfItsOwn.class))
                .execute()
                .allEvents()
                .assertStatistics(statistics -> statistics.failed(0).succeeded(5));

        assertThat(SETS).hasSize(2).allMatch(set -> !set.node(0).isRunning());
    }

    @WithReplicaSet
    static class OnTheSharedSet {

        @AfterAll
        static void ofTheTestNothingIsLeft(ReplicaSet set) {
            assertThat(DATABASES).hasSize(1);
            assertThat(set.client().listDatabaseNames()).doesNotContainAnyElementsOf(DATABASES);
            SETS.add(set);
        }

        @Test
        void writes(TestDatabase database) {
            MongoClient client = database.newClient();
            client.getDatabase(database.name()).getCollection("things").insertOne(new Document());
            DATABASES.add(database.name());
        }
    }

    @WithOwnReplicaSet(nodes = 1)
    static class OnASetOfItsOwn {

        @Test
        void takesIt(ReplicaSet set) {
            SETS.add(set);
        }
    }
}
