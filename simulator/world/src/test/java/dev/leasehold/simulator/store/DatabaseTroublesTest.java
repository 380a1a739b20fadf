package dev.leasehold.simulator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoException;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.simulator.conditions.DamageKind;
import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.world.SimulatedProcess;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What befalls the simulated database from outside, and how it heals. */
class DatabaseTroublesTest {

    private final StoreWorld stage = new StoreWorld();

    @Test
    void aStrayTransactionIsInTheWayOfItsLeaseAlone() {
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            a.commits(a.insert("x"), a.insert("y"));

            stage.database().stray("x");

            assertThat(a.commitApart(a.extend("x")).verdict()).isEqualTo(Verdict.LEASE_CONFLICT);
            a.commits(a.extend("y"));
            assertThat(a.store().idleTransactions()).hasSize(1);
        });
    }

    @Test
    void aStrayTransactionOfNoLeaseIsNone() {
        stage.play(() -> {
            ContractWriter a = stage.writer("a");

            stage.database().stray("x");

            assertThat(a.store().idleTransactions()).isEmpty();
            a.commits(a.insert("x"));
        });
    }

    @Test
    void aStormIsInTheWayOfTransactionsAndLetsSingleWritesThroughInBetween() {
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            stage.database().storm(3, 50 * StoreWorld.MILLISECOND);

            assertThat(a.commit().verdict()).isEqualTo(Verdict.CONFLICT);
            a.writes(a.heartbeat());
            assertThat(a.commit().verdict()).isEqualTo(Verdict.CONFLICT);
            stage.pass(StoreWorld.SECOND);

            assertThat(stage.hasReached(Marks.WAITED)).isTrue();
            assertThat(stage.events(Event.Committed.class))
                    .filteredOn(commit -> commit.author().kind() == Author.Kind.HAND)
                    .hasSize(3);
            assertThat(a.commit()).isEqualTo(WriteOutcome.APPLIED);
        });
    }

    @Test
    void aDamagedLeaseIsFoundSoAndNotWrittenOverUntilItIsRepaired() {
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            a.commits(a.insert("x"), a.insert("y"));
            var extend = a.extend("x");
            stage.database().damage(DamageKind.CORRUPT_LEASE, "x");
            stage.database().damage(DamageKind.CORRUPT_LEASE, "y");
            assertThat(a.store().read(Set.of("x", "y"), "a").leases()).hasOnlyElementsOfType(StoredLease.Corrupt.class);

            assertThat(a.commit(extend)).isEqualTo(WriteOutcome.MISSED);
            stage.database().heal();

            assertThat(a.store().read(Set.of("x", "y"), "a").leases()).hasOnlyElementsOfType(StoredLease.Sound.class);
        });
    }

    @Test
    void healingEndsStrayTransactionsAndTheLagAndBringsAPrimary() {
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            a.commits(a.insert("x"));
            stage.database().stray("x");
            stage.database().lag(1_000 * StoreWorld.SECOND);
            stage.database().failOver(1_000 * StoreWorld.SECOND, false);

            stage.database().heal();

            a.commits(a.extend("x"));
        });
    }

    @Test
    void healingEndsWhatDeadAndForgetfulClientsHaveLeftOpenAndLetsNothingLateBeginAgain() {
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            a.commits(a.insert("x"), a.insert("y"));
            SimulatedProcess dying = stage.newProgram();
            CallerSession dead = stage.database().callerSession(dying, 7, new HeldTenure("x", "h", 1));
            dying.start("dying", () -> {
                dead.clientSession().startTransaction();
                touch(dead, "x");
                dying.simulatedMachine().crash();
            });
            CallerSession forgetful = stage.caller();
            forgetful.clientSession().startTransaction();
            touch(forgetful, "y");
            stage.befall(MessageFault.Kind.LOSE_REQUEST, 0);
            forgetful.clientSession().abortTransaction();
            CallerSession late = stage.caller();
            late.clientSession().startTransaction();
            stage.befall(MessageFault.Kind.DELAY_REQUEST, 10 * StoreWorld.SECOND);
            assertThatExceptionOfType(MongoException.class).isThrownBy(() -> touch(late, "x"));
            late.close();
            assertThat(a.store().idleTransactions()).hasSize(2);

            stage.database().heal();
            assertThat(a.store().idleTransactions()).isEmpty();
            stage.pass(10 * StoreWorld.SECOND);

            assertThat(a.store().idleTransactions()).isEmpty();
            a.commits(a.extend("x"), a.extend("y"));
        });
    }

    @Test
    void healingLeavesToEnginesWhatOneOfThemHasLeftOpenUnderARegisteredSession() {
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            SimulatedProcess dying = stage.newProgram();
            dying.start("dying", () -> {
                ContractWriter b = stage.writer(dying, "b");
                b.commitAfter(() -> dying.simulatedMachine().crash(), b.insert("x"));
            });
            stage.pass(StoreWorld.SECOND);

            stage.database().heal();

            assertThat(a.store().idleTransactions()).hasSize(1);
        });
    }

    private static void touch(CallerSession caller, String lease) {
        LeaseAssertion.of(new Tenure(Fixture.NAMESPACE, lease, "h", 1), SimulatedDatabase.leases())
                .check(caller.clientSession());
    }

    @Test
    void troubleBeforeTheFirstClientIsNone() {
        stage.play(() -> {
            stage.database().stray("x");
            stage.database().storm(1, 1);
            stage.database().damage(DamageKind.REMOVE_LEASE, "x");
            stage.database().failOver(StoreWorld.SECOND, true);

            ContractWriter a = stage.writer("a");
            a.commits(a.insert("x"));
        });
    }

    @Test
    void whatNothingWaitsForAnyMoreDoesNoHarmAfterTheHealing() {
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            stage.befall(MessageFault.Kind.DELAY_REQUEST, 20 * StoreWorld.SECOND);
            assertThat(a.commit(a.insert("x")).verdict()).isNotEqualTo(Verdict.APPLIED);

            stage.heal();
            stage.pass(30 * StoreWorld.SECOND);

            assertThat(stage.hasReached(Marks.EXECUTED_LATE)).isFalse();
            assertThat(a.store().idleTransactions()).isEmpty();
        });
    }

    @Test
    void damageThatWaitsBehindATransactionWhenItIsHealedIsRepairedToo() {
        stage.play(() -> {
            ContractWriter a = stage.writer("a");
            a.commits(a.insert("x"));
            a.commitAfter(
                    () -> {
                        stage.database().damage(DamageKind.CORRUPT_LEASE, "x");
                        stage.database().heal();
                    },
                    a.extend("x"));
            stage.pass(StoreWorld.SECOND);

            assertThat(a.store().read(Set.of("x"), "a").leases()).hasOnlyElementsOfType(StoredLease.Sound.class);
        });
    }
}
