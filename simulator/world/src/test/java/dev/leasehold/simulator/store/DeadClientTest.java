package dev.leasehold.simulator.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.store.LeaseChanges;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Faults;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.world.SimulatedProcess;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of the traffic of a client that is no more. */
class DeadClientTest {

    private static final long LIFETIME_NANOS = 60 * StoreWorld.SECOND;
    private static final long SWEEP_NANOS = 30 * StoreWorld.SECOND;

    private final StoreWorld stage = new StoreWorld();
    private final SimulatedProcess dying = stage.newProgram();

    /** Lets a writer crash when all its guards held. */
    private void crashInATransaction() {
        dying.start("dying", () -> {
            ContractWriter b = stage.writer(dying, "b");
            b.commitAfter(() -> dying.simulatedMachine().crash(), b.insert("x"));
        });
        stage.pass(StoreWorld.SECOND);
    }

    @Test
    void itsTransactionStaysInTheWayUntilTheServerLooksForOldOnes() {
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            crashInATransaction();
            assertThat(a.store().idleTransactions()).hasSize(1);
            assertThat(a.commit().verdict()).isEqualTo(WriteOutcome.Verdict.CONFLICT);

            stage.pass(LIFETIME_NANOS + SWEEP_NANOS);

            assertThat(stage.events(Event.Fault.class))
                    .as("opened in the first second, too old after the second sweep")
                    .containsExactly(new Event.Fault(3 * SWEEP_NANOS, -1, Faults.LIFETIME, 3 * SWEEP_NANOS));
            assertThat(a.commit()).isEqualTo(WriteOutcome.APPLIED);
            assertThat(stage.database().lease("x")).isNull();
        });
    }

    @Test
    void itsTransactionCanBeEndedByAnother() {
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            crashInATransaction();

            a.store()
                    .endTransactions(List.of(a.store().idleTransactions().get(0).driverSession()));

            assertThat(a.commit()).isEqualTo(WriteOutcome.APPLIED);
            assertThat(stage.hasReached(Marks.RESCUED)).isTrue();
        });
    }

    @Test
    void forHowLongItHadRestedIsToldUnlessItHasGoneOn() {
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            crashInATransaction();
            a.store().idleTransactions();
            a.store()
                    .endTransactions(List.of(a.store().idleTransactions().get(0).driverSession()));

            assertThat(stage.events(Event.Reached.class))
                    .filteredOn(reached -> reached.mark().equals(Marks.RESCUED))
                    .singleElement()
                    .satisfies(reached ->
                            assertThat(reached.rest().nanos()).isBetween(StoreWorld.SECOND / 2, 2 * StoreWorld.SECOND));
        });
    }

    @Test
    void whoseTransactionIsEndedIsNoted() {
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            CallerSession caller = stage.caller();
            caller.clientSession().startTransaction();
            caller.write("order", 1);

            a.store().endTransactions(List.of(caller.driverSession()));

            assertThat(stage.hasReached(Marks.CALLER_ENDED)).isTrue();
            assertThat(stage.hasReached(Marks.RESCUED)).isFalse();
        });
    }

    @Test
    void whatWasUnderWayIsCarriedOutAndNothingElse() {
        stage.play(() -> {
            stage.open();
            dying.simulatedMachine().await(new MessageFault(MessageFault.Kind.CRASH_WHEN_SENT, 3, 0));
            dying.start("dying", () -> {
                ContractWriter b = stage.writer(dying, "b");
                b.writes(b.heartbeat()).writes(b.heartbeat());
            });
            stage.pass(StoreWorld.SECOND);

            assertThat(stage.hasReached(Marks.EXECUTED_LATE)).isTrue();
            assertThat(stage.events(Event.Committed.class))
                    .filteredOn(commit -> commit.author().machine()
                            == dying.simulatedMachine().number())
                    .as("the registration and one heartbeat")
                    .hasSize(2);
        });
    }

    @Test
    void nothingThrowsWhenItIsClosed() {
        List<String> closed = new ArrayList<>();
        stage.play(() -> {
            dying.start("dying", () -> {
                ContractWriter b = stage.writer(dying, "b");
                LeaseStore store = b.store();
                LeaseChanges changes = store.changes();
                changes.await();
                CallerSession caller = stage.database().callerSession(dying, 0, new HeldTenure("x", "h", 1));
                caller.clientSession().startTransaction();
                caller.write("order", 1);
                b.commitAfter(
                        () -> {
                            dying.simulatedMachine().crash();
                            store.close();
                            changes.close();
                            caller.close();
                            closed.add("all");
                        },
                        b.insert("x"));
            });
            stage.pass(StoreWorld.SECOND);
        });

        assertThat(closed).containsExactly("all");
        assertThat(stage.events(Event.Broken.class)).isEmpty();
    }
}
