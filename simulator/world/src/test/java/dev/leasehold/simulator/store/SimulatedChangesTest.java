package dev.leasehold.simulator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.store.LeaseChange.Freed;
import dev.leasehold.engine.internal.store.LeaseChanges;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.MessageFault;
import org.junit.jupiter.api.Test;

/** How a simulated change stream fares when the way to the database does not. */
class SimulatedChangesTest {

    private final StoreWorld stage = new StoreWorld();

    @Test
    void aCallWaitsForHalfASecondAndAClosedStreamForNoTime() {
        stage.play(() -> {
            LeaseChanges changes = stage.open().changes();
            changes.await();
            long beginNanos = stage.simulation().nowNanos();
            assertThat(changes.await()).isEmpty();
            assertThat(stage.simulation().nowNanos() - beginNanos)
                    .isEqualTo(StoreWorld.SECOND / 2 + 2 * StoreWorld.MILLISECOND);

            long closedNanos = stage.simulation().nowNanos() + 10 * StoreWorld.MILLISECOND;
            stage.simulation().at(closedNanos, changes::close);
            assertThat(changes.await()).isEmpty();

            assertThat(stage.simulation().nowNanos()).isEqualTo(closedNanos + StoreWorld.MILLISECOND);
        });
    }

    @Test
    void oneFailureIsNotNoticedAndNothingIsMissed() {
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            a.commits(a.insert("x"));
            LeaseChanges changes = a.store().changes();
            changes.await();
            a.commits(a.vacate("x"));

            stage.befall(MessageFault.Kind.LOSE_REPLY, 0);

            assertThat(changes.await()).singleElement().isInstanceOf(Freed.class);
        });
    }

    @Test
    void afterTheSecondFailureItBeginsAnew() {
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            a.commits(a.insert("x"));
            LeaseChanges changes = a.store().changes();
            changes.await();
            a.commits(a.vacate("x"));
            a.writes(a.heartbeat());
            stage.befall(MessageFault.Kind.REFUSE, 0);
            stage.befall(MessageFault.Kind.REFUSE, 0);

            assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(changes::await);

            assertThat(changes.await()).isEmpty();
            assertThat(changes.await()).as("what was missed").isEmpty();
        });
    }

    @Test
    void whereTheServerDoesNotAllowItThatIsSaid() {
        DatabaseConditions plain = DatabaseConditions.PLAIN;
        StoreWorld deaf =
                new StoreWorld(new DatabaseConditions(0, 0, plain.lifetimeNanos(), plain.sweepNanos(), false));
        deaf.play(() -> {
            LeaseChanges changes = deaf.open().changes();

            assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(changes::await);
        });
    }
}
