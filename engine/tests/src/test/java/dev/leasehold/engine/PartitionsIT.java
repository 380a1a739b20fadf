package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.granted;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.world.TestClock;
import dev.leasehold.replicaset.TestDatabase;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One namespace over four clock documents: its engines are as one, and its partitions have nothing to do with each other. */
class PartitionsIT extends WithEngines {

    private static final int COUNT = 4;
    private static final Duration MINUTE = ofSeconds(60);
    private static final Duration LONG = ofHours(1);

    private static TestEngine start(Engines engines, String instance) {
        return engines.start(instance, COUNT);
    }

    /** A lease of that partition. */
    private static String leaseIn(int partition) {
        return leasesIn(partition).findFirst().orElseThrow();
    }

    private static String anotherLeaseIn(int partition) {
        return leasesIn(partition).skip(1).findFirst().orElseThrow();
    }

    private static Stream<String> leasesIn(int partition) {
        return IntStream.iterate(0, number -> number + 1)
                .mapToObj(number -> "lease-" + number)
                .filter(name -> Partition.indexOf(name, COUNT) == partition);
    }

    private static List<String> oneLeaseInEach() {
        return IntStream.range(0, COUNT).mapToObj(PartitionsIT::leaseIn).toList();
    }

    private static String idOf(int partition) {
        return new Partition(Engines.NAMESPACE, partition, COUNT).id();
    }

    private BsonDocument clock(int partition) {
        return engines.documents().find(Filters.eq("_id", idOf(partition))).first();
    }

    private Set<String> writersIn(int partition) {
        return clock(partition).getDocument("writers").keySet();
    }

    private List<String> ids() {
        return engines.documents()
                .find()
                .map(document -> document.getString("_id").getValue())
                .into(new ArrayList<>());
    }

    /** On a thread of its own: the common pool has as few as one. */
    private static <T> CompletableFuture<T> meanwhile(Supplier<T> part) {
        return CompletableFuture.supplyAsync(part, task -> new Thread(task).start());
    }

    private static Lease get(CompletableFuture<Acquisition> acquisition) throws Exception {
        return acquisition.get(1, TimeUnit.MINUTES).orElseThrow();
    }

    @Nested
    class Leases {

        @Test
        void twoEnginesExcludeEachOtherInEveryPartition() throws InterruptedException {
            TestEngine a = start(engines, "a");
            TestEngine b = start(engines, "b");
            List<String> names =
                    IntStream.range(0, 40).mapToObj(number -> "lease-" + number).toList();

            for (String name : names) {
                a.acquires(name);
                b.isRefused(name, Reason.HELD);
            }

            assertThat(names).extracting(name -> Partition.indexOf(name, COUNT)).contains(0, 1, 2, 3);
            assertThat(ids())
                    .containsAll(names.stream()
                            .map(name -> idOf(Partition.indexOf(name, COUNT)) + "#" + name)
                            .toList());
        }

        @Test
        void termLeasesGoThroughTheirWholeLifeInEveryPartition() throws InterruptedException {
            TestEngine a = start(engines, "a");
            TestEngine b = start(engines, "b");
            for (String name : oneLeaseInEach()) {
                Tenure first = a.claims(name, "h", MINUTE);
                assertThat(a.engine().tenures().isHeld(first)).isTrue();
                assertThat(a.engine().tenures().remaining(first)).isEqualTo(MINUTE);
                b.sees(name);
                a.extendsTo(first, ofSeconds(90));
                a.releases(first);

                Tenure second = b.claims(name, "h2", MINUTE);

                assertThat(second.token()).isEqualTo(first.token() + 1);
                assertThat(a.engine().tenures().isHeld(first)).isFalse();
            }
        }

        @Test
        void listingIsWholeAndInTheSameOrderAsWithoutPartitions() throws InterruptedException {
            TestEngine parted = start(engines, "a");
            TestEngine whole = engines.start("whole", "b", TestClock.atZ());
            List<String> names = Stream.concat(
                            IntStream.range(0, 30).mapToObj(number -> "lease-" + number),
                            Stream.of("\uFFFD", "\uD83D\uDD12", "z", "\u03a9", "a#b", "~1#x", "!"))
                    .toList();
            for (String name : names) {
                parted.claims(name, "h", MINUTE);
                whole.claims(name, "h", MINUTE);
            }

            List<String> listed =
                    parted.engine().leases().stream().map(LeaseState::name).toList();

            assertThat(listed).containsExactlyInAnyOrderElementsOf(names);
            assertThat(listed)
                    .isEqualTo(whole.engine().leases().stream()
                            .map(LeaseState::name)
                            .toList());
        }

        @Test
        void refreshAnswersInTheOrderOfTheNames() throws InterruptedException {
            TestEngine a = start(engines, "a");
            List<String> names = List.of("lease-5", "lease-1", "lease-9", "lease-2", "lease-0", "lease-7");
            a.claims("lease-9", "h", MINUTE);

            assertThat(a.engine().refresh(names)).extracting(LeaseState::name).isEqualTo(names);
            assertThat(a.sees("lease-9").status()).isEqualTo(LeaseStatus.ACTIVE);
        }

        @Test
        void operatorsFindLeasesInEveryPartition() throws InterruptedException {
            TestEngine a = start(engines, "a");
            TestEngine b = start(engines, "b");
            for (String name : oneLeaseInEach()) {
                Lease lease = a.acquires(name);

                granted(b.engine().admin().forceExpire(name, "on order"));
                assertThat(b.engine().admin().pin(name, "maintenance")).isTrue();
                lease.close();
                a.isRefused(name, Reason.PINNED);
                assertThat(b.engine().admin().inspect(name)).isInstanceOf(LeaseState.Vacant.class);
            }
        }

        @Test
        void housekeepingClearsEveryPartition() throws InterruptedException {
            TestEngine a = start(engines, "a");
            for (String name : oneLeaseInEach()) {
                a.releases(a.claims(name, "h", MINUTE));
            }
            a.clock().advance(LONG.plusSeconds(1));

            assertThat(a.engine().housekeeping().leasesRemoved()).isEqualTo(COUNT);

            assertThat(a.engine().leases()).isEmpty();
            assertThat(a.claims(leaseIn(3), "h", MINUTE).token())
                    .as("above the floor of its partition")
                    .isEqualTo(2);
        }
    }

    @Nested
    class HandOver {

        @ParameterizedTest
        @ValueSource(ints = {0, 1, 2, 3})
        void releaseWakesWaitersInAnotherProcess(int partition) throws Exception {
            Lease lease = start(engines, "a").acquires(leaseIn(partition));
            CompletableFuture<Acquisition> waiting = start(engines, "b").waitsFor(leaseIn(partition));

            lease.close();

            assertThat(get(waiting).token()).isEqualTo(lease.token() + 1);
        }

        @Test
        void closeOfAnEngineWakesWaitersInAllPartitions() throws Exception {
            TestEngine a = start(engines, "a");
            TestEngine b = start(engines, "b");
            List<CompletableFuture<Acquisition>> waiting = new ArrayList<>();
            for (String name : oneLeaseInEach()) {
                a.acquires(name);
                waiting.add(b.waitsFor(name));
            }

            a.close();

            for (CompletableFuture<Acquisition> each : waiting) {
                assertThat(get(each).token()).isEqualTo(2);
            }
        }
    }

    @Nested
    class NumberOfPartitions {

        @Test
        void ofTwoFirstEnginesThatDisagreeOneStarts() throws Exception {
            for (int round = 0; round < 5; round++) {
                String namespace = "race-" + round;
                CountDownLatch bothThere = new CountDownLatch(2);
                CompletableFuture<Integer> four = startsInARace(namespace, 4, bothThere);
                CompletableFuture<Integer> eight = startsInARace(namespace, 8, bothThere);

                int started = four.get(1, TimeUnit.MINUTES) + eight.get(1, TimeUnit.MINUTES);

                assertThat(started).as("the number of the one that started").isIn(4, 8);
                assertThat(ids()).filteredOn(id -> id.startsWith(namespace)).hasSize(started);
                assertThat(engines.documents().find(Filters.regex("_id", "^" + namespace)))
                        .allSatisfy(clock -> assertThat(clock.get("partitions")).isEqualTo(new BsonInt32(started)));
            }
        }

        /** Its number of partitions, or 0 where it was refused. */
        private CompletableFuture<Integer> startsInARace(String namespace, int partitions, CountDownLatch bothThere) {
            MongoClient client = engines.database().newClient();
            return meanwhile(() -> {
                bothThere.countDown();
                try {
                    bothThere.await();
                    Engines.onTheSystemsClock(client, engines.database(), "a", ofSeconds(10))
                            .namespace(namespace)
                            .partitions(partitions)
                            .build()
                            .close();
                    return partitions;
                } catch (CorruptDocumentException e) {
                    return 0;
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    @Nested
    class OneInTrouble {

        private TestEngine a;
        private TestEngine b;

        private void startBoth() {
            a = start(engines, "a");
            b = start(engines, "b");
        }

        @Test
        void damagedClockDocumentStopsItsPartitionAlone() throws InterruptedException {
            engines.expectCorruptDocuments();
            startBoth();
            a.releases(a.claims(leaseIn(1), "h", MINUTE));
            a.clock().advance(LONG.plusSeconds(1));
            engines.documents().updateOne(Filters.eq("_id", idOf(2)), Updates.set("schema", "none"));

            assertThatThrownBy(() -> a.engine().tryAcquire(LeaseRequest.of(leaseIn(2))))
                    .isInstanceOf(CorruptDocumentException.class)
                    .hasMessageContaining("'billing~2'");

            a.acquires(leaseIn(0));
            a.acquires(leaseIn(3));
            assertThat(a.engine().health().ready()).isFalse();
            assertThat(a.engine().health().detail()).startsWith("partition 'billing~2'");
            assertThatThrownBy(() -> a.engine().leases())
                    .as("never a part of them")
                    .isInstanceOf(CorruptDocumentException.class);
            assertThatThrownBy(() -> a.engine().housekeeping()).isInstanceOf(CorruptDocumentException.class);
            assertThat(ids()).as("cleared all the same").doesNotContain("billing~1#" + leaseIn(1));
        }

        @Test
        void openTransactionFreezesItsPartitionAlone() throws Exception {
            startBoth();
            CompletableFuture<LeaseResult> frozen;
            try (ForeignTransaction transaction = ForeignTransaction.on(engines, idOf(2))) {
                CountDownLatch underWay = new CountDownLatch(1);
                a.hooks().once(Hooks.Point.BEFORE_READ, underWay::countDown);
                frozen = meanwhile(() -> claim(a, leaseIn(2)));
                assertThat(underWay.await(30, TimeUnit.SECONDS)).isTrue();

                for (int partition : List.of(0, 1, 3)) {
                    a.acquires(leaseIn(partition));
                    b.claims(anotherLeaseIn(partition), "h", MINUTE);
                }

                assertThat(frozen).isNotDone();
                transaction.commits();
            }
            assertThat(frozen.get(1, TimeUnit.MINUTES).isGranted()).isTrue();
        }

        private LeaseResult claim(TestEngine engine, String name) {
            try {
                return engine.engine().tenures().claim(name, "h", MINUTE);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Test
        void transactionOfAKilledProcessIsEndedInItsPartition() throws Exception {
            TestDatabase database = engines.database();
            Engines.beginTokensAtOne(database, COUNT);
            try (LeaseEngine c = Engines.onTheSystemsClock(database.newClient(), database, "c", ofSeconds(20))
                    .partitions(COUNT)
                    .build()) {
                ChildProcess killed = ChildProcess.start(database, "a", COUNT);
                killed.stopsInTheCommitOf("claim " + leaseIn(3) + " a 60");
                killed.kill();

                assertThat(c.tenures().claim(leaseIn(0), "c", MINUTE).isGranted())
                        .isTrue();
                assertThat(c.tenures()
                                .claim(leaseIn(3), "c", MINUTE)
                                .orElseThrow()
                                .token())
                        .as("never committed")
                        .isEqualTo(1);
            }
        }

        @Test
        void evictionInOnePartitionLosesWhatItsSessionKeptThere() throws InterruptedException {
            startBoth();
            List<LeaseLoss> losses = new CopyOnWriteArrayList<>();
            List<Lease> leases = new ArrayList<>();
            for (String name : oneLeaseInEach()) {
                Lease lease = a.acquires(name);
                lease.onLost(losses::add);
                leases.add(lease);
            }
            String evicted = writersIn(1).iterator().next();
            engines.documents().updateOne(Filters.eq("_id", idOf(1)), Updates.unset("writers." + evicted));
            a.clock().advance(ofSeconds(10));

            await().until(() -> losses.size() == 1);

            a.settles();
            assertThat(losses).extracting(LeaseLoss::reason).containsExactly(LeaseLoss.Reason.EVICTED);
            assertThat(leases).extracting(Lease::isHeld).containsExactly(true, false, true, true);
            assertThat(b.acquires(leaseIn(1)).token()).isEqualTo(2);
        }
    }

    @Nested
    class Sessions {

        @Test
        void sessionBeginsOnlyWhereALeaseNeedsIt() throws InterruptedException {
            start(engines, "a").acquires(leaseIn(2));

            assertThat(writersIn(2)).hasSize(1);
            assertThat(Stream.of(0, 1, 3).map(PartitionsIT.this::writersIn)).allMatch(Set::isEmpty);
        }

        @Test
        void everyPartitionInUseHasHeartbeatsOfItsOwn() throws InterruptedException {
            TestEngine a = start(engines, "a");
            List<Lease> leases = new ArrayList<>();
            for (String name : oneLeaseInEach()) {
                leases.add(a.acquires(name));
            }
            for (int beat = 0; beat < 4; beat++) {
                a.clock().advance(ofSeconds(10));
                await().until(() ->
                        leases.stream().allMatch(lease -> lease.remaining().equals(ofSeconds(30))));
            }

            assertThat(leases).allMatch(Lease::isHeld);
        }

        @Test
        void closeRemovesTheOwnEntryFromEveryClockDocument() throws InterruptedException {
            TestEngine a = start(engines, "a");
            TestEngine b = start(engines, "b");
            for (String name : oneLeaseInEach()) {
                a.acquires(name);
            }

            a.close();

            assertThat(IntStream.range(0, COUNT).mapToObj(PartitionsIT.this::writersIn))
                    .allMatch(Set::isEmpty);
            for (String name : oneLeaseInEach()) {
                assertThat(b.acquires(name).token()).isEqualTo(2);
            }
        }
    }

    @Test
    void closingTakesTheGaugesOfAllPartitionsAway() throws InterruptedException {
        MeterRegistry registry = new SimpleMeterRegistry();
        TestEngine a = engines.startWithMeters("a", COUNT, LeaseMeters.to(registry));
        TestEngine b = start(engines, "b");
        for (String name : oneLeaseInEach()) {
            b.claims(name, "h", MINUTE);
        }
        await().until(() -> registry.find("leasehold.skew").gauges().size() == COUNT);

        a.close();

        assertThat(registry.getMeters())
                .isNotEmpty()
                .extracting(meter -> meter.getId().getType())
                .doesNotContain(Meter.Type.GAUGE);
    }

    @Nested
    class Assertions {

        @ParameterizedTest
        @ValueSource(ints = {0, 1, 3})
        void transactionCommitsOnlyWhileTheTenureStands(int partition) throws InterruptedException {
            TestEngine a = start(engines, "a");
            Lease lease = a.acquires(leaseIn(partition));
            LeaseAssertion assertion = lease.assertion();
            a.commitsUnder(assertion);

            lease.close();

            assertThatExceptionOfType(LeaseNotHeldException.class)
                    .isThrownBy(() -> a.commitsUnder(assertion))
                    .withMessageContaining("'billing'");
        }

        @Test
        void gateStripesLieInThePartitionOfTheirLease() throws InterruptedException {
            TestEngine a = start(engines, "a");
            String name = leaseIn(3);
            Lease lease = a.acquires(LeaseRequest.of(name).gateStripes(2));
            LeaseAssertion assertion = lease.assertion();

            a.commitsUnder(assertion);

            assertThat(ids()).contains("billing~3!1#" + name, "billing~3!2#" + name);
            assertThat(a.engine().leases()).extracting(LeaseState::name).containsExactly(name);
            lease.close();
            assertThatThrownBy(() -> a.commitsUnder(assertion)).isInstanceOf(LeaseNotHeldException.class);
        }

        @Test
        void tenureIsAllThatAnotherProcessNeeds() throws InterruptedException {
            TestEngine a = start(engines, "a");
            Tenure sent = a.acquires(leaseIn(3)).tenure();

            Tenure received = new Tenure(sent.namespace(), sent.name(), sent.holder(), sent.token());

            assertThat(received.namespace()).isEqualTo("billing~3");
            a.commitsUnder(assertionOf(a, received));
        }

        /** As a process without an engine makes it. */
        private LeaseAssertion assertionOf(TestEngine client, Tenure tenure) {
            return LeaseAssertion.of(
                    tenure,
                    client.client().getDatabase(engines.database().name()).getCollection(Engines.COLLECTION));
        }

        @ParameterizedTest
        @ValueSource(strings = {"billing", "billing~1", "other~3"})
        void tenureThatWasMadeUpWithAnotherPartitionIsRefused(String namespace) throws InterruptedException {
            TestEngine a = start(engines, "a");
            Tenure tenure = a.claims(leaseIn(3), "h", MINUTE);
            Tenure madeUp = new Tenure(namespace, tenure.name(), "h", tenure.token());

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> a.engine().tenures().isHeld(madeUp))
                    .withMessageContaining("'" + namespace + "'");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> a.engine().tenures().release(madeUp));
            assertThatThrownBy(() -> a.commitsUnder(assertionOf(a, madeUp))).isInstanceOf(LeaseNotHeldException.class);
            assertThat(a.engine().tenures().isHeld(tenure)).isTrue();
        }
    }
}
