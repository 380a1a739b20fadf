package dev.leasehold.replicaset.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.replicaset.TestDatabase;
import org.bson.Document;
import org.junit.jupiter.api.RepeatedTest;

@WithReplicaSet
class FreshDatabaseIT {

    @RepeatedTest(2)
    void eachTestStartsWithAnEmptyDatabase(TestDatabase database) {
        assertThat(database.database().listCollectionNames()).isEmpty();
        database.database().getCollection("things").insertOne(new Document());
    }
}
