package dev.leasehold.simulator.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is known of a transaction when the way to the database fails, and how it becomes certain. */
abstract class UnknownCommitContract extends StoreContract {

    UnknownCommitContract(ContractDeployment deployment) {
        super(deployment);
    }

    /** The update arrives, and nothing of the commit or of what follows it until it is mended. */
    private void leaveUnknown(ContractWriter writer, Mishap mishap, LeaseWrite... writes) {
        loseSightOf(writer, mishap, writes);
        deployment.mend();
    }

    /** The same, and it is not mended yet. */
    private void loseSightOf(ContractWriter writer, Mishap mishap, LeaseWrite... writes) {
        WriteOutcome outcome = writer.commitAfter(() -> deployment.befall(mishap), writes);

        assertThat(outcome.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(outcome.cause()).isInstanceOf(LeaseOutcomeUnknownException.class);
    }

    @Test
    @DisplayName("UO-1: a commit that did not arrive is unknown, and applied once when it is sent again")
    void aCommitThatDidNotArriveIsUnknownAndAppliedWhenItIsSentAgain() {
        ContractWriter a = impatientWriter("a");
        long ticks = ticks();
        leaveUnknown(a, Mishap.REQUEST_LOST, a.insert("x"));
        assertThat(isThere("x")).isFalse();

        assertThat(a.store().commitAgain()).isEqualTo(WriteOutcome.APPLIED);

        assertThat(isThere("x")).isTrue();
        assertThat(ticks()).isEqualTo(ticks + 1);
    }

    @Test
    @DisplayName(
            "UO-1: a commit that was applied and answered with an error is unknown, and applied once when it is sent again")
    void aCommitThatWasAppliedAndAnsweredWithAnErrorIsUnknownAndAppliedOnceWhenItIsSentAgain() {
        ContractWriter a = impatientWriter("a");
        long ticks = ticks();
        leaveUnknown(a, Mishap.DONE_AND_FAILED, a.insert("x"));
        assertThat(deployment.newestToken("x")).isEqualTo(1);

        assertThat(a.store().commitAgain()).isEqualTo(WriteOutcome.APPLIED);

        assertThat(isThere("x")).isTrue();
        assertThat(ticks()).isEqualTo(ticks + 1);
    }

    @Test
    void aCommitThatIsRefusedWithAPassingErrorIsUnknown() {
        ContractWriter a = impatientWriter("a");

        leaveUnknown(a, Mishap.REFUSED, a.insert("x"));
    }

    @Test
    void oneMishapOfACommitLeavesItAppliedOnceOrUnknown() {
        ContractWriter a = impatientWriter("a");
        for (Mishap mishap : List.of(Mishap.REQUEST_LOST, Mishap.DONE_AND_FAILED)) {
            long ticks = ticks();

            WriteOutcome outcome = a.commitAfter(() -> deployment.befallOnce(mishap), a.insert(mishap.name()));
            deployment.mend();

            assertThat(outcome.verdict()).isIn(Verdict.APPLIED, Verdict.UNKNOWN);
            assertThat(
                            outcome.verdict() == Verdict.APPLIED
                                    ? outcome
                                    : a.store().commitAgain())
                    .isEqualTo(WriteOutcome.APPLIED);
            assertThat(isThere(mishap.name())).isTrue();
            assertThat(ticks()).isEqualTo(ticks + 1);
        }
    }

    @Test
    void readsInBetweenDoNotTakeAwayTheChanceToSendTheCommitAgain() {
        ContractWriter a = impatientWriter("a");
        leaveUnknown(a, Mishap.REQUEST_LOST, a.insert("x"));

        assertThat(a.store().read(Set.of("x"), "a").leases()).containsExactly(new StoredLease.Absent("x"));
        assertThat(a.store().page(null, 9, "a").snapshot().leases()).isEmpty();
        assertThat(a.store().survey().writers()).hasSize(1);
        assertThat(a.store().idleTransactions()).hasSize(1);

        assertThat(a.store().commitAgain()).isEqualTo(WriteOutcome.APPLIED);
    }

    @Test
    void whileACommitIsUnknownItsTransactionIsInTheWayOfAllOthers() {
        ContractWriter a = impatientWriter("a");
        ContractWriter b = writer("b");

        leaveUnknown(a, Mishap.REQUEST_LOST, a.insert("x"));

        assertThat(b.commit(b.insert("y")).verdict()).isEqualTo(Verdict.CONFLICT);
        assertThat(a.store().commitAgain()).isEqualTo(WriteOutcome.APPLIED);
        b.commits(b.insert("y"));
    }

    @Test
    void aBarrierEndsATransactionWhoseCommitDidNotArriveForEver() {
        ContractWriter a = impatientWriter("a");
        ContractWriter b = writer("b");
        leaveUnknown(a, Mishap.REQUEST_LOST, a.insert("x"));

        a.writes(a.barrier());

        assertThat(isThere("x")).isFalse();
        assertThatTheClockIsFreeFor(b);
        assertThat(a.store().commitAgain().verdict()).as("not sent").isEqualTo(Verdict.UNKNOWN);
        assertThat(isThere("x")).isFalse();
        a.commits(a.insert("x"));
    }

    @Test
    void behindABarrierATransactionThatWasCommittedIsSeen() {
        ContractWriter a = impatientWriter("a");
        leaveUnknown(a, Mishap.DONE_AND_FAILED, a.insert("x"));

        a.writes(a.barrier());

        assertThat(a.store().read(Set.of("x"), "a").leases().get(0)).isInstanceOf(StoredLease.Sound.class);
    }

    @Test
    void aCommitThatComesAfterABarrierChangesNothing() {
        ContractWriter a = impatientWriter("a");
        leaveUnknown(a, Mishap.LATE, a.insert("x"));

        await(() -> a.write(a.barrier()).equals(WriteOutcome.APPLIED));

        boolean behindTheBarrier = isThere("x");
        deployment.awaitLatecomers();
        assertThat(isThere("x")).isEqualTo(behindTheBarrier);
    }

    @Test
    void aCommitMayArriveLongAfterItWasGivenUp() {
        ContractWriter a = impatientWriter("a");
        loseSightOf(a, Mishap.LATE, a.insert("x"));
        assertThat(isThere("x")).isFalse();

        deployment.mend();

        await(() -> isThere("x"));
        assertThat(isThere("x")).isTrue();
        assertThat(a.store().commitAgain()).isEqualTo(WriteOutcome.APPLIED);
    }

    @Test
    void afterAnyOtherWriteTheCommitIsNotSentAgain() {
        ContractWriter a = impatientWriter("a");
        a.commits(a.insert("z"));
        LeaseWrite.Replace other = a.extend("z");

        leaveUnknown(a, Mishap.REQUEST_LOST, a.insert("x"));
        assertThat(a.store().writeLeases("a", List.of(other))).isEqualTo(WriteOutcome.APPLIED);
        assertThat(a.store().commitAgain().verdict()).isEqualTo(Verdict.UNKNOWN);

        leaveUnknown(a, Mishap.REQUEST_LOST, a.insert("x"));
        assertThat(a.commit(a.stale("z"))).isEqualTo(WriteOutcome.MISSED);
        assertThat(a.store().commitAgain().verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(isThere("x")).isFalse();
    }

    @Test
    void whereNothingIsUnknownNothingIsSentAgain() {
        ContractWriter a = writer("a");
        assertThat(a.store().commitAgain().verdict()).isEqualTo(Verdict.UNKNOWN);
        a.commits(a.insert("x"));
        long ticks = ticks();

        assertThat(a.store().commitAgain().verdict()).isEqualTo(Verdict.UNKNOWN);

        assertThat(ticks()).isEqualTo(ticks);
    }

    @Test
    @DisplayName("UO-6: an update whose answer does not come is never committed")
    void anUpdateThatDoesNotArriveIsUnavailableAndNeverCommitted() {
        ContractWriter a = impatientWriter("a");
        ContractWriter b = writer("b");

        deployment.befall(Mishap.REQUEST_LOST);
        WriteOutcome outcome = a.commitAfter(
                () -> {
                    throw new AssertionError("asked");
                },
                a.insert("x"));
        deployment.mend();

        assertThat(outcome.verdict()).isEqualTo(Verdict.UNAVAILABLE);
        assertThat(outcome.cause()).isInstanceOf(LeaseUnavailableException.class);
        assertThat(a.store().commitAgain().verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(isThere("x")).isFalse();
        assertThatTheClockIsFreeFor(b);
        a.commits(a.insert("x"));
    }

    @Test
    void anUpdateThatIsRefusedForAWhileIsUnavailable() {
        ContractWriter a = impatientWriter("a");

        deployment.befall(Mishap.REFUSED);
        WriteOutcome outcome = a.commit(a.insert("x"));
        WriteOutcome apart = a.commitApart(a.insert("x"));
        deployment.mend();

        assertThat(outcome.verdict()).isEqualTo(Verdict.UNAVAILABLE);
        assertThat(apart.verdict()).isEqualTo(Verdict.UNAVAILABLE);
        a.commits(a.insert("x"));
    }

    @Test
    void anAbortThatIsLostLeavesTheTransactionOpenUntilTheNextWriteOfItsSession() {
        ContractWriter a = impatientWriter("a");
        ContractWriter b = writer("b");
        GuardedTransaction transaction = new GuardedTransaction(a.clock(), List.of(a.insert("x")), false);

        WriteOutcome outcome = a.commit(transaction, () -> {
            deployment.befall(Mishap.REQUEST_LOST);
            return false;
        });
        deployment.mend();

        assertThat(outcome).isEqualTo(WriteOutcome.WITHHELD);
        assertThat(b.commit().verdict()).as("it is still open").isEqualTo(Verdict.CONFLICT);
        a.writes(a.barrier());
        assertThatTheClockIsFreeFor(b);
        assertThat(isThere("x")).isFalse();
    }

    @Test
    void aTransactionMayBeginLongAfterItWasGivenUpAndThenStaysOpen() {
        ContractWriter a = impatientWriter("a");
        ContractWriter b = writer("b");
        deployment.befall(Mishap.LATE);
        assertThat(a.commit(a.insert("x")).verdict()).isEqualTo(Verdict.UNAVAILABLE);

        deployment.mend();

        await(() -> !b.store().idleTransactions().isEmpty());
        assertThat(b.commit().verdict()).isEqualTo(Verdict.CONFLICT);
        await(() -> a.write(a.barrier()).equals(WriteOutcome.APPLIED));
        assertThatTheClockIsFreeFor(b);
        assertThat(isThere("x")).isFalse();
    }

    @Test
    void theNextTransactionOfASessionEndsTheOneThatWasLeftOpen() {
        ContractWriter a = impatientWriter("a");
        leaveUnknown(a, Mishap.REQUEST_LOST, a.insert("x"));

        a.commits(a.insert("y"));

        assertThat(isThere("x")).isFalse();
        assertThat(isThere("y")).isTrue();
    }
}
