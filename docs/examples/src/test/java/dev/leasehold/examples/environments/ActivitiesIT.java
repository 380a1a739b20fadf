package dev.leasehold.examples.environments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class ActivitiesIT {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final long LIMIT_NANOS = Duration.ofSeconds(60).toNanos();

    private final MongoCollection<Document> stored;
    private final LeaseEngine engineOfA;
    private final LeaseEngine engineOfB;
    private final Activities activitiesOfA;
    private final Activities activitiesOfB;

    ActivitiesIT(TestDatabase database) {
        stored = database.database().getCollection("activities");
        MongoClient clientOfA = database.newClient();
        MongoClient clientOfB = database.newClient();
        engineOfA = engine(clientOfA, database);
        engineOfB = engine(clientOfB, database);
        activitiesOfA = activities(clientOfA, database);
        activitiesOfB = activities(clientOfB, database);
    }

    private static LeaseEngine engine(MongoClient client, TestDatabase database) {
        return LeaseEngine.builder(client)
                .database(database.name())
                .namespace("environments")
                .build();
    }

    private static Activities activities(MongoClient client, TestDatabase database) {
        return new Activities(client, client.getDatabase(database.name()).getCollection("activities"));
    }

    @AfterEach
    void close() {
        engineOfA.close();
        engineOfB.close();
    }

    private EnvironmentLease acquireAsA(Action action, Duration duration) throws Exception {
        return new MongoEnvironmentLeases(engineOfA, "a", duration).tryAcquire("staging", action);
    }

    private List<Document> stored() {
        return stored.find().into(new ArrayList<>());
    }

    @Test
    void whatIsSafeIsRecordedUntilItEnds() throws Exception {
        Optional<ObjectId> begun;
        // example:start deploy
        EnvironmentLeases leases = new MongoEnvironmentLeases(engineOfA, "host-1", LONG);
        try (EnvironmentLease lease = leases.tryAcquire("staging", Action.ACTUATION)) {
            begun = activitiesOfA.beginIfSafe(lease, lease.action()::isSafeBeside);
        }
        // example:end deploy

        assertThat(stored())
                .containsExactly(new Document("_id", begun.orElseThrow())
                        .append("environment", "staging")
                        .append("action", "actuation"));
        activitiesOfB.end(begun.orElseThrow());
        assertThat(stored()).isEmpty();
    }

    @Test
    void whatIsNotSafeIsNotRecorded() throws Exception {
        try (EnvironmentLease lease = acquireAsA(Action.VERIFICATION, LONG)) {
            assertThat(activitiesOfA.beginIfSafe(lease, lease.action()::isSafeBeside))
                    .isPresent();
        }
        try (EnvironmentLease lease = acquireAsA(Action.ACTUATION, LONG)) {
            assertThat(activitiesOfA.beginIfSafe(lease, lease.action()::isSafeBeside))
                    .isEmpty();
        }
        assertThat(stored()).hasSize(1);
    }

    @Test
    void oneDeploymentIsSafeBesideAnotherAndAVerificationBesideNone() throws Exception {
        for (int i = 0; i < 2; i++) {
            try (EnvironmentLease lease = acquireAsA(Action.ACTUATION, LONG)) {
                assertThat(activitiesOfA.beginIfSafe(lease, lease.action()::isSafeBeside))
                        .isPresent();
            }
        }
        try (EnvironmentLease lease = acquireAsA(Action.VERIFICATION, LONG)) {
            assertThat(activitiesOfA.beginIfSafe(lease, running -> {
                        assertThat(running).isEqualTo(Set.of(Action.ACTUATION));
                        return lease.action().isSafeBeside(running);
                    }))
                    .isEmpty();
        }
    }

    @Test
    void aLeaseLostBetweenCheckAndRecordRecordsNothing() throws Exception {
        EnvironmentLease lost = acquireAsA(Action.ACTUATION, SHORT);
        List<ObjectId> ofB = new ArrayList<>();

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> activitiesOfA.beginIfSafe(lost, running -> {
                    if (ofB.isEmpty()) {
                        assertThat(running)
                                .as("so that A takes its own action for safe")
                                .isEmpty();
                        ofB.add(beginAsB());
                    }
                    return true;
                }));

        assertThat(stored()).extracting(activity -> activity.get("_id")).isEqualTo(List.copyOf(ofB));
    }

    private ObjectId beginAsB() {
        EnvironmentLeases leases = new MongoEnvironmentLeases(engineOfB, "b", LONG);
        long startNanos = System.nanoTime();
        while (System.nanoTime() - startNanos < LIMIT_NANOS) {
            try (EnvironmentLease lease = leases.tryAcquire("staging", Action.VERIFICATION)) {
                return activitiesOfB
                        .beginIfSafe(lease, lease.action()::isSafeBeside)
                        .orElseThrow();
            } catch (EnvironmentInUseException e) {
                Thread.onSpinWait(); // until the short lease of A is certainly over
            } catch (InterruptedException e) {
                throw new AssertionError("nothing interrupts", e);
            }
        }
        throw new AssertionError("a lease of " + SHORT + " does not run out");
    }
}
