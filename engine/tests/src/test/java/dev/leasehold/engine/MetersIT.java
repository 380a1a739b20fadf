package dev.leasehold.engine;

import static dev.leasehold.engine.SurveyedMeters.sees;
import static dev.leasehold.engine.TestEngine.granted;
import static dev.leasehold.engine.TestEngine.refused;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.engine.world.TestClock;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the meters of an engine show of its work on a real replica set. */
@WithReplicaSet
class MetersIT {

    private static final Duration MINUTE = ofSeconds(60);
    /** Of a write concern that cannot be satisfied. The command is carried out. */
    private static final int UNSATISFIABLE_WRITE_CONCERN = 100;

    private static final int WRITE_CONFLICT = 112;

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

    private long operations(String operation, String outcome, String status) {
        return registry.get("leasehold.operations")
                .tags(
                        "lease.namespace",
                        Engines.NAMESPACE,
                        "operation",
                        operation,
                        "outcome",
                        outcome,
                        "status",
                        status)
                .tag("lease", "name")
                .timer()
                .count();
    }

    private double counted(String name, String... tags) {
        return registry.get(name)
                .tag("lease.namespace", Engines.NAMESPACE)
                .tags(tags)
                .counter()
                .count();
    }

    private Timer timer(String name) {
        return registry.get(name).tag("lease.namespace", Engines.NAMESPACE).timer();
    }

    @Test
    void operationsAreCountedByOutcomeAndByStatusBefore() throws InterruptedException {
        Tenure tenure = a.claims("name", "h", MINUTE);
        refused(a.engine().tenures().claim("name", "h2", MINUTE), Reason.HELD);
        a.extendsTo(tenure, MINUTE.multipliedBy(2));
        a.clock().advance(MINUTE.multipliedBy(3));
        Tenure next = a.takesOver("name", "h2", MINUTE);
        a.releases(next);
        refused(a.engine().tenures().expire("name"), Reason.VACANT);

        assertThat(operations("claim", "granted", "free")).isEqualTo(1);
        assertThat(operations("claim", "refused", "active")).isEqualTo(1);
        assertThat(operations("extend", "granted", "active")).isEqualTo(1);
        assertThat(operations("take-over", "granted", "expired")).isEqualTo(1);
        assertThat(operations("release", "granted", "active")).isEqualTo(1);
        assertThat(operations("expire", "refused", "free")).isEqualTo(1);
    }

    @Test
    void transactionsAreCountedByVerdict() throws InterruptedException {
        TestEngine b = engines.start("b");
        a.sees("name");
        a.hooks().once(Point.BEFORE_UPDATE, () -> b.releases(b.claims("name", "h2", MINUTE)));
        a.claims("name", "h", MINUTE);
        database.activate(FailPoint.failCommands("update")
                .withErrorCode(WRITE_CONFLICT)
                .forAppName(database.name())
                .times(1));
        a.claims("other", "h", MINUTE);

        assertThat(counted("leasehold.transactions", "verdict", "missed")).isEqualTo(1);
        assertThat(counted("leasehold.transactions", "verdict", "conflict")).isEqualTo(1);
        assertThat(counted("leasehold.transactions", "verdict", "applied")).isEqualTo(2);
        assertThat(registry.get("leasehold.group.size").summary().count()).isEqualTo(4);
        assertThat(registry.get("leasehold.group.size").summary().totalAmount()).isEqualTo(4);
    }

    @Test
    void timesAreThoseOfTheEnginesOwnClock() throws InterruptedException {
        a.hooks().once(Point.AFTER_UPDATE, () -> a.clock().advance(ofMillis(30)));
        a.hooks().once(Point.AFTER_COMMIT, () -> a.clock().advance(ofMillis(20)));

        a.claims("name", "h", MINUTE);

        assertThat(timer("leasehold.commit").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(20);
        assertThat(timer("leasehold.clock.hold").totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(50);
        assertThat(timer("leasehold.read.window").count()).isEqualTo(1);
        assertThat(registry.get("leasehold.operations").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(50);
    }

    @Test
    void commitOfUnknownOutcomeIsCountedAndSoIsWhatBecameOfIt() throws InterruptedException {
        database.activate(FailPoint.failCommands("commitTransaction")
                .withWriteConcernError(UNSATISFIABLE_WRITE_CONCERN)
                .forAppName(database.name()));

        a.claims("name", "h", MINUTE);

        assertThat(counted("leasehold.transactions", "verdict", "unknown")).isEqualTo(1);
        assertThat(counted("leasehold.unknown.resolved", "resolution", "landed"))
                .isEqualTo(1);
        assertThat(counted("leasehold.unknown.resolved", "resolution", "not-landed"))
                .isZero();
        assertThat(counted("leasehold.unknown.resolved", "resolution", "lost")).isZero();
        assertThat(timer("leasehold.commit").count()).as("the repeated one too").isEqualTo(2);
    }

    @Test
    void surveyShowsWritersSkewsAndTheSizeOfTheClockDocument() throws InterruptedException {
        TestEngine b = engines.start("b", TestClock.atZPlus(ofSeconds(-7)));
        a.claims("name", "h", MINUTE);
        b.claims("other", "h", MINUTE);
        String writerOfB = Engines.writer(engines.leaseDocument("other"));
        int sizeBytes = new RawBsonDocument(engines.clockDocument(), new BsonDocumentCodec())
                .getByteBuffer()
                .remaining();

        sees(() -> {
            assertThat(registry.get("leasehold.live.writers").gauge().value()).isEqualTo(2);
            assertThat(registry.get("leasehold.clock.size").gauge().value()).isEqualTo(sizeBytes);
            assertThat(registry.get("leasehold.skew")
                            .tag("writer", writerOfB)
                            .gauge()
                            .value())
                    .isEqualTo(7, within(1e-6));
        });

        b.close();

        sees(() -> assertThat(registry.get("leasehold.live.writers").gauge().value())
                .isEqualTo(1));
    }

    @Test
    void closingTakesTheGaugesAway() throws InterruptedException {
        granted(a.engine().tenures().claim("name", "h", MINUTE));
        await().until(() -> registry.find("leasehold.clock.size").gauge() != null);

        a.close();

        assertThat(registry.getMeters())
                .isNotEmpty()
                .extracting(meter -> meter.getId().getType())
                .doesNotContain(Meter.Type.GAUGE);
    }

    @Test
    void endedTransactionOfADeadEngineIsCounted() throws Exception {
        try (LeaseEngine b = Engines.onTheSystemsClock(database.newClient(), database, "b", ofSeconds(20))
                .meters(LeaseMeters.to(registry).withLeaseNames())
                .build()) {
            b.tenures().claim("held", "b", MINUTE).orElseThrow();
            assertThat(counted("leasehold.clock.blocked")).isZero();
            assertThat(counted("leasehold.stuck.transactions")).isZero();
            ChildProcess dead = ChildProcess.start(database, "dead", Duration.ZERO);
            dead.stopsInTheCommitOf("claim left dead 60");
            dead.kill();

            assertThat(b.tenures().claim("other", "b", MINUTE).isGranted()).isTrue();

            assertThat(counted("leasehold.clock.blocked")).isEqualTo(1);
            assertThat(counted("leasehold.stuck.transactions")).isEqualTo(1);
        }
    }

    @Test
    void twoEnginesOfOneNamespaceShareARegistry() throws InterruptedException {
        TestEngine b = engines.startWithMeters(
                "b", TestClock.atZ(), LeaseMeters.to(registry).withLeaseNames());
        a.releases(a.claims("name", "h", MINUTE));
        b.releases(b.claims("name", "h", MINUTE));
        assertThat(operations("claim", "granted", "free")).isEqualTo(2);
        assertThat(counted("leasehold.transactions", "verdict", "applied")).isEqualTo(4);

        b.close();

        sees(() -> assertThat(registry.get("leasehold.live.writers").gauge().value())
                .isEqualTo(1));
    }
}
