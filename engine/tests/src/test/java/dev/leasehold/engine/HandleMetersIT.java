package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.granted;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Filters;
import dev.leasehold.engine.world.TestClock;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the meters of an engine show of its session, its handles and waiters for one, on a real replica set. */
@WithReplicaSet
class HandleMetersIT {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SESSION = ofSeconds(30);
    private static final Duration HEARTBEAT_PERIOD = ofSeconds(10);
    private static final long PATIENCE_SECONDS = 60;

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private TestDatabase database;
    private Engines engines;
    private TestEngine a;

    @BeforeEach
    void start(TestDatabase fresh) {
        database = fresh;
        engines = new Engines(database);
        a = engines.startWithMeters(
                "a", TestClock.atZ(), LeaseMeters.to(registry).withLeaseNames());
    }

    @AfterEach
    void check() {
        engines.close();
    }

    private static LeaseRequest request(String name) {
        return LeaseRequest.of(name);
    }

    private static Lease acquires(TestEngine engine, String name) throws InterruptedException {
        return engine.engine().tryAcquire(request(name)).orElseThrow();
    }

    private static CompletableFuture<Lease> waits(TestEngine engine, String name) {
        return engine.engine().acquireAsync(request(name).waitAtMost(HOUR)).toCompletableFuture();
    }

    private static Lease get(CompletableFuture<Lease> waiting) {
        return waiting.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    }

    /** A second request for news is sent when the first was answered: from then on each change is told. */
    private void untilChangesAreToldTo(TestEngine engine) {
        await().until(() -> engine.hooks().waitsForChanges() > 1);
    }

    private double gauge(String name) {
        return registry.get(name)
                .tag("lease.namespace", Engines.NAMESPACE)
                .gauge()
                .value();
    }

    private double counted(String name, String... tags) {
        return registry.get(name)
                .tag("lease.namespace", Engines.NAMESPACE)
                .tags(tags)
                .counter()
                .count();
    }

    private Timer timer(String name, String... tags) {
        return registry.get(name)
                .tag("lease.namespace", Engines.NAMESPACE)
                .tags(tags)
                .timer();
    }

    private long acquisitions(String outcome, String status) {
        return timer(
                        "leasehold.operations",
                        "operation",
                        "acquire",
                        "outcome",
                        outcome,
                        "status",
                        status,
                        "lease",
                        "name")
                .count();
    }

    private double heartbeats(String outcome) {
        return counted("leasehold.heartbeats", "outcome", outcome);
    }

    @Nested
    class Holding {

        @Test
        void heldLeasesAreTenuresAndWaitersAreAcquisitions() throws InterruptedException {
            Lease first = a.engine().tryAcquire(request("name").holder("one")).orElseThrow();
            Lease again = a.engine().tryAcquire(request("name").holder("one")).orElseThrow();
            Lease other = acquires(a, "other");
            CompletableFuture<Lease> waiting = waits(a, "name");
            await().untilAsserted(() -> assertThat(gauge("leasehold.waiters")).isEqualTo(1));
            assertThat(gauge("leasehold.held.leases"))
                    .as("two handles of one tenure, and another")
                    .isEqualTo(2);

            first.close();
            again.close();
            other.close();

            get(waiting);
            assertThat(gauge("leasehold.waiters")).isZero();
            assertThat(gauge("leasehold.held.leases")).isEqualTo(1);
        }

        @Test
        void aHandOverCountsFromTheBeginOfTheRelease() throws InterruptedException {
            TestEngine b = engines.start("b");
            Lease held = acquires(a, "name");
            CompletableFuture<Lease> waiting = waits(b, "name");
            untilATicketStands();
            a.sees("name");
            assertThat(timer("leasehold.handover").count()).isZero();

            held.close();

            get(waiting);
            // The close may return, and the waiter hear of its grant, before the release is counted.
            await().untilAsserted(() -> {
                assertThat(counted("leasehold.handovers", "kind", "granted")).isEqualTo(1);
                assertThat(timer("leasehold.handover").count()).isEqualTo(1);
            });
            assertThat(timer("leasehold.handover").totalTime(TimeUnit.NANOSECONDS))
                    .as("time stands still")
                    .isZero();
        }

        @Test
        void aGrantToATicketIsHeard() throws InterruptedException {
            TestEngine b = engines.start("b");
            Lease held = acquires(b, "name");
            CompletableFuture<Lease> waiting = waits(a, "name");
            untilATicketStands();
            b.sees("name");

            held.close();

            get(waiting);
            assertThat(counted("leasehold.handovers", "kind", "heard")).isEqualTo(1);
        }

        private void untilATicketStands() {
            await().until(() -> {
                // As the engine reads it that is to see the ticket.
                BsonDocument queue = engines.documents()
                        .withReadConcern(ReadConcern.MAJORITY)
                        .find(Filters.eq("_id", Engines.NAMESPACE + "&name"))
                        .first();
                return queue != null && queue.containsKey("waiters");
            });
        }

        @Test
        void acquisitionWithoutAWaitIsNoHandOver() throws InterruptedException {
            acquires(a, "name").close();
            acquires(a, "name").close();

            assertThat(timer("leasehold.handover").count()).isZero();
        }

        @Test
        void claimAndReleaseOfAVacantLeaseAreLeaseWrites() throws InterruptedException {
            acquires(a, "name").close();
            long before = timer("leasehold.lease.writes", "verdict", "applied").count();
            double transactions = counted("leasehold.transactions", "verdict", "applied");

            acquires(a, "name").close();

            assertThat(timer("leasehold.lease.writes", "verdict", "applied").count())
                    .isEqualTo(before + 2);
            assertThat(counted("leasehold.transactions", "verdict", "applied")).isEqualTo(transactions);
        }
    }

    @Nested
    class Session {

        @Test
        void heartbeatThatIsDueIsCountedOnce() throws InterruptedException {
            acquires(a, "name");
            assertThat(heartbeats("acknowledged")).isZero();

            a.clock().advance(HEARTBEAT_PERIOD);

            await().untilAsserted(() -> assertThat(heartbeats("acknowledged")).isEqualTo(1));
            acquires(a, "other");
            assertThat(heartbeats("acknowledged")).isEqualTo(1);
            assertThat(heartbeats("failed")).isZero();
        }

        @Test
        void heartbeatThatFailedIsCountedAndSoIsTheNextThatSucceeds() throws InterruptedException {
            acquires(a, "name");
            try (ActiveFailPoint outage = database.activate(noUpdates())) {
                a.clock().advance(HEARTBEAT_PERIOD);
                await().untilAsserted(() -> assertThat(heartbeats("failed")).isPositive());
                assertThat(outage.timesEntered()).isPositive();
            }

            await().untilAsserted(() -> assertThat(heartbeats("acknowledged")).isEqualTo(1));
        }
    }

    private FailPoint noUpdates() {
        return FailPoint.failCommands("update").closingConnection().forAppName(database.name());
    }

    @Nested
    class Losses {

        private Lease lease;

        @BeforeEach
        void hold() throws InterruptedException {
            lease = acquires(a, "name");
        }

        private void assertOnlyLossIs(String reason) {
            await().untilAsserted(() -> assertThat(reasons()).containsExactly(reason));
            assertThat(counted("leasehold.losses", "reason", reason)).isEqualTo(1);
            assertThat(lease.isHeld()).isFalse();
        }

        /** Of the losses that were counted. */
        private List<String> reasons() {
            return registry.get("leasehold.losses").counters().stream()
                    .filter(counter -> counter.count() > 0)
                    .map(counter -> counter.getId().getTag("reason"))
                    .toList();
        }

        @Test
        void ofAProcessThatWasPaused() {
            // A command that is not answered for so long would be why it was not renewed, and surveys of meters never
            // rest here.
            a.runtime().betweenCommands(() -> a.clock().advance(SESSION));

            assertOnlyLossIs("expired");
        }

        @Test
        void ofAMachineThatWasSuspended() {
            a.clock().stepWall(SESSION);
            a.clock().advance(ofSeconds(1));

            assertOnlyLossIs("clock-anomaly");
        }

        @Test
        void ofAnEngineWhoseHeartbeatsFail() {
            try (ActiveFailPoint outage = database.activate(noUpdates())) {
                a.clock().advance(HEARTBEAT_PERIOD);
                await().untilAsserted(() -> assertThat(heartbeats("failed")).isPositive());

                a.clock().advance(SESSION.minus(HEARTBEAT_PERIOD));

                assertOnlyLossIs("not-renewed");
                assertThat(outage.timesEntered()).isPositive();
            }
        }

        @Test
        void ofAnEvictedEngine() {
            engines.removeAllWriters();

            a.clock().advance(HEARTBEAT_PERIOD);

            assertOnlyLossIs("evicted");
        }

        @Test
        void ofATenureThatAnOperatorEnded() throws InterruptedException {
            TestEngine b = engines.start("b");
            // Held for so long that it is worth watching.
            a.clock().advance(ofSeconds(2));
            untilChangesAreToldTo(a);

            granted(b.engine().admin().forceExpire("name", "the holder hangs"));

            await().until(() -> !lease.isHeld());
            assertOnlyLossIs("taken-over");
        }

        @Test
        void ofAnEngineThatWasClosed() {
            a.close();

            assertOnlyLossIs("closed");
        }

        @Test
        void closedHandleIsNone() {
            lease.close();
            a.close();

            assertThat(reasons()).isEmpty();
        }
    }

    @Nested
    class Acquisitions {

        @Test
        @DisplayName("HA-35: granted of a free lease, which is absent at first and vacant later")
        void ofAFreeLease() throws InterruptedException {
            acquires(a, "name").close();
            acquires(a, "name").close();

            assertThat(acquisitions("granted", "free")).isEqualTo(2);
        }

        @Test
        @DisplayName("HA-35: refused while another's tenure is active, and granted once it has expired")
        void ofAnActiveAndOfAnExpiredLease() throws InterruptedException {
            TestEngine b = engines.start("b");
            b.claims("name", "h2", ofSeconds(20));

            assertThat(a.engine().tryAcquire(request("name")).asOptional()).isEmpty();
            a.clock().advance(ofSeconds(21));
            acquires(a, "name");

            assertThat(acquisitions("refused", "active")).isEqualTo(1);
            assertThat(acquisitions("granted", "expired")).isEqualTo(1);
        }

        @Test
        @DisplayName("HA-35: of one that never got to read the lease, neither the outcome nor the status is made up")
        void ofALeaseThatCouldNotBeRead() {
            try (ActiveFailPoint outage = database.activate(
                    FailPoint.failCommands("find").closingConnection().forAppName(database.name()))) {
                CompletableFuture<Acquisition> asked =
                        a.engine().tryAcquireAsync(request("name")).toCompletableFuture();
                await().until(() -> !a.engine().health().ready());
                a.clock().advance(ofSeconds(10));

                assertThat(asked.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                                .handle((yes, no) -> no)
                                .join())
                        .isInstanceOf(LeaseUnavailableException.class);
                assertThat(outage.timesEntered()).isPositive();
            }

            assertThat(acquisitions("unavailable", "unknown")).isEqualTo(1);
        }

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        @DisplayName("HA-35: the lease is a tag only if that was asked for")
        void nameIsATagIfAskedFor(boolean named) throws InterruptedException {
            MeterRegistry own = new SimpleMeterRegistry();
            LeaseMeters meters = LeaseMeters.to(own);
            TestEngine b = engines.startWithMeters("b", TestClock.atZ(), named ? meters.withLeaseNames() : meters);

            acquires(b, "name").close();

            assertThat(own.get("leasehold.operations")
                            .tag("operation", "acquire")
                            .timers())
                    .singleElement()
                    .extracting(Timer::getId)
                    .extracting((Meter.Id id) -> id.getTag("lease"))
                    .isEqualTo(named ? "name" : null);
        }
    }
}
