package dev.leasehold.simulator.check;

import static dev.leasehold.simulator.check.Paper.S;
import static dev.leasehold.simulator.check.Paper.SESSION;
import static dev.leasehold.simulator.check.Promise.G7;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** G7: after the healing everything comes to a good end. */
class LivenessTest {

    private static final int OBSERVER = 2;
    private static final HeldTenure OBSERVED = new HeldTenure(Paper.LEASE, "o", 2);

    private Paper paper = new Paper();

    /** The latest instant at which the observer must have got what was stored for so long at the healing. */
    private long due(long storedNanos) {
        Patience patience = new Patience(paper.history().plan());
        return 60 * S + patience.outlivedNanos(storedNanos) + patience.slackNanos();
    }

    private int observerAsks() {
        return paper.at(60 * S)
                .heal()
                .call(OBSERVER, new Operation(Kind.ACQUIRE, Paper.LEASE, "o", null, SESSION, true, 1_000 * S));
    }

    private Paper observerGets(int call) {
        paper.beats(OBSERVER)
                .store(paper.engine(OBSERVER, call), paper.row(OBSERVER, "o", 2, paper.stamp(OBSERVER), null));
        return paper.yes(call, OBSERVED);
    }

    private Paper finish(long atNanos) {
        return paper.tell(new Event.Finished(atNanos));
    }

    @Test
    void theObserverMayGetADeadHoldersLeaseAtTheBound() {
        paper.at(59 * S).claims(0, "a", 1, 10 * S);
        int call = observerAsks();
        paper.at(due(10 * S));
        observerGets(call);
        finish(200 * S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void aNanosecondAfterTheBoundItIsTooLate() {
        paper.at(59 * S).claims(0, "a", 1, 10 * S);
        int call = observerAsks();
        paper.at(due(10 * S) + 1);
        observerGets(call);
        finish(200 * S);

        assertThat(paper.broken()).containsExactly(G7);
    }

    @Test
    void theObserverMayNeverGetWhatALiveHandleKeeps() {
        paper.at(59 * S).acquires(0, "a", 1);
        observerAsks();
        finish(500 * S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void theObserverGetsWhatACrashedEngineKept() {
        paper.at(58 * S).acquires(0, "a", 1);
        paper.at(59 * S).crash(0);
        observerAsks();
        finish(500 * S);

        assertThat(paper.broken()).containsExactly(G7);
    }

    @Test
    void theObserverIsOwedNothingWhileWhoeverRepairsALeaseWaits() {
        paper.at(58 * S).claims(0, "a", 1, S);
        damage();
        observerAsks();
        finish(500 * S);

        assertThat(paper.broken()).isEmpty();
    }

    private void damage() {
        paper.store(
                Paper.hand(),
                new LeaseRow("a", 1, paper.writer(0), paper.stamp(0), paper.stamp(0) + S, 0, Set.of(), false));
    }

    @Test
    void theObserverIsOwedNothingWhereNoCommandIsAnsweredWithinItsBudget() {
        paper.delay(S / 2 + 1);
        observerAsks();
        finish(500 * S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void theObserverIsOwedItsLeaseWhereCommandsAreJustAnsweredInTime() {
        paper.delay(S / 2 - DatabaseConditions.PLAIN.replicationNanos());
        observerAsks();
        finish(500 * S);

        assertThat(paper.broken()).containsExactly(G7);
    }

    @Test
    void theObserverGetsWhatNobodyEverHeld() {
        observerAsks();
        finish(500 * S);

        assertThat(paper.broken()).containsExactly(G7);
    }

    @Test
    void theObserverGetsWhatAHandleGaveUp() {
        HeldTenure a = paper.at(58 * S).acquires(0, "a", 1);
        paper.at(59 * S).call(0, Kind.CLOSE_HANDLE, null, a, 0);
        observerAsks();
        finish(500 * S);

        assertThat(paper.broken()).contains(G7);
    }

    /** The healing has ended it. */
    @Test
    void whatACallerLeftBehindBeforeTheHealingIsNoExcuse() {
        HeldTenure a = paper.at(58 * S).claims(0, "a", 1, S);
        int gate = paper.at(59 * S).call(0, Kind.GATE, null, a, 0);
        paper.no(gate, "MONGO_251");
        observerAsks();
        finish(due(S) + 1);

        assertThat(paper.broken()).containsExactly(G7);
    }

    @Test
    void whatACallerLeavesBehindAfterTheHealingTheServerHasToEnd() {
        HeldTenure a = paper.at(58 * S).claims(0, "a", 1, S);
        int gate = paper.at(59 * S).call(0, Kind.GATE, null, a, 0);
        observerAsks();
        paper.at(61 * S).no(gate, "MONGO_251");
        finish(due(S) + 1);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void aHistoryThatIsOverBeforeTheBoundSaysNothing() {
        paper.at(59 * S).claims(0, "a", 1, 10 * S);
        observerAsks();
        finish(due(10 * S) - 1);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void aLiveHolderKeepsItsLeaseAfterTheHealing() {
        paper.at(58 * S).fault(-1, "FAIL_OVER", 2 * S);
        HeldTenure a = paper.at(59 * S).acquires(0, "a", 1);
        observerAsks();
        long keptFromNanos = 60 * S + new Patience(paper.history().plan()).renewedNanos(SESSION);
        paper.at(keptFromNanos).loses(0, a);
        finish(keptFromNanos + S);
        assertThat(paper.broken()).isEmpty();

        paper.at(keptFromNanos + 1).loses(0, a);
        assertThat(paper.broken()).contains(G7);
    }

    @Test
    void whereThereIsNoFaultItKeepsItFromTheBeginning() {
        HeldTenure a = paper.at(10 * S).acquires(0, "a", 1);
        paper.at(30 * S).loses(0, a);
        observerAsks();
        finish(61 * S);

        assertThat(paper.broken()).containsExactly(G7);
    }

    @Test
    void nobodyIsOwedALeaseThatIsOverBeforeItCanBeRenewed() {
        paper.delay(S / 4);
        DatabaseConditions database = DatabaseConditions.PLAIN;
        long slowestNanos = S / 2 + database.replicationNanos() + database.replicationJitterNanos();
        HeldTenure a = paper.at(30 * S).claims(0, "a", 1, 16 * slowestNanos - 1);
        paper.at(35 * S).loses(0, a);
        observerAsks();
        finish(61 * S);

        assertThat(paper.broken()).doesNotContain(G7);
    }

    /** What is broken by the loss of what a session keeps that lasts for so many percent of those of the others, on a slow network. */
    private List<Promise> afterALossOfASessionOf(int percent) {
        paper = new Paper();
        paper.delay(S / 6).sessions(0, percent);
        HeldTenure a = paper.at(10 * S).acquires(0, "a", 1);
        paper.at(30 * S).loses(0, a);
        observerAsks();
        finish(61 * S);
        return paper.broken();
    }

    @Test
    void norOneOfASessionThatIsOverBeforeItsFirstBeat() {
        assertThat(afterALossOfASessionOf(60)).contains(G7);
        assertThat(afterALossOfASessionOf(50)).doesNotContain(G7);
    }

    /** What is broken by a loss behind a caller's transaction of that length. */
    private List<Promise> afterALossBehindAGateOf(long nanos) {
        paper = new Paper();
        HeldTenure a = paper.at(20 * S).claims(0, "a", 1, 3 * S);
        int gate = paper.at(30 * S).call(0, Kind.GATE, null, a, 0);
        paper.at(30 * S + nanos).no(gate, "MONGO_251").at(34 * S).loses(0, a);
        observerAsks();
        finish(61 * S);
        return paper.broken();
    }

    @Test
    void norOneThatACallersTransactionKeepsFromBeingRenewed() {
        assertThat(afterALossBehindAGateOf(S - 1)).contains(G7);
        assertThat(afterALossBehindAGateOf(S)).doesNotContain(G7);
    }

    @Test
    void nobodyIsOwedALeaseWhoseDocumentIsDamaged() {
        HeldTenure a = paper.at(10 * S).acquires(0, "a", 1);
        paper.at(20 * S);
        damage();
        paper.at(30 * S).loses(0, a);
        observerAsks();
        finish(61 * S);

        assertThat(paper.broken()).doesNotContain(G7);
    }

    @Test
    void aCallReturnsWithinItsBudget() {
        int call = paper.at(59 * S).call(0, Kind.CLAIM, "a", null, S);
        paper.at(60 * S).heal();
        long allowedNanos = new Patience(paper.history().plan()).slackNanos();
        finish(59 * S + allowedNanos);
        assertThat(paper.broken()).isEmpty();

        finish(59 * S + allowedNanos + 1);
        assertThat(paper.broken()).containsExactly(G7);
        assertThat(paper.at(61 * S).no(call, "LeaseUnavailableException").broken())
                .isEmpty();
    }

    @Test
    void aCallOnACrashedMachineNeverReturns() {
        paper.at(59 * S).call(0, Kind.CLAIM, "a", null, S);
        paper.crash(0).at(60 * S).heal();
        finish(500 * S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void aCrashEndsAnEngineThatIsStillBeingClosed() {
        paper.at(59 * S).call(0, new Operation(Kind.CLOSE_ENGINE, null, null, null, 0, false));
        paper.fault(0, "CRASH", S).at(60 * S).heal();
        finish(500 * S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void whatNobodyKnewIsFoundOut() {
        int call = paper.at(10 * S).call(0, Kind.CLAIM, "a", null, S);
        paper.unknown(call).at(60 * S).heal();
        long dueNanos = 60 * S + new Patience(paper.history().plan()).slackNanos();
        finish(dueNanos + 1);
        assertThat(paper.broken()).containsExactly(G7);

        paper.at(dueNanos).resolved(call, Answer.Kind.NO, null);
        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void noMoreIsStoredThanWasAskedFor() {
        HeldTenure a = paper.at(10 * S).claims(0, "a", 1, S);
        paper.at(10 * S + 1).extend(0, a, 5 * S, paper.stamp(0) + 5 * S);
        paper.at(10 * S + 2).extend(0, a, S, paper.stamp(0) + 5 * S);
        paper.at(60 * S).heal();
        finish(61 * S);
        assertThat(paper.broken()).isEmpty();

        paper.at(10 * S + 3).extend(0, a, S, paper.stamp(0) + 6 * S);
        assertThat(paper.broken()).containsExactly(G7);
    }

    @Test
    void whoHasLostItsLeaseAndClosesItAfterThatWasOwedItAllTheSame() {
        HeldTenure a = paper.at(59 * S).acquires(0, "a", 1);
        observerAsks();
        long keptFromNanos = 60 * S + new Patience(paper.history().plan()).renewedNanos(SESSION);
        paper.at(keptFromNanos + 1)
                .doubts(0, a)
                .loses(0, a)
                .at(keptFromNanos + S)
                .closes(0, a);
        finish(keptFromNanos + 2 * S);

        assertThat(paper.broken()).containsExactly(G7);
    }
}
