package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.mongo.documents.StoredDocuments;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A clock document that a transaction blocks which nothing will finish. The server alone would end it after a minute at the
 * earliest; every operation here has far less time.
 */
@WithReplicaSet
class StuckTransactionIT {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private TestDatabase database;
    private Engines engines;
    private LogCapture log;

    @BeforeEach
    void start(TestDatabase fresh) {
        database = fresh;
        engines = new Engines(database);
        Engines.beginTokensAtOne(database, 1);
        log = new LogCapture();
    }

    @AfterEach
    void check() {
        log.close();
        engines.close();
    }

    private LeaseEngine engine(String instance, Duration budget) {
        return engine(database.newClient(), instance, budget);
    }

    private LeaseEngine engine(MongoClient client, String instance, Duration budget) {
        return Engines.start(Engines.onTheSystemsClock(client, database, instance, budget));
    }

    private LeaseEngine patientEngine(String instance) {
        return engine(instance, Duration.ofSeconds(20));
    }

    private void leaveOpenTransaction(String instance) {
        AbandonedTransaction.leave(database, instance, database::newClient);
    }

    private List<String> warnings() {
        return log.warningsAbout("block");
    }

    @Test
    @DisplayName(
            "ST-1: an engine killed between update and commit blocks the namespace until another one ends its transaction,"
                    + " which is counted")
    void aKilledEngineIsEnded() throws IOException, InterruptedException {
        MeterRegistry registry = new SimpleMeterRegistry();
        try (LeaseEngine b =
                Engines.start(Engines.onTheSystemsClock(database.newClient(), database, "b", Duration.ofSeconds(20))
                        .meters(LeaseMeters.to(registry)))) {
            Tenure held = b.tenures().claim("held", "b", MINUTE).orElseThrow();
            ChildProcess a = ChildProcess.start(database, "a", Duration.ZERO);
            a.stopsInTheCommitOf("claim left a 60");
            a.kill();

            assertThat(b.tenures().claim("other", "b", MINUTE).orElseThrow().token())
                    .isEqualTo(1);

            assertThat(b.tenures().claim("left", "b", MINUTE).orElseThrow().token())
                    .as("never committed")
                    .isEqualTo(1);
            assertThat(b.tenures().extend(held, Duration.ofMinutes(2)).isGranted())
                    .isTrue();
            assertThat(warnings()).anySatisfy(line -> assertThat(line).contains("billing", "writer 'a#", "was ended"));
            assertThat(registry.get("leasehold.clock.blocked").counter().count())
                    .isEqualTo(1);
            assertThat(registry.get("leasehold.stuck.transactions").counter().count())
                    .isEqualTo(1);
        }
    }

    @Test
    @DisplayName(
            "ST-1, ST-6: a paused engine's transaction is ended, and on waking it tries again and gets a definite answer")
    void aPausedEngineIsEndedAndTriesAgain() throws IOException, InterruptedException {
        try (LeaseEngine b = patientEngine("b")) {
            ChildProcess a = ChildProcess.start(database, "a", Duration.ZERO);
            try {
                a.stopsInTheCommitOf("claim slow a 60");
                a.pause();

                assertThat(b.tenures().claim("other", "b", MINUTE).isGranted()).isTrue();

                a.resume();
                a.order("go on");
                assertThat(a.answer()).isEqualTo("granted 1");
            } finally {
                a.end();
            }
            assertThat(engines.shortForm("slow")).isEqualTo("a/1");
        }
    }

    @Test
    @DisplayName("ST-6: a slow engine whose lease was taken meanwhile is refused, and its late commit writes nothing")
    void aSlowEngineIsRefusedWhatOthersTook() throws IOException, InterruptedException {
        try (LeaseEngine b = patientEngine("b")) {
            ChildProcess a = ChildProcess.start(database, "a", Duration.ZERO);
            try {
                a.stopsInTheCommitOf("claim wanted a 60");

                assertThat(b.tenures().claim("wanted", "b", MINUTE).isGranted()).isTrue();

                a.order("go on");
                assertThat(a.answer()).startsWith("refused HELD");
            } finally {
                a.end();
            }
            assertThat(engines.shortForm("wanted")).isEqualTo("b/1");
        }
    }

    @Test
    @DisplayName(
            "An engine starts in a blocked namespace, and the transaction that its own predecessor left does not last")
    void theSuccessorOfAnInstanceEndsWhatItsPredecessorLeft() throws InterruptedException {
        leaveOpenTransaction("a");

        try (LeaseEngine successor = patientEngine("a")) {
            assertThat(successor
                            .tenures()
                            .claim("left", "a", MINUTE)
                            .orElseThrow()
                            .token())
                    .isEqualTo(1);
        }
    }

    @Test
    @DisplayName(
            "A short timeout of the application's client takes the place of the engine's own limit, and the rescue comes as well")
    void aTimeoutOnTheClientDoesNotPreventTheRescue() throws InterruptedException {
        leaveOpenTransaction("a");
        MongoClient impatient = database.newClient(settings -> settings.timeout(800, TimeUnit.MILLISECONDS));

        try (LeaseEngine b = engine(impatient, "b", Duration.ofSeconds(20))) {
            assertThat(b.tenures().claim("left", "b", MINUTE).orElseThrow().token())
                    .isEqualTo(1);
        }
    }

    @Test
    @DisplayName("ST-7: two engines rescue at once, which is harmless")
    void twoEnginesRescueAtOnce() throws InterruptedException {
        CountDownLatch rescuers = new CountDownLatch(2);
        try (LeaseEngine b = engine(clientThatRescuesWith(rescuers), "b", Duration.ofSeconds(20));
                LeaseEngine c = engine(clientThatRescuesWith(rescuers), "c", Duration.ofSeconds(20))) {
            leaveOpenTransaction("a");

            CompletableFuture<LeaseResult> ofB = CompletableFuture.supplyAsync(() -> claim(b, "for b"));
            CompletableFuture<LeaseResult> ofC = CompletableFuture.supplyAsync(() -> claim(c, "for c"));

            assertThat(ofB.join().isGranted()).isTrue();
            assertThat(ofC.join().isGranted()).isTrue();
            assertThat(rescuers.getCount()).as("engines that have not rescued").isZero();
        }
    }

    /** Its first rescue is sent when all are about to send theirs. */
    private MongoClient clientThatRescuesWith(CountDownLatch rescuers) {
        AtomicBoolean first = new AtomicBoolean(true);
        return database.newClient(settings -> settings.addCommandListener(new CommandListener() {
            @Override
            public void commandStarted(CommandStartedEvent event) {
                if (event.getCommandName().equals("killSessions") && first.getAndSet(false)) {
                    rescuers.countDown();
                    awaitAll(rescuers);
                }
            }
        }));
    }

    private static void awaitAll(CountDownLatch others) {
        try {
            others.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static LeaseResult claim(LeaseEngine engine, String name) {
        try {
            return engine.tenures().claim(name, "h", MINUTE);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("ST-4: an idle transaction of a driver session that no writer registered is never ended")
    void aTransactionOfNoWriterIsNeverEnded() throws InterruptedException {
        try (LeaseEngine b = engine("b", Duration.ofSeconds(5));
                LeaseEngine c = patientEngine("c")) {
            try (ForeignTransaction foreign = ForeignTransaction.on(engines, Engines.NAMESPACE)) {
                assertThatThrownBy(() -> b.tenures().claim("name", "b", MINUTE)).isInstanceOf(LeaseException.class);
                assertThatThrownBy(() -> b.tenures().claim("name", "b", MINUTE)).isInstanceOf(LeaseException.class);

                foreign.commits();
            }
            assertThat(engines.clockDocument()).containsKey("touched");
            assertThat(c.tenures().claim("name", "c", MINUTE).isGranted()).isTrue();
            assertThat(warnings()).singleElement().asString().contains("billing", "until the server ends it");
        }
    }

    @Test
    @DisplayName(
            "ST-1: what an engine left behind is ended also where it holds a lease alone, and the clock document is free")
    void aTransactionThatHoldsALeaseAloneIsEnded() throws InterruptedException {
        try (LeaseEngine b = patientEngine("b")) {
            Tenure left = b.tenures().claim("left", "b", MINUTE).orElseThrow();
            try (ForeignTransaction dead =
                    ForeignTransaction.on(engines, Engines.NAMESPACE + "#left").ofWriter(engines, "dead#1")) {
                assertThat(b.tenures().extend(left, Duration.ofMinutes(2)).isGranted())
                        .isTrue();
                assertThatThrownBy(dead::commits).isInstanceOf(MongoException.class);
            }
            assertThat(engines.leaseDocument("left")).doesNotContainKey("touched");
        }
    }

    @Test
    @DisplayName("A caller's transaction that holds a lease is never ended, and no alarm is raised about it")
    void aCallersTransactionIsNeverEnded() throws InterruptedException {
        try (LeaseEngine b = engine("b", Duration.ofSeconds(4));
                LeaseEngine c = patientEngine("c")) {
            Tenure gated = c.tenures().claim("gated", "c", MINUTE).orElseThrow();
            try (ForeignTransaction caller = ForeignTransaction.on(engines, Engines.NAMESPACE + "#gated")) {
                assertThatThrownBy(() -> b.tenures().extend(gated, Duration.ofMinutes(2)))
                        .isInstanceOf(LeaseContentionException.class);

                caller.commits();
            }
            assertThat(engines.leaseDocument("gated")).containsKey("touched");
            assertThat(c.tenures().extend(gated, Duration.ofMinutes(2)).isGranted())
                    .isTrue();
            assertThat(warnings()).isEmpty();
        }
    }

    @Test
    @DisplayName(
            "Housekeeping leaves a queue and a record that an open transaction holds to the next one, and heartbeats go on")
    void housekeepingDoesNotWaitForOpenTransactions() throws InterruptedException {
        try (LeaseEngine b =
                Engines.start(Engines.onTheSystemsClock(database.newClient(), database, "b", Duration.ofSeconds(5))
                        .occurrenceRetention(Duration.ofHours(1)))) {
            b.acquire(LeaseRequest.of("kept").waitAtMost(Duration.ofSeconds(1))).close();
            engines.documents()
                    .insertMany(List.of(
                            queue("blocked"),
                            queue("free"),
                            StoredDocuments.of(new OccurrenceRecord(
                                    new Tenure(Engines.NAMESPACE, "kept", "h", 1), "old", Instant.EPOCH))));
            try (ForeignTransaction ofQueue =
                            ForeignTransaction.on(engines, LeaseIds.queueId(Engines.NAMESPACE, "blocked"));
                    ForeignTransaction ofRecord =
                            ForeignTransaction.on(engines, LeaseIds.occurrenceId(Engines.NAMESPACE, "kept", "old"))) {
                Instant begun = Instant.now();
                assertThat(b.housekeeping().occurrencesRemoved()).isZero();
                assertThat(b.tryAcquire("kept").asOptional()).isPresent();
                assertThat(Duration.between(begun, Instant.now())).isLessThan(Duration.ofSeconds(20));
                assertThat(ids()).doesNotContain(LeaseIds.queueId(Engines.NAMESPACE, "free"));
                ofQueue.commits();
                ofRecord.commits();
            }
            assertThat(b.housekeeping().occurrencesRemoved()).isEqualTo(1);
            assertThat(ids()).doesNotContain(LeaseIds.queueId(Engines.NAMESPACE, "blocked"));
        }
    }

    private List<String> ids() {
        return engines.documents()
                .find()
                .map(document -> document.getString("_id").getValue())
                .into(new ArrayList<>());
    }

    private static BsonDocument queue(String lease) {
        return BsonDocument.parse("{_id: '" + LeaseIds.queueId(Engines.NAMESPACE, lease)
                + "', type: 'queue', namespace: '" + Engines.NAMESPACE + "', name: '" + lease + "', waiters: []}");
    }

    @Test
    @DisplayName(
            "an engine that was evicted ends by itself what an abort of it has left, since no other engine knows it")
    void aLostAbortOfAnEvictedEngineIsMadeGoodByItself() throws InterruptedException {
        try (LeaseEngine a = patientEngine("a");
                LeaseEngine b = patientEngine("b")) {
            Lease lease =
                    a.tryAcquire(LeaseRequest.of("striped").gateStripes(2)).orElseThrow();
            engines.writers().forEach(engines::removeEntry);
            try (ActiveFailPoint lost = database.activate(FailPoint.failCommands("abortTransaction")
                    .closingConnection()
                    .forAppName(database.name()))) {
                lease.close();
                assertThat(lost.timesEntered()).isPositive();
            }

            assertThat(b.acquire(LeaseRequest.of("striped").waitAtMost(Duration.ofSeconds(20)))
                            .isHeld())
                    .isTrue();
        }
    }
}
