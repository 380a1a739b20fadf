package dev.leasehold.simulator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoException;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Callers' own transactions, which they gate with the assertion, beside those of engines. */
abstract class CallerTransactionContract extends StoreContract {

    private static final int WRITE_CONFLICT = 112;
    private static final int NO_SUCH_TRANSACTION = 251;

    CallerTransactionContract(ContractDeployment deployment) {
        super(deployment);
    }

    /** The code that is to be seen, and the label by which the driver runs the body again. */
    private static void assertTransient(int code, ThrowingCallable command) {
        assertThatExceptionOfType(MongoException.class).isThrownBy(command).satisfies(e -> {
            assertThat(e.getCode()).as(e.getMessage()).isEqualTo(code);
            assertThat(e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL))
                    .isTrue();
        });
    }

    private Caller callerThatBegins() {
        Caller caller = deployment.caller();
        caller.begins();
        return caller;
    }

    /** Its snapshot is taken: it sees what was before, whatever comes. */
    private Caller callerThatLooksAt(String lease) {
        Caller caller = callerThatBegins();
        assertThat(caller.readsToken(lease)).isNotNull();
        return caller;
    }

    private Caller callerThatAsserts(Tenure tenure) {
        Caller caller = callerThatBegins();
        caller.asserts(tenure);
        return caller;
    }

    // ---- the assertion ----

    @Test
    void whatIsGatedByAStandingTenureIsCommittedAndCounted() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        Caller caller = callerThatAsserts(tenure("x"));
        caller.writes("order", 7);
        assertThat(caller.stored("order")).as("before the commit").isNull();

        caller.commits();

        assertThat(caller.stored("order")).isEqualTo(7);
        assertThat(lease("x").gates()).isEqualTo(1);
        assertThat(lease("x").guard())
                .as("engines see no change")
                .isEqualTo(a.extend("x").guard());
    }

    /** How a tenure can end. */
    enum End {
        VACATED,
        EXPIRED_BY_FORCE,
        TAKEN_BY_ANOTHER,
        TAKEN_BY_THE_SAME,
        REMOVED;

        LeaseWrite by(ContractWriter writer) {
            return switch (this) {
                case VACATED -> writer.vacate("x");
                case EXPIRED_BY_FORCE -> writer.expireByForce("x");
                case TAKEN_BY_ANOTHER -> writer.take("x", "h2");
                case TAKEN_BY_THE_SAME -> writer.take("x", "h");
                case REMOVED -> writer.remove("x");
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void theAssertionOfATenureThatEndedMissesAndHasNoLabel(End end) {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        a.commits(end.by(a));
        Caller caller = callerThatBegins();
        caller.writes("order", 7);

        assertThatExceptionOfType(LeaseNotHeldException.class).isThrownBy(() -> caller.asserts(tenure("x")));

        caller.aborts();
        assertThat(caller.stored("order")).isNull();
    }

    @Test
    void theAssertionOfANameWithoutADocumentMisses() {
        writer("a");
        Caller caller = callerThatBegins();

        assertThatExceptionOfType(LeaseNotHeldException.class).isThrownBy(() -> caller.asserts(tenure("x")));

        caller.aborts();
    }

    @ParameterizedTest
    @EnumSource
    void aTenureThatEndsBesideAnOlderSnapshotIsATransientConflictAndMissesInTheNextRun(End end) {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        Caller caller = callerThatLooksAt("x");
        a.commits(end.by(a));

        assertTransient(WRITE_CONFLICT, () -> caller.asserts(tenure("x")));

        caller.aborts();
        caller.begins();
        assertThatExceptionOfType(LeaseNotHeldException.class).isThrownBy(() -> caller.asserts(tenure("x")));
        caller.aborts();
    }

    @Test
    void anExtensionBesideAnOlderSnapshotIsATransientConflictAndPassesInTheNextRun() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        Caller caller = callerThatLooksAt("x");
        a.commits(a.extend("x"));

        assertTransient(WRITE_CONFLICT, () -> caller.asserts(tenure("x")));

        caller.aborts();
        caller.begins();
        caller.asserts(tenure("x"));
        caller.commits();
        assertThat(lease("x").gates()).isEqualTo(1);
    }

    @Test
    void aWriteWithoutATransactionBesideAnOlderSnapshotIsATransientConflictToo() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        Caller caller = callerThatLooksAt("x");
        assertThat(a.store().writeLeases("a", List.of(a.extend("x")))).isEqualTo(WriteOutcome.APPLIED);

        assertTransient(WRITE_CONFLICT, () -> caller.asserts(tenure("x")));

        caller.aborts();
    }

    // ---- beside engines ----

    @ParameterizedTest
    @EnumSource
    void whileATransactionHasAssertedNoWriterEndsTheTenure(End end) {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        Caller caller = callerThatAsserts(tenure("x"));
        caller.writes("order", 7);

        assertThat(a.commit(end.by(a)).verdict()).as("at once").isEqualTo(Verdict.CONFLICT);

        caller.commits();
        assertThat(caller.stored("order")).isEqualTo(7);
        a.commits(end.by(a));
    }

    @Test
    void anExtensionConflictsWithAnOpenAssertionAndOtherLeasesDoNot() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"), a.insert("y"));
        Caller caller = callerThatAsserts(tenure("x"));

        assertThat(a.commit(a.extend("x")).verdict()).isEqualTo(Verdict.CONFLICT);
        a.commits(a.extend("y"));

        caller.commits();
        a.commits(a.extend("x"));
    }

    @Test
    void anAssertionBehindAnOpenTransactionOfAnEngineConflictsAtOnce() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));

        WriteOutcome outcome = a.commitAfter(
                () -> {
                    Caller caller = callerThatBegins();
                    assertTransient(WRITE_CONFLICT, () -> caller.asserts(tenure("x")));
                    caller.aborts();
                },
                a.extend("x"));

        assertThat(outcome).as("the first writer wins").isEqualTo(WriteOutcome.APPLIED);
        assertThat(lease("x").gates()).isZero();
    }

    @Test
    void anAssertionThatMissesConflictsWithNothing() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x")).commits(a.take("x", "h2"));

        WriteOutcome outcome = a.commitAfter(
                () -> {
                    Caller caller = callerThatBegins();
                    assertThatExceptionOfType(LeaseNotHeldException.class)
                            .isThrownBy(() -> caller.asserts(tenure("x")));
                    caller.aborts();
                },
                a.extend("x"));

        assertThat(outcome).isEqualTo(WriteOutcome.APPLIED);
    }

    @Test
    void assertionsOfOneLeaseConflictWithEachOther() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        Caller first = callerThatAsserts(tenure("x"));
        Caller second = callerThatBegins();

        assertTransient(WRITE_CONFLICT, () -> second.asserts(tenure("x")));

        second.aborts();
        first.commits();
        second.begins();
        second.asserts(tenure("x"));
        second.commits();
        assertThat(lease("x").gates()).isEqualTo(2);
    }

    @Test
    void callersThatWriteTheSameDocumentConflictWhateverTheyAsserted() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"), a.insert("y"));
        Caller first = callerThatAsserts(tenure("x"));
        Caller second = callerThatAsserts(tenure("y"));
        first.writes("order", 1);

        assertTransient(WRITE_CONFLICT, () -> second.writes("order", 2));

        second.aborts();
        first.commits();
        assertThat(first.stored("order")).isEqualTo(1);
        assertThat(lease("y").gates()).as("it was undone").isZero();
    }

    @Test
    void aConflictEndsTheTransactionAndSoItCannotBeCommitted() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        Caller caller = callerThatLooksAt("x");
        caller.writes("order", 7);
        a.commits(a.extend("x"));
        assertTransient(WRITE_CONFLICT, () -> caller.asserts(tenure("x")));

        assertTransient(NO_SUCH_TRANSACTION, caller::commits);

        assertThat(caller.stored("order")).isNull();
    }

    @Test
    void anAbortUndoesEverythingAndFreesTheLeaseAtOnce() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        Caller caller = callerThatAsserts(tenure("x"));
        caller.writes("order", 7);

        caller.aborts();

        a.commits(a.extend("x"));
        assertThat(caller.stored("order")).isNull();
        assertThat(lease("x").gates()).isZero();
    }

    // ---- what conflicts with nothing ----

    @Test
    @DisplayName("AS-15: a read in the place of the assertion lets the transaction commit beside a take-over")
    void aReadConflictsWithNothing() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        Caller caller = callerThatLooksAt("x");
        caller.writes("order", 7);

        a.commits(a.take("x", "h2"));

        assertThat(caller.readsToken("x")).as("in its snapshot").isEqualTo(1);
        caller.commits();
        assertThat(caller.stored("order")).as("a read is no gate").isEqualTo(7);
    }

    @Test
    @DisplayName("AS-15: so does an update that changes no byte")
    void anUpdateThatChangesNoByteConflictsWithNothing() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        Caller caller = callerThatBegins();
        caller.changesNothingOf("x");
        caller.writes("order", 7);

        a.commits(a.take("x", "h2"));

        caller.commits();
        assertThat(caller.stored("order")).as("it is no gate").isEqualTo(7);
    }

    @Test
    void aTransactionSeesItsOwnWritesOnASnapshotOfItsFirstStatement() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"), a.insert("y"));
        Caller caller = callerThatAsserts(tenure("x"));
        a.commits(a.take("y", "h2"));

        caller.asserts(tenure("x"));
        assertThat(caller.readsToken("y"))
                .as("as it was at the first statement")
                .isEqualTo(1);

        caller.commits();
        assertThat(lease("x").gates()).as("each counted").isEqualTo(2);
    }

    // ---- bodies that the driver runs ----

    @Test
    void aBodyThatConflictsIsRunAgainAndItsFirstRunLeavesNothing() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        Caller caller = deployment.caller();
        AtomicInteger runs = new AtomicInteger();

        caller.inTransaction(() -> {
            assertThat(caller.readsToken("x")).isEqualTo(1);
            caller.writes("run " + runs.incrementAndGet(), 7);
            if (runs.get() == 1) {
                a.commits(a.extend("x"));
            }
            caller.asserts(tenure("x"));
        });

        assertThat(runs).hasValue(2);
        assertThat(caller.stored("run 1")).isNull();
        assertThat(caller.stored("run 2")).isEqualTo(7);
        assertThat(lease("x").gates()).isEqualTo(1);
    }

    @Test
    void aBodyWhoseTenureHasEndedIsRunOnceAndUndone() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x")).commits(a.take("x", "h2"));
        Caller caller = deployment.caller();
        AtomicInteger runs = new AtomicInteger();

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> caller.inTransaction(() -> {
                    runs.incrementAndGet();
                    caller.writes("order", 7);
                    caller.asserts(tenure("x"));
                }));

        assertThat(runs).hasValue(1);
        assertThat(caller.stored("order")).isNull();
        assertThat(a.store().idleTransactions()).isEmpty();
    }

    @Test
    void aBodyWhoseStatementDidNotArriveIsRunAgain() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        Caller caller = deployment.caller();
        AtomicInteger runs = new AtomicInteger();

        caller.inTransaction(() -> {
            if (runs.incrementAndGet() == 1) {
                deployment.befallOnce(Mishap.REQUEST_LOST);
            }
            caller.asserts(tenure("x"));
        });

        assertThat(runs).hasValue(2);
        assertThat(lease("x").gates()).isEqualTo(1);
    }

    @Test
    void aBodyWhoseCommitIsUnknownIsCommittedAgainAndNotRunAgain() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        for (Mishap mishap : List.of(Mishap.REQUEST_LOST, Mishap.DONE_AND_FAILED)) {
            Caller caller = deployment.caller();
            AtomicInteger runs = new AtomicInteger();
            long gates = lease("x").gates();

            caller.inTransaction(() -> {
                runs.incrementAndGet();
                caller.asserts(tenure("x"));
                deployment.befallOnce(mishap);
            });
            deployment.mend();

            assertThat(runs).hasValue(1);
            assertThat(lease("x").gates()).isEqualTo(gates + 1);
        }
    }

    // ---- mishaps of a caller ----

    @Test
    void aCommitThatWasDoneAndAnsweredWithAnErrorIsUnknownAndCanBeSentAgain() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        Caller caller = callerThatAsserts(tenure("x"));

        deployment.befall(Mishap.DONE_AND_FAILED);
        assertThatExceptionOfType(MongoException.class)
                .isThrownBy(caller::commits)
                .matches(e -> e.hasErrorLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL))
                .matches(e -> !e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL));
        deployment.mend();

        caller.commits();
        assertThat(lease("x").gates()).isEqualTo(1);
    }

    @Test
    void anAssertionThatDoesNotArriveIsTransientAndTheTransactionIsNotCommitted() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"));
        Caller caller = callerThatBegins();
        caller.writes("order", 7);

        deployment.befall(Mishap.REQUEST_LOST);
        assertThatExceptionOfType(MongoException.class)
                .isThrownBy(() -> caller.asserts(tenure("x")))
                .matches(e -> e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL));
        deployment.mend();

        caller.aborts();
        assertThat(caller.stored("order")).isNull();
        a.commits(a.extend("x"));
    }

    @Test
    void singleWritesOfTheClockAndOfOtherLeasesDoNotNoticeACaller() {
        ContractWriter a = writerWithSession("a");
        a.commits(a.insert("x"), a.insert("y"));
        Caller caller = callerThatAsserts(tenure("x"));

        a.writes(a.heartbeat());
        assertThat(a.store().writeLeases("a", List.of(a.extend("y")))).isEqualTo(WriteOutcome.APPLIED);

        caller.commits();
    }
}
