package dev.leasehold.engine;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.FailPoint;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a readiness probe is told, on a real replica set, by an engine without meters. */
class HealthIT extends WithEngines {

    private static final Duration MINUTE = ofSeconds(60);

    private TestEngine a;

    @BeforeEach
    void startOne() {
        a = engines.start("a");
    }

    private EngineHealth health() {
        return a.engine().health();
    }

    @Test
    void heldLeasesAndWaitersAreThoseOfTheMoment() throws InterruptedException {
        Lease held = a.acquires("name");
        a.waitsFor("name");
        assertThat(health().heldLeases()).isEqualTo(1);
        assertThat(health().waiters()).isEqualTo(1);

        held.close();

        await().until(() -> health().waiters() == 0);
        assertThat(health().heldLeases()).isEqualTo(1);
    }

    @Test
    void databaseThatIsAwayMakesTheEngineUnreadyUntilAReadOfItsOwnSucceeds() {
        // Every read that fails takes so long that few of them use the operation budget up.
        a.hooks().always(Point.BEFORE_READ, () -> a.clock().advance(ofSeconds(4)));
        try (ActiveFailPoint gone =
                engines.fail(FailPoint.failCommands("find", "aggregate", "update", "commitTransaction")
                        .closingConnection())) {
            assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> a.sees("name"));

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
}
