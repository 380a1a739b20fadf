package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.refused;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a readiness probe is told, on a real replica set, by an engine without meters. */
@WithReplicaSet
class HealthIT {

    private static final Duration MINUTE = ofSeconds(60);

    private TestDatabase database;
    private Engines engines;
    private TestEngine a;

    @BeforeEach
    void start(TestDatabase fresh) {
        database = fresh;
        engines = new Engines(database);
        a = engines.start("a");
    }

    @AfterEach
    void check() {
        engines.close();
    }

    private EngineHealth health() {
        return a.engine().health();
    }

    /** Every read that fails takes so long that few of them use the operation budget up. */
    private void readInVain() {
        a.hooks().always(Point.BEFORE_READ, () -> a.clock().advance(ofSeconds(4)));
        assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> a.sees("name"));
    }

    private ActiveFailPoint databaseGone() {
        return database.activate(FailPoint.failCommands("find", "aggregate", "update", "commitTransaction")
                .closingConnection()
                .forAppName(database.name()));
    }

    @Test
    void engineIsReadyFromTheStart() {
        assertThat(health().ready()).isTrue();
        assertThat(health().heldLeases()).isZero();
        assertThat(health().waiters()).isZero();
    }

    @Test
    void heldLeasesAndWaitersAreThoseOfTheMoment() throws InterruptedException {
        Lease held = a.engine().tryAcquire(LeaseRequest.of("name")).orElseThrow();
        a.engine().tryAcquireAsync(LeaseRequest.of("name").waitAtMost(MINUTE));
        await().until(() -> health().waiters() == 1);
        assertThat(health().heldLeases()).isEqualTo(1);

        held.close();

        await().until(() -> health().waiters() == 0);
        assertThat(health().heldLeases()).isEqualTo(1);
    }

    @Test
    @DisplayName("An error in a thread of the engine ends it, tells the holder, and frees the lease for others")
    void errorInAThreadOfTheEngineIsTheEndOfIt() throws InterruptedException {
        AtomicReference<Error> next = new AtomicReference<>();
        TestEngine failing = engines.startWith("failing", settings -> settings.addCommandListener(throwing(next)));
        Lease held = failing.acquires("name");
        AtomicReference<LeaseLoss> loss = new AtomicReference<>();
        held.onLost(loss::set);
        Error noMemory = new InternalError("out of memory");
        next.set(noMemory);

        assertThatExceptionOfType(LeaseEngineClosedException.class).isThrownBy(() -> failing.sees("name"));

        assertThat(held.isHeld()).isFalse();
        EngineHealth health = failing.engine().health();
        assertThat(health.ready()).isFalse();
        assertThat(health.detail()).contains("out of memory");
        await().until(() -> loss.get() != null);
        assertThat(loss.get().reason()).isEqualTo(LeaseLoss.Reason.ENGINE_FAILED);
        assertThat(loss.get().cause()).isSameAs(noMemory);
        await().until(() -> engines.writers().isEmpty());
        assertThat(engines.start("b").acquires("name").token()).isEqualTo(2);
    }

    /** The driver lets errors of a listener through, where the engine's thread meets them. */
    private static CommandListener throwing(AtomicReference<Error> next) {
        return new CommandListener() {
            @Override
            public void commandStarted(CommandStartedEvent event) {
                Error error = event.getCommandName().equals("find") ? next.getAndSet(null) : null;
                if (error != null) {
                    throw error;
                }
            }
        };
    }

    @Test
    void noOfTheDatabaseIsAnAnswer() throws InterruptedException {
        a.claims("name", "h", MINUTE);
        refused(a.engine().tenures().claim("name", "h2", MINUTE), Reason.HELD);

        assertThat(health().ready()).isTrue();
    }

    @Test
    void databaseThatIsAwayMakesTheEngineUnreadyUntilAReadOfItsOwnSucceeds() {
        try (ActiveFailPoint gone = databaseGone()) {
            readInVain();

            assertThat(health().ready()).isFalse();
            assertThat(health().detail()).startsWith("dealings with the database have failed for ");
            gone.awaitEntered((int) gone.timesEntered() + 3, MINUTE);
            assertThat(health().ready()).as("reads of its own that failed too").isFalse();
        }

        await().untilAsserted(() -> assertThat(health().ready()).isTrue());
        assertThat(health().detail()).isEqualTo("all is well");
    }

    @Test
    void engineThatIsWellMakesNoReads() throws InterruptedException {
        a.claims("name", "h", MINUTE);
        a.hooks().forgetCommands();

        a.releases(a.claims("other", "h", MINUTE));

        assertThat(a.hooks().commands("find")).hasSize(2);
    }

    @Test
    void closedEngineIsNotReady() {
        a.close();

        assertThat(health().ready()).isFalse();
        assertThat(health().detail()).isEqualTo("the engine is closed");
    }
}
