package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.leasehold.replicaset.ClientNetwork;
import dev.leasehold.replicaset.ClientNetwork.Cut;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Leases that a session keeps, on the system's clock, while the network of their holder is cut. All tests at once: they wait for the
 * end of a session, and a network is of one client alone.
 */
@WithOwnReplicaSet(nodes = 3)
@Execution(ExecutionMode.CONCURRENT)
class SessionCutOffIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** The heir allows for so much that a callback on a busy machine is not too late for the comparison. */
    private static final long DRIFT_PPM = 300_000;

    private final List<WatchedLease> watched = new ArrayList<>();
    private TestDatabase database;
    private Engines stored;

    @BeforeEach
    void start(TestDatabase database) {
        this.database = database;
        stored = new Engines(database);
    }

    @AfterEach
    void check() {
        watched.forEach(WatchedLease::close);
        stored.close();
    }

    private LeaseEngineBuilder builder(MongoClient client, String instance, Duration budget) {
        return Engines.onTheSystemsClock(client, database, instance, budget);
    }

    private WatchedLease acquire(LeaseEngine engine, String name) throws InterruptedException {
        WatchedLease lease =
                new WatchedLease(engine.acquire(LeaseRequest.of(name).waitAtMost(PATIENCE)));
        watched.add(lease);
        return lease;
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("HA-15: what is cut off for longer than the session is told once, before any other holds the lease")
    void engineThatIsCutOffIsToldBeforeAnyOtherHoldsTheLease(Cut cut) throws InterruptedException {
        try (ClientNetwork network = ClientNetwork.open();
                MongoClient client = MongoClients.create(network.uri(database.uri()));
                LeaseEngine holder = Engines.start(
                        builder(client, "holder", Duration.ofSeconds(6)).sessionLength(Duration.ofSeconds(8)));
                LeaseEngine heir = builder(database.newClient(), "heir", Duration.ofSeconds(10))
                        .maximumDriftPpm(DRIFT_PPM)
                        .build()) {
            WatchedLease lost = acquire(holder, "name");
            WatchedLease untouched = acquire(holder, "other");
            String writer = Engines.writer(stored.leaseDocument("name"));

            network.cut(cut);
            WatchedLease inherited = acquire(heir, "name");

            assertThat(inherited.lease().token()).isEqualTo(2);
            assertThat(lost.awaitLoss()).isEqualTo("NOT_RENEWED");
            assertThat(lost.lostAtNanos()).isLessThan(inherited.acquiredAtNanos());
            assertThat(lost.lastHeldNanos()).isLessThan(inherited.acquiredAtNanos());
            assertThat(untouched.awaitLoss()).isEqualTo("NOT_RENEWED");

            network.mend();
            assertThat(holder.acquire(LeaseRequest.of("third").waitAtMost(PATIENCE))
                            .token())
                    .isEqualTo(1);

            assertThat(heir.acquire(LeaseRequest.of("other").waitAtMost(PATIENCE))
                            .token())
                    .isEqualTo(2);
            assertThat(stored.writers()).doesNotContain(writer);
            assertThat(lost.losses()).hasSize(1);
            assertThat(untouched.losses()).hasSize(1);
            assertThat(inherited.lease().isHeld()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "What is cut off and comes back before any engine has evicted it gives back what it has lost, and goes on")
    void engineThatComesBackGivesBackWhatItHasLost(Cut cut) throws InterruptedException {
        try (ClientNetwork network = ClientNetwork.open();
                MongoClient client = MongoClients.create(network.uri(database.uri()));
                LeaseEngine holder = Engines.start(
                        builder(client, "holder", Duration.ofSeconds(6)).sessionLength(Duration.ofSeconds(8)));
                LeaseEngine heir = builder(database.newClient(), "heir", Duration.ofSeconds(10))
                        .build()) {
            WatchedLease lost = acquire(holder, "name");
            String writer = Engines.writer(stored.leaseDocument("name"));

            network.cut(cut);
            assertThat(lost.awaitLoss()).isEqualTo("NOT_RENEWED");
            network.mend();
            // No engine looks at its session until then that could evict it.
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> stored.shortForm("name").equals("-/1"));

            assertThat(heir.acquire(LeaseRequest.of("name").waitAtMost(PATIENCE))
                            .token())
                    .isEqualTo(2);
            assertThat(stored.writers()).contains(writer);
            assertThat(lost.losses()).hasSize(1);
            assertThat(lost.lease().isHeld()).isFalse();
        }
    }
}
