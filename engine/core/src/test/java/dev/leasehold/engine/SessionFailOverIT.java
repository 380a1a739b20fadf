package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.leasehold.replicaset.ClientNetwork;
import dev.leasehold.replicaset.ClientNetwork.Cut;
import dev.leasehold.replicaset.Node;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Leases that a session keeps, on the system's clock, while primaries go and while the network of their holder is cut. */
@WithOwnReplicaSet(nodes = 3)
class SessionFailOverIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int LEASES = 20;
    /** The heir allows for so much that a callback on a busy machine is not too late for the comparison. */
    private static final long DRIFT_PPM = 300_000;

    private enum End {
        STEP_DOWN(Node::stepDown),
        KILL(Node::kill);

        private final Consumer<Node> end;

        End(Consumer<Node> end) {
            this.end = end;
        }
    }

    /** Either makes a client wait no longer than it has to for a server that does not answer. */
    private enum Limit {
        SOCKET(settings -> settings.applyToSocketSettings(socket -> socket.readTimeout(4, TimeUnit.SECONDS))),
        CLIENT(settings -> settings.timeout(4, TimeUnit.SECONDS));

        private final Consumer<MongoClientSettings.Builder> settings;

        Limit(Consumer<MongoClientSettings.Builder> settings) {
            this.settings = settings;
        }
    }

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

    private List<WatchedLease> acquire(LeaseEngine engine) throws InterruptedException {
        List<WatchedLease> leases = new ArrayList<>();
        for (int each = 0; each < LEASES; each++) {
            leases.add(acquire(engine, "lease-" + each));
        }
        return leases;
    }

    private WatchedLease acquire(LeaseEngine engine, String name) throws InterruptedException {
        WatchedLease lease = new WatchedLease(engine.acquire(name, PATIENCE));
        watched.add(lease);
        return lease;
    }

    private void awaitAcknowledgementAfter(String writer, long nanos) {
        Awaitility.await()
                .atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> stored.entry(writer).getInt64("time").getValue() > nanos);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "Nobody loses a lease of a session while one primary after the other goes, for longer than the session")
    void noLeaseIsLostWhenPrimariesGo(End end, ReplicaSet set) throws InterruptedException {
        Duration session = Duration.ofSeconds(15);
        try (LeaseEngine engine = builder(database.newClient(), "holder", Duration.ofSeconds(8))
                .sessionLength(session)
                .heartbeatPeriod(Duration.ofMillis(200))
                .build()) {
            List<WatchedLease> leases = acquire(engine);
            String writer = Engines.writer(stored.leaseDocument("lease-0"));
            long begunNanos = stored.entry(writer).getInt64("time").getValue();

            for (int time = 1; time <= 3; time++) {
                end.end.accept(set.primary());
                set.heal();
                awaitAcknowledgementAfter(writer, begunNanos + time * session.toNanos() * 2 / 5);
            }

            assertThat(leases)
                    .allMatch(each -> each.lease().isHeld())
                    .allMatch(each -> each.losses().isEmpty());
            assertThat(engine.leases()).hasSize(LEASES).allMatch(state -> state.status() == LeaseStatus.ACTIVE);
            leases.forEach(WatchedLease::close);
            assertThat(engine.leases()).hasSize(LEASES).allMatch(state -> state.status() == LeaseStatus.FREE);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("A primary that is frozen costs no lease of a session, where the client has a limit to wait for it")
    void noLeaseIsLostWhenThePrimaryIsFrozen(Limit limit, ReplicaSet set) throws InterruptedException {
        // An election, and until a secondary gives up the frozen one as its source, besides two tries that hang.
        Duration session = Duration.ofSeconds(30);
        try (LeaseEngine engine = builder(database.newClient(limit.settings), "holder", Duration.ofSeconds(8))
                .sessionLength(session)
                .heartbeatPeriod(Duration.ofSeconds(2))
                .build()) {
            List<WatchedLease> leases = acquire(engine);

            set.primary().pause();
            Awaitility.await().atMost(PATIENCE).during(session.plusSeconds(5)).untilAsserted(() -> {
                assertThat(leases.get(0).losses()).isEmpty();
                assertThat(leases.get(0).lease().isHeld()).isTrue();
            });

            assertThat(engine.tryAcquire("another").asOptional()).isPresent();
            assertThat(leases)
                    .allMatch(each -> each.lease().isHeld())
                    .allMatch(each -> each.losses().isEmpty());
        } finally {
            set.heal();
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("HA-15: who is cut off for longer than the session is told once, before anybody else holds the lease")
    void whoIsCutOffIsToldBeforeAnybodyElseHoldsTheLease(Cut cut) throws InterruptedException {
        try (ClientNetwork network = ClientNetwork.open();
                MongoClient client = MongoClients.create(network.uri(database.uri()));
                LeaseEngine holder = builder(client, "holder", Duration.ofSeconds(6))
                        .sessionLength(Duration.ofSeconds(8))
                        .build();
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
            assertThat(holder.acquire("third", PATIENCE).token()).isEqualTo(1);

            assertThat(heir.acquire("other", PATIENCE).token()).isEqualTo(2);
            assertThat(stored.clockDocument().getDocument("writers").keySet()).doesNotContain(writer);
            assertThat(lost.losses()).hasSize(1);
            assertThat(untouched.losses()).hasSize(1);
            assertThat(inherited.lease().isHeld()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("Who is cut off and comes back before anybody has evicted it gives back what it has lost, and goes on")
    void whoComesBackGivesBackWhatItHasLost(Cut cut) throws InterruptedException {
        try (ClientNetwork network = ClientNetwork.open();
                MongoClient client = MongoClients.create(network.uri(database.uri()));
                LeaseEngine holder = builder(client, "holder", Duration.ofSeconds(6))
                        .sessionLength(Duration.ofSeconds(8))
                        .build();
                LeaseEngine heir = builder(database.newClient(), "heir", Duration.ofSeconds(10))
                        .build()) {
            WatchedLease lost = acquire(holder, "name");
            String writer = Engines.writer(stored.leaseDocument("name"));

            network.cut(cut);
            assertThat(lost.awaitLoss()).isEqualTo("NOT_RENEWED");
            network.mend();
            // Nobody looks at its session until then, who could evict it.
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> stored.shortForm("name").equals("-/1"));

            assertThat(heir.acquire("name", PATIENCE).token()).isEqualTo(2);
            assertThat(stored.clockDocument().getDocument("writers").keySet()).contains(writer);
            assertThat(lost.losses()).hasSize(1);
            assertThat(lost.lease().isHeld()).isFalse();
        }
    }
}
