package dev.leasehold.replicaset.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import org.junit.jupiter.api.MethodOrderer.MethodName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

@WithReplicaSet
@TestMethodOrder(MethodName.class)
class OwnReplicaSetIT {

    private static ReplicaSet ofTheMethod;

    @Test
    @WithOwnReplicaSet(nodes = 1)
    void aMethodCanHaveASetForItself(ReplicaSet set, TestDatabase database) {
        ofTheMethod = set;

        assertThat(set).isNotSameAs(ReplicaSet.shared());
        assertThat(database.set()).isSameAs(set);
    }

    @Test
    void bTheSetOfAMethodIsGoneAfterwards(ReplicaSet set) {
        assumeThat(ofTheMethod)
                .as("the set of the test before, which may have been skipped")
                .isNotNull();

        assertThat(ofTheMethod.node(0).isRunning()).isFalse();
        assertThat(set).isSameAs(ReplicaSet.shared());
    }

    @Nested
    @WithOwnReplicaSet(nodes = 1)
    @TestMethodOrder(MethodName.class)
    class OfAClass {

        @Test
        void aFaultOfOneTest(ReplicaSet set) {
            set.node(0).kill();

            assertThat(set.findPrimary()).isEmpty();
        }

        @Test
        void bIsNotFeltByTheNext(ReplicaSet set) {
            assertThat(set.findPrimary()).isPresent();
        }
    }
}
