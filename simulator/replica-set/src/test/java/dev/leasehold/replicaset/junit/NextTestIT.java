package dev.leasehold.replicaset.junit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer.MethodName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.platform.testkit.engine.EngineTestKit;

/** What a test does to the set that it is given, or to its thread, while the next one needs a set too. */
class NextTestIT {

    @Test
    void theNextTestHasASharedSetAfterATestThatClosedIt() {
        assertThatFail(0, ClosesTheSharedSet.class);
    }

    /** As by a timeout of JUnit. */
    @Test
    void theNextTestHasASharedSetAfterATestThatWasInterruptedWhileItStarted() {
        assertThatFail(1, IsInterruptedWhileTheSharedSetStarts.class);
    }

    @Test
    void theNextTestHasASetOfItsClassAfterATestThatWasInterruptedWhileItStarted() {
        assertThatFail(1, IsInterruptedWhileTheSetOfItsClassStarts.class);
    }

    /** Of two. */
    private static void assertThatFail(int failing, Class<?> tests) {
        EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(tests))
                .execute()
                .testEvents()
                .assertStatistics(statistics -> statistics.failed(failing).succeeded(2 - failing));
    }

    @WithReplicaSet
    @TestMethodOrder(MethodName.class)
    static class ClosesTheSharedSet {

        @Test
        void aClosesIt(ReplicaSet set) {
            set.close();
        }

        @Test
        void bWrites(TestDatabase database) {
            write(database);
        }
    }

    @TestMethodOrder(MethodName.class)
    abstract static class InterruptedWhileItStarts {

        @BeforeEach
        void interrupt(TestInfo test) {
            if (test.getDisplayName().startsWith("a")) {
                Thread.currentThread().interrupt();
            }
        }

        @AfterEach
        void goOn() {
            Thread.interrupted();
        }

        @Test
        void aIsInterrupted(TestDatabase database) {
            write(database);
        }

        @Test
        void bWrites(TestDatabase database) {
            write(database);
        }
    }

    @WithReplicaSet
    static class IsInterruptedWhileTheSharedSetStarts extends InterruptedWhileItStarts {

        @BeforeEach
        void end() {
            boolean interrupted = Thread.interrupted();
            ReplicaSet.shared().close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @WithOwnReplicaSet(nodes = 1)
    static class IsInterruptedWhileTheSetOfItsClassStarts extends InterruptedWhileItStarts {}

    private static void write(TestDatabase database) {
        database.database().getCollection("things").insertOne(new Document());
    }
}
