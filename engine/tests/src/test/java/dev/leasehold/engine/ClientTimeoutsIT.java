package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.replicaset.Node;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The application's client with each of the timeouts that it may have, against leases that a caller's transaction blocks and
 * a primary that stands still. The clients go through it beside each other, each with an engine and a namespace of its own.
 */
@WithOwnReplicaSet(nodes = 1)
class ClientTimeoutsIT {

    /** The operation budget of an engine by default. */
    private static final Duration BUDGET = Duration.ofSeconds(10);

    private static final Duration TERM = Duration.ofSeconds(Boolean.getBoolean("leasehold.nightly") ? 30 : 12);
    /** So the unrelated lease is lost, unless its renewals get through. */
    private static final Duration BLOCKED = TERM.plusSeconds(4);

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration FROZEN = Duration.ofSeconds(6);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int BLOCKED_LEASES = 4;

    private enum Timeouts {
        NONE(settings -> {}),
        SOCKET(Timeouts::ofSockets),
        CLIENT_1_S(settings -> settings.timeout(1, TimeUnit.SECONDS)),
        CLIENT_3_S(settings -> settings.timeout(3, TimeUnit.SECONDS)),
        CLIENT_10_S(settings -> settings.timeout(10, TimeUnit.SECONDS)),
        BOTH(settings -> {
            ofSockets(settings);
            settings.timeout(10, TimeUnit.SECONDS);
        });

        private final Consumer<MongoClientSettings.Builder> settings;

        Timeouts(Consumer<MongoClientSettings.Builder> settings) {
            this.settings = settings;
        }

        private static void ofSockets(MongoClientSettings.Builder settings) {
            settings.applyToSocketSettings(socket -> socket.readTimeout(10, TimeUnit.SECONDS));
        }
    }

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Application> applications = new ArrayList<>();
    private TestDatabase database;

    @BeforeEach
    void start(TestDatabase database) {
        this.database = database;
        for (Timeouts timeouts : Timeouts.values()) {
            applications.add(new Application(timeouts));
        }
    }

    @AfterEach
    void end() {
        applications.forEach(Application::close);
        threads.shutdownNow();
    }

    /** An engine with a client of its own, which holds a lease for a term. */
    private final class Application implements AutoCloseable {

        private final String name;
        private final MongoClient client;
        private final LeaseEngine engine;
        private final WatchedLease unrelated;
        private int others;

        Application(Timeouts timeouts) {
            name = timeouts.name();
            client = database.newClient(timeouts.settings);
            engine = Engines.start(LeaseEngine.builder(client)
                    .database(database.name())
                    .collection(Engines.COLLECTION)
                    .namespace(name)
                    .instance("a")
                    .closeBudget(Duration.ofSeconds(1)));
            unrelated = new WatchedLease(acquired(LeaseRequest.of("unrelated").term(TERM)));
        }

        private Lease acquired(LeaseRequest request) {
            try {
                return engine.acquire(request.waitAtMost(BUDGET));
            } catch (Exception e) {
                throw new AssertionError(name + ": '" + request.name() + "' was not acquired", e);
            }
        }

        List<Lease> acquires(Duration term) {
            return IntStream.range(0, BLOCKED_LEASES)
                    .mapToObj(each -> LeaseRequest.of("blocked-" + each))
                    .map(request -> acquired(term.isZero() ? request : request.term(term, Duration.ofSeconds(1))))
                    .toList();
        }

        /** Takes leases that have nothing to do with the blocked ones, one after the other, and gives them back. */
        void goesOnFor(Duration time) {
            long begunNanos = System.nanoTime();
            do {
                acquired(LeaseRequest.of("other-" + others++)).close();
            } while (System.nanoTime() - begunNanos < time.toNanos());
            assertUnrelatedIsHeld();
        }

        void assertUnrelatedIsHeld() {
            assertThat(unrelated.losses()).as("losses of %s", name).isEmpty();
            assertThat(unrelated.lease().isHeld()).as(name).isTrue();
        }

        @Override
        public void close() {
            unrelated.close();
            engine.close();
        }
    }

    /** A caller's transaction that is gated on the leases, and stays open until it is closed. Its client has no timeout. */
    private ClientSession gatedOn(List<Lease> leases) {
        ClientSession session = database.client().startSession();
        session.startTransaction();
        for (Lease lease : leases) {
            LeaseAssertion.of(lease.tenure(), database.database().getCollection(Engines.COLLECTION))
                    .check(session);
        }
        return session;
    }

    private void withEach(Consumer<Application> action) throws Exception {
        List<Future<?>> done = new ArrayList<>();
        for (Application application : applications) {
            done.add(threads.submit(() -> action.accept(application)));
        }
        for (Future<?> each : done) {
            each.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    @DisplayName("A session lease that a caller's transaction blocks while its holder closes it delays itself alone")
    void aBlockedSessionLeaseDelaysItselfAlone() throws Exception {
        withEach(application -> {
            List<Lease> blocked = application.acquires(Duration.ZERO);
            try (ClientSession caller = gatedOn(blocked)) {
                blocked.forEach(Lease::closeAsync);
                application.goesOnFor(BLOCKED);
                caller.commitTransaction();
            }
            blocked.forEach(lease -> application.acquired(LeaseRequest.of(lease.name())));
        });
    }

    @Test
    @DisplayName("A term lease that a caller's transaction blocks, with all its renewals, delays itself alone")
    void aBlockedTermLeaseDelaysItselfAlone() throws Exception {
        withEach(application -> {
            List<Lease> blocked = application.acquires(LONG);
            try (ClientSession caller = gatedOn(blocked)) {
                application.goesOnFor(BLOCKED);
                caller.commitTransaction();
            }
            assertThat(blocked).as(application.name).allMatch(Lease::isHeld);
            blocked.forEach(Lease::close);
        });
    }

    @Test
    @DisplayName(
            "A primary that stands still for six seconds costs no lease, and afterwards others are taken as before")
    void aFrozenPrimaryCostsNoLease(ReplicaSet set) throws Exception {
        List<WatchedLease> held = new ArrayList<>();
        for (Application application : applications) {
            held.add(new WatchedLease(application.acquired(LeaseRequest.of("session"))));
        }
        Node primary = set.primary();
        primary.pause();
        try {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .during(FROZEN)
                    .untilAsserted(() -> applications.forEach(Application::assertUnrelatedIsHeld));
        } finally {
            primary.resume();
        }
        withEach(application -> application.goesOnFor(BLOCKED.minus(FROZEN)));

        assertThat(held).allMatch(each -> each.losses().isEmpty());
        held.forEach(WatchedLease::close);
    }
}
