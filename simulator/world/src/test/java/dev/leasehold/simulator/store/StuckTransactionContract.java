package dev.leasehold.simulator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.store.IdleTransaction;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Transactions that stay open, and how they are found and ended. */
abstract class StuckTransactionContract extends StoreContract {

    /** More than commands are apart by themselves. */
    private static final long REST_NANOS = 300_000_000;

    private Meanwhile<WriteOutcome> waiting;

    StuckTransactionContract(ContractDeployment deployment) {
        super(deployment);
    }

    private static List<UUID> openSessions(LeaseStore store) {
        return store.idleTransactions().stream()
                .map(IdleTransaction::driverSession)
                .toList();
    }

    /** In the middle of a transaction its process dies: what was sent to commit or to abort it never arrives. */
    private void leaveOpen(ContractWriter writer) {
        WriteOutcome outcome =
                writer.commitAfter(() -> deployment.befall(Mishap.REQUEST_LOST), writer.insert("left open"));
        deployment.mend();
        assertThat(outcome.verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void everyStoreHasADriverSessionOfItsOwnForAsLongAsItLives() {
        ContractWriter a = new ContractWriter(deployment.connect(), "a");
        UUID session = a.store().driverSession();
        a.store().open();
        a.writes(a.registration(null)).commits(a.insert("x"));

        assertThat(a.store().driverSession()).isEqualTo(session);
        assertThat(open().driverSession()).isNotEqualTo(session);
    }

    @Test
    void openTransactionsOfEnginesAndOfCallersAreListedForAsLongAsTheyAreOpen() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        LeaseStore observer = open();
        Caller caller = deployment.caller();
        caller.begins();
        assertThat(openSessions(observer)).as("nothing was sent yet").isEmpty();
        caller.asserts(tenure("x"));
        assertThat(openSessions(observer)).containsExactly(caller.driverSession());

        WriteOutcome outcome = a.commitAfter(
                () -> assertThat(openSessions(observer))
                        .containsExactlyInAnyOrder(
                                caller.driverSession(), a.store().driverSession()),
                a.insert("y"));

        assertThat(outcome).isEqualTo(WriteOutcome.APPLIED);
        caller.commits();
        assertThat(openSessions(observer)).isEmpty();
    }

    @Test
    void aCommandEndsARestButNotTheSumOfAllRests() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        LeaseStore observer = open();
        Caller caller = deployment.caller();
        caller.begins();
        caller.asserts(tenure("x"));
        await(() -> observer.idleTransactions().get(0).inactiveNanos() > REST_NANOS);
        IdleTransaction before = observer.idleTransactions().get(0);

        caller.writes("order", 7);

        assertThat(observer.idleTransactions()).singleElement().satisfies(idle -> {
            assertThat(idle.number()).isEqualTo(before.number());
            assertThat(idle.inactiveNanos()).isGreaterThan(before.inactiveNanos());
            assertThat(idle.activeNanos()).isGreaterThan(before.activeNanos());
        });
    }

    @Test
    void aRestChangesNothingElse() {
        ContractWriter a = impatientWriter("a");
        LeaseStore observer = open();
        leaveOpen(a);
        IdleTransaction before = observer.idleTransactions().get(0);

        deployment.passTime();

        assertThat(observer.idleTransactions()).singleElement().satisfies(idle -> {
            assertThat(idle.number()).isEqualTo(before.number());
            assertThat(idle.inactiveNanos())
                    .isGreaterThan(before.inactiveNanos())
                    .isNotNegative();
            assertThat(idle.activeNanos()).isEqualTo(before.activeNanos());
        });
    }

    @Test
    void aTransactionThatConflictedOrMissedIsNotLeftOpen() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        ContractWriter b = writer("b");
        b.commit(b.stale("x"));
        a.commitAfter(() -> b.commit(b.extend("x")), a.extend("x"));

        assertThat(openSessions(open())).isEmpty();
    }

    @Test
    @DisplayName("UO-2, ST-6: a transaction that was ended before its commit never happened, and its session goes on")
    void anEndedTransactionOfAnEngineWasNeverCommittedAndItsSessionGoesOn() {
        ContractWriter a = writer("a");
        ContractWriter b = writer("b");

        WriteOutcome outcome = a.commitAfter(
                () -> {
                    b.store().endTransactions(List.of(a.store().driverSession()));
                    assertThat(openSessions(b.store())).isEmpty();
                    assertThatTheClockIsFreeFor(b);
                },
                a.insert("x"));

        assertThat(outcome.verdict()).as("certainly not").isEqualTo(Verdict.UNAVAILABLE);
        assertThat(outcome.cause()).isInstanceOf(LeaseUnavailableException.class);
        assertThat(isThere("x")).isFalse();
        a.commits(a.insert("x"));
    }

    @Test
    @DisplayName("UO-2: the commit of a transaction that is no more, sent again, is certainly not applied")
    void anUnknownCommitWhoseTransactionIsEndedIsCertainlyNotApplied() {
        ContractWriter a = impatientWriter("a");
        ContractWriter b = writer("b");
        leaveOpen(a);

        b.store().endTransactions(List.of(a.store().driverSession()));

        assertThat(a.store().commitAgain().verdict()).isEqualTo(Verdict.UNAVAILABLE);
        assertThat(isThere("left open")).isFalse();
        assertThatTheClockIsFreeFor(b);
    }

    @Test
    void anEndedTransactionOfACallerFreesTheLeaseAndCannotBeCommitted() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        Caller caller = deployment.caller();
        caller.begins();
        caller.asserts(tenure("x"));
        caller.writes("order", 7);

        a.store().endTransactions(List.of(caller.driverSession()));

        a.commits(a.take("x", "h2"));
        assertThatExceptionOfType(MongoException.class)
                .isThrownBy(() -> caller.writes("order", 8))
                .matches(e -> e.getCode() == 251)
                .matches(e -> e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL));
        assertThatExceptionOfType(MongoException.class)
                .isThrownBy(caller::commits)
                .matches(e -> e.getCode() == 251)
                .matches(e -> e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL));
        assertThat(caller.stored("order")).isNull();
    }

    @Test
    void sessionsWithoutAnOpenTransactionAndUnknownOnesMayBeEndedForNothing() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));

        open().endTransactions(List.of(a.store().driverSession(), new UUID(1, 2)));

        assertThat(isThere("x")).isTrue();
        a.commits(a.extend("x"));
    }

    @Test
    void whatWaitsBehindATransactionGetsThroughWhenThatIsEnded() {
        ContractWriter a = impatientWriter("a");
        ContractWriter b = patientWriterWithSession("b");
        LeaseStore observer = open();
        leaveOpen(a);
        waiting = deployment.meanwhile(() -> b.write(b.heartbeat()));
        deployment.awaitBlocked(waiting);

        observer.endTransactions(List.of(a.store().driverSession()));

        assertThat(waiting.join()).isEqualTo(WriteOutcome.APPLIED);
    }

    @Test
    void whatNothingEndsStaysInTheWayUntilItsLifetimeIsOver() {
        deployment.limitLifetime();
        ContractWriter a = impatientWriter("a");
        a.commits(a.insert("x"));
        ContractWriter b = writer("b");
        Caller caller = deployment.caller();
        caller.begins();
        caller.asserts(tenure("x"));
        leaveOpen(a);
        assertThat(b.commit(b.extend("x")).verdict()).isEqualTo(Verdict.CONFLICT);

        await(() -> b.store().idleTransactions().isEmpty());

        assertThatTheClockIsFreeFor(b);
        b.commits(b.take("x", "h2"));
        assertThat(a.store().commitAgain().verdict()).as("never").isEqualTo(Verdict.UNAVAILABLE);
        assertThatExceptionOfType(MongoException.class)
                .isThrownBy(caller::commits)
                .matches(e -> e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL));
        assertThat(isThere("left open")).isFalse();
    }

    @Test
    void aStoreThatIsClosedLeavesNothingOpen() {
        ContractWriter a = writer("a");
        ContractWriter b = writer("b");

        a.commitAfter(
                () -> {
                    a.store().close();
                    assertThatTheClockIsFreeFor(b);
                },
                a.insert("x"));

        assertThat(openSessions(b.store())).isEmpty();
        assertThat(isThere("x")).isFalse();
        a.store().close();
    }
}
