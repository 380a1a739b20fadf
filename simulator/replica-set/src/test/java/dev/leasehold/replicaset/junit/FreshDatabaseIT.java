package dev.leasehold.replicaset.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import java.util.HashSet;
import java.util.Set;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class FreshDatabaseIT {

    private static final Set<String> SEEN = new HashSet<>();
    private static TestDatabase ofTheClass;

    private final TestDatabase ofTheConstructor;
    private TestDatabase beforeTheTest;

    FreshDatabaseIT(TestDatabase database) {
        ofTheConstructor = database;
    }

    @BeforeAll
    static void classHasOne(TestDatabase database) {
        ofTheClass = database;
    }

    @BeforeEach
    void remember(TestDatabase database) {
        beforeTheTest = database;
    }

    @AfterAll
    static void allThoseOfTestsAreDropped(ReplicaSet set) {
        assertThat(SEEN).hasSize(3);
        assertThat(set.client().listDatabaseNames()).doesNotContainAnyElementsOf(SEEN);
    }

    @RepeatedTest(2)
    void eachTestHasItsOwnAndItIsEmpty(TestDatabase database) {
        assertThat(SEEN.add(database.name())).isTrue();
        assertThat(database.database().listCollectionNames()).isEmpty();
        database.newClient()
                .getDatabase(database.name())
                .getCollection("things")
                .insertOne(new Document());
        assertThat(database.client().listDatabaseNames()).contains(database.name());
    }

    @Test
    void allThatBelongsToATestHasTheSameOne(TestDatabase database) {
        SEEN.add(database.name());

        assertThat(database).isSameAs(beforeTheTest).isSameAs(ofTheConstructor).isNotSameAs(ofTheClass);
    }

    @Test
    void theSetIsTheSharedOne(ReplicaSet set) {
        assertThat(set).isSameAs(ReplicaSet.shared());
    }

    @Nested
    class InANestedClass {

        @Test
        void itIsStillTheSame(TestDatabase database) {
            assertThat(database).isSameAs(beforeTheTest);
        }
    }
}
