package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Leases that a session keeps, on the system's clock, while primaries go. */
@WithOwnReplicaSet(nodes = 3)
class SessionFailOverIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int LEASES = 20;

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

    private List<WatchedLease> acquire(LeaseEngine engine, String prefix) throws InterruptedException {
        List<WatchedLease> leases = new ArrayList<>();
        for (int each = 0; each < LEASES; each++) {
            WatchedLease lease = new WatchedLease(
                    engine.acquire(LeaseRequest.of(prefix + each).waitAtMost(PATIENCE)));
            watched.add(lease);
            leases.add(lease);
        }
        return leases;
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
            "No engine loses a lease of a session while one primary after the other goes, for longer than the session")
    void noLeaseIsLostWhenPrimariesGo(End end, ReplicaSet set) throws InterruptedException {
        Duration session = Duration.ofSeconds(15);
        try (LeaseEngine engine = Engines.start(builder(database.newClient(), "holder", Duration.ofSeconds(8))
                .sessionLength(session)
                .heartbeatPeriod(Duration.ofMillis(200)))) {
            List<WatchedLease> leases = acquire(engine, "lease-");
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

    @Test
    @DisplayName("A primary that is frozen costs no lease of a session, where the client has a limit to wait for it")
    void noLeaseIsLostWhenThePrimaryIsFrozen(ReplicaSet set) throws InterruptedException {
        // An election, and until a secondary gives up the frozen one as its source, besides two tries that hang.
        Duration session = Duration.ofSeconds(30);
        try (LeaseEngine socket = engineWith(Limit.SOCKET, session);
                LeaseEngine client = engineWith(Limit.CLIENT, session)) {
            List<WatchedLease> leases = acquire(socket, "socket-");
            leases.addAll(acquire(client, "client-"));

            set.primary().pause();
            Awaitility.await().atMost(PATIENCE).during(session.plusSeconds(5)).untilAsserted(() -> {
                assertThat(List.of(leases.get(0), leases.get(LEASES)))
                        .allMatch(each -> each.lease().isHeld())
                        .allMatch(each -> each.losses().isEmpty());
            });

            assertThat(socket.tryAcquire("another").asOptional()).isPresent();
            assertThat(client.tryAcquire("one more").asOptional()).isPresent();
            assertThat(leases)
                    .allMatch(each -> each.lease().isHeld())
                    .allMatch(each -> each.losses().isEmpty());
        } finally {
            set.heal();
        }
    }

    private LeaseEngine engineWith(Limit limit, Duration session) {
        return Engines.start(builder(database.newClient(limit.settings), "holder-" + limit, Duration.ofSeconds(8))
                .sessionLength(session)
                .heartbeatPeriod(Duration.ofSeconds(2)));
    }
}
