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
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the meters of an engine show of its handles and of what waits for one, on a real replica set. */
class HandleMetersIT extends WithEngines {

    private static final long PATIENCE_SECONDS = 60;

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private TestEngine a;

    @BeforeEach
    void startOne() {
        a = engines.startWithMeters(
                "a", TestClock.atZ(), LeaseMeters.to(registry).withLeaseNames());
    }

    private static <T> T get(CompletableFuture<T> answer) {
        return answer.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
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
        String[] tags = {"operation", "acquire", "outcome", outcome, "status", status, "lease", "name"};
        return timer("leasehold.operations", tags).count();
    }

    @Nested
    class Holding {

        @Test
        void aHandOverCountsFromTheBeginOfTheRelease() throws InterruptedException {
            TestEngine b = engines.start("b");
            Lease held = a.acquires("name");
            CompletableFuture<Acquisition> waiting = b.waitsFor("name");
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
            Lease held = b.acquires("name");
            CompletableFuture<Acquisition> waiting = a.waitsFor("name");
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
            a.acquires("name").close();
            a.acquires("name").close();

            assertThat(timer("leasehold.handover").count()).isZero();
        }

        @Test
        void claimAndReleaseOfAVacantLeaseAreLeaseWrites() throws InterruptedException {
            a.acquires("name").close();
            long before = timer("leasehold.lease.writes", "verdict", "applied").count();
            double transactions = counted("leasehold.transactions", "verdict", "applied");

            a.acquires("name").close();

            assertThat(timer("leasehold.lease.writes", "verdict", "applied").count())
                    .isEqualTo(before + 2);
            assertThat(counted("leasehold.transactions", "verdict", "applied")).isEqualTo(transactions);
        }
    }

    @Nested
    class Losses {

        private Lease lease;

        @BeforeEach
        void hold() throws InterruptedException {
            lease = a.acquires("name");
        }

        /** Of the losses that were counted. */
        private List<String> reasons() {
            return registry.get("leasehold.losses").counters().stream()
                    .filter(counter -> counter.count() > 0)
                    .map(counter -> counter.getId().getTag("reason"))
                    .toList();
        }

        @Test
        void ofATenureThatAnOperatorEnded() throws InterruptedException {
            TestEngine b = engines.start("b");
            // Held for so long that it is worth watching.
            a.clock().advance(ofSeconds(2));
            // A second request for news is sent when the first was answered: from then on each change is told.
            await().until(() -> a.hooks().waitsForChanges() > 1);

            granted(b.engine().admin().forceExpire("name", "the holder hangs"));

            await().untilAsserted(() -> assertThat(reasons()).containsExactly("taken-over"));
            assertThat(counted("leasehold.losses", "reason", "taken-over")).isEqualTo(1);
            assertThat(lease.isHeld()).isFalse();
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
            a.acquires("name").close();
            a.acquires("name").close();

            assertThat(acquisitions("granted", "free")).isEqualTo(2);
        }

        @Test
        @DisplayName("HA-35: refused while another's tenure is active, and granted once it has expired")
        void ofAnActiveAndOfAnExpiredLease() throws InterruptedException {
            TestEngine b = engines.start("b");
            b.claims("name", "h2", ofSeconds(20));

            assertThat(a.engine().tryAcquire(LeaseRequest.of("name")).asOptional())
                    .isEmpty();
            a.clock().advance(ofSeconds(21));
            a.acquires("name");

            assertThat(acquisitions("refused", "active")).isEqualTo(1);
            assertThat(acquisitions("granted", "expired")).isEqualTo(1);
        }

        @Test
        @DisplayName("HA-35: of one that never got to read the lease, neither the outcome nor the status is made up")
        void ofALeaseThatCouldNotBeRead() {
            try (ActiveFailPoint outage =
                    engines.fail(FailPoint.failCommands("find").closingConnection())) {
                CompletableFuture<Acquisition> asked =
                        a.engine().tryAcquireAsync(LeaseRequest.of("name")).toCompletableFuture();
                await().until(() -> !a.engine().health().ready());
                a.clock().advance(ofSeconds(10));

                Throwable failure = get(asked.handle((yes, no) -> no));
                assertThat(failure).isInstanceOf(LeaseUnavailableException.class);
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

            b.acquires("name").close();

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
