package dev.leasehold.simulator.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Leases that are written each for itself, without a transaction. */
abstract class LeaseWriteContract extends StoreContract {

    private Meanwhile<WriteOutcome> waiting;

    LeaseWriteContract(ContractDeployment deployment) {
        super(deployment);
    }

    private static WriteOutcome write(ContractWriter writer, LeaseWrite.Replace... writes) {
        return writer.store().writeLeases("a", List.of(writes));
    }

    /** A writer with the leases {@code x}, {@code y} and {@code z}, all under token 1. */
    private ContractWriter withThreeLeases(ContractWriter writer) {
        return writer.commits(writer.insert("x"), writer.insert("y"), writer.insert("z"));
    }

    private List<Long> tokens() {
        return Stream.of("x", "y", "z").map(this::token).toList();
    }

    private Caller callerThatHolds(String lease) {
        Caller caller = deployment.caller();
        caller.begins();
        caller.asserts(tenure(lease));
        return caller;
    }

    @Test
    void appliedMeansAllOfThemAndLeavesTheClockAlone() {
        ContractWriter a = withThreeLeases(writer("a"));
        ClockDocument clock = clock();
        LeaseWrite.Replace take = a.take("x", "h2");

        assertThat(write(a, take, a.vacate("y"))).isEqualTo(WriteOutcome.APPLIED);

        assertThat(stored("x")).isEqualTo(new StoredLease.Sound(take.document()));
        assertThat(lease("y").isVacant()).isTrue();
        assertThat(clock()).isEqualTo(clock);
    }

    @Test
    void aPayloadIsReadBackUntilTheNextWriteWithoutOne() {
        ContractWriter a = withThreeLeases(writer("a"));
        LeaseWrite.Replace publish = a.publish("x", "line 1\nline 2 \u00e4");

        assertThat(write(a, publish)).isEqualTo(WriteOutcome.APPLIED);
        assertThat(stored("x")).isEqualTo(new StoredLease.Sound(publish.document()));
        assertThat(write(a, a.publish("x", "another"))).isEqualTo(WriteOutcome.APPLIED);
        assertThat(lease("x").payload()).isEqualTo("another");

        assertThat(write(a, a.vacate("x"))).isEqualTo(WriteOutcome.APPLIED);
        assertThat(lease("x").payload()).isNull();
    }

    @Test
    void aVacantLeaseKeepsTheExpiryOfItsWriteUntilTheNextOne() {
        ContractWriter a = withThreeLeases(writer("a"));
        LeaseWrite.Replace keepFree = a.keepFree("x");

        assertThat(write(a, keepFree)).isEqualTo(WriteOutcome.APPLIED);
        assertThat(stored("x")).isEqualTo(new StoredLease.Sound(keepFree.document()));
        assertThat(lease("x").isKeptFree()).isTrue();

        assertThat(write(a, a.vacate("x"))).isEqualTo(WriteOutcome.APPLIED);
        assertThat(lease("x").isVacant()).isTrue();
        assertThat(lease("x").expiryNanos()).isNull();
    }

    @Test
    void aLeaseThatIsKeptFreeIsTakenByTheGuardOfItsVacancy() {
        ContractWriter a = withThreeLeases(writer("a"));
        assertThat(write(a, a.keepFree("x"))).isEqualTo(WriteOutcome.APPLIED);
        LeaseWrite.Replace take = a.take("x", "h2");

        assertThat(write(a, take)).isEqualTo(WriteOutcome.APPLIED);

        assertThat(stored("x")).isEqualTo(new StoredLease.Sound(take.document()));
        assertThat(lease("x").isKeptFree()).isFalse();
    }

    @Test
    void gatesAndPinsStay() {
        ContractWriter a = withThreeLeases(writer("a"));
        a.commits(a.pin("x", "ops", true));
        Caller caller = callerThatHolds("x");
        caller.commits();

        assertThat(write(a, a.extend("x"))).isEqualTo(WriteOutcome.APPLIED);

        LeaseDocument found = lease("x");
        assertThat(found.gates()).isEqualTo(1);
        assertThat(found.pins()).containsExactly("ops");
    }

    @Test
    void aGuardThatDoesNotHoldStopsNoneOfTheOthers() {
        ContractWriter a = withThreeLeases(writer("a"));

        assertThat(write(a, a.take("x", "h2"), a.stale("y"), a.take("z", "h2"))).isEqualTo(WriteOutcome.MISSED);

        assertThat(tokens()).containsExactly(2L, 1L, 2L);
    }

    @Test
    void aLeaseWithAnotherTokenIsNotWritten() {
        ContractWriter a = withThreeLeases(writer("a"));
        StoredLease before = stored("x");

        assertThat(write(a, a.withTokenOf("x", 2))).isEqualTo(WriteOutcome.MISSED);
        assertThat(a.commit(a.withTokenOf("x", 2))).isEqualTo(WriteOutcome.MISSED);

        assertThat(stored("x")).isEqualTo(before);
    }

    @Test
    void aLeaseWithoutADocumentGetsNone() {
        ContractWriter a = writer("a");

        assertThat(write(a, a.stale("x"))).isEqualTo(WriteOutcome.MISSED);

        assertThat(isThere("x")).isFalse();
    }

    @Test
    void aPinKeepsOthersFromTakingTheLeaseAndNotItsHolderFromWritingIt() {
        ContractWriter a = withThreeLeases(writer("a"));
        a.commits(a.pin("x", "ops", true));

        assertThat(write(a, a.take("x", "h2"))).isEqualTo(WriteOutcome.MISSED);
        assertThat(write(a, a.extend("x"))).isEqualTo(WriteOutcome.APPLIED);

        assertThat(token("x")).isEqualTo(1);
        assertThat(lease("x").expiryNanos()).isEqualTo(a.stampNanos() + 1 + Fixture.MINUTE);
    }

    @Test
    void behindACallerThatSoonEndsAWriteWaitsAndThenSeesTheNewestState() {
        ContractWriter a = withThreeLeases(patientWriterWithSession("a"));
        LeaseWrite.Replace take = a.take("x", "h2");
        Caller caller = callerThatHolds("x");
        waiting = deployment.meanwhile(() -> write(a, take));
        deployment.awaitBlocked(waiting);
        caller.commits();

        assertThat(waiting.join())
                .as("an assertion changes nothing that it rests on")
                .isEqualTo(WriteOutcome.APPLIED);
        assertThat(token("x")).isEqualTo(2);
        assertThat(lease("x").gates()).isPositive();
    }

    @Test
    void behindACallerThatStaysItIsAConflictTheOnesBeforeAreWrittenAndNothingLater() {
        ContractWriter a = withThreeLeases(writer("a"));
        LeaseWrite.Replace[] writes = {a.take("x", "h2"), a.take("y", "h2"), a.take("z", "h2")};
        Caller caller = callerThatHolds("y");

        WriteOutcome outcome = write(a, writes);

        assertThat(outcome.verdict()).isEqualTo(Verdict.CONFLICT);
        assertThat(outcome.cause()).isInstanceOf(LeaseContentionException.class);
        List<Long> atOnce = tokens();
        assertThat(atOnce.get(1)).isEqualTo(1);
        caller.commits();
        a.writes(a.barrier());
        assertThat(tokens()).as("reading tells at once").isEqualTo(atOnce);
        assertThat(write(a, a.take("y", "h2"))).isEqualTo(WriteOutcome.APPLIED);
    }

    @Test
    void anOpenTransactionOnTheClockIsInNoWritersWay() {
        ContractWriter a = withThreeLeases(writer("a"));
        ContractWriter b = writer("b");

        WriteOutcome outcome = b.commitAfter(
                () -> assertThat(write(a, a.take("x", "h2"))).isEqualTo(WriteOutcome.APPLIED), b.insert("new"));

        assertThat(outcome).isEqualTo(WriteOutcome.APPLIED);
        assertThat(token("x")).isEqualTo(2);
    }

    @Test
    void aTransactionThatHasWrittenTheLeaseIsWaitedForAndMakesTheWriteMiss() {
        ContractWriter a = withThreeLeases(writer("a"));
        ContractWriter b = writer("b");
        LeaseWrite.Replace take = a.take("x", "h2");

        WriteOutcome outcome =
                b.commitAfter(() -> assertThat(write(a, take).verdict()).isEqualTo(Verdict.CONFLICT), b.extend("x"));

        assertThat(outcome).isEqualTo(WriteOutcome.APPLIED);
        assertThat(write(a, take)).isEqualTo(WriteOutcome.MISSED);
    }

    @Test
    void aGuardThatDoesNotHoldIsNotWaitedFor() {
        ContractWriter a = withThreeLeases(writer("a"));
        Caller caller = callerThatHolds("x");

        assertThat(write(a, a.stale("x"), a.take("y", "h2"))).isEqualTo(WriteOutcome.MISSED);

        assertThat(token("y")).isEqualTo(2);
        caller.commits();
    }

    @Test
    void writesThatDoNotArriveAreUnknownAndABarrierMakesItCertain() {
        ContractWriter a = withThreeLeases(impatientWriter("a"));
        LeaseWrite.Replace take = a.take("x", "h2");

        deployment.befall(Mishap.REQUEST_LOST);
        WriteOutcome outcome = write(a, take);
        deployment.mend();

        assertThat(outcome.verdict()).isEqualTo(Verdict.UNKNOWN);
        a.writes(a.barrier());
        assertThat(token("x")).isEqualTo(1);
        assertThat(write(a, take)).isEqualTo(WriteOutcome.APPLIED);
    }

    @Test
    void writesThatWereDoneAndAnsweredWithAnErrorAreUnknownAndSeenBehindABarrier() {
        ContractWriter a = withThreeLeases(impatientWriter("a"));
        LeaseWrite.Replace take = a.take("x", "h2");

        deployment.befall(Mishap.DONE_AND_FAILED);
        WriteOutcome outcome = write(a, take);
        deployment.mend();

        assertThat(outcome.verdict()).isEqualTo(Verdict.UNKNOWN);
        a.writes(a.barrier());
        assertThat(token("x")).isEqualTo(2);
    }

    @Test
    void writesThatComeAfterABarrierChangeNothing() {
        ContractWriter a = withThreeLeases(impatientWriter("a"));
        LeaseWrite.Replace take = a.take("x", "h2");
        deployment.befall(Mishap.LATE);
        WriteOutcome outcome = write(a, take);
        deployment.mend();
        assertThat(outcome.verdict()).isEqualTo(Verdict.UNKNOWN);

        await(() -> a.write(a.barrier()).equals(WriteOutcome.APPLIED));

        long behindTheBarrier = token("x");
        deployment.awaitLatecomers();
        assertThat(token("x")).isEqualTo(behindTheBarrier);
    }

    @Test
    void oneMishapNeverMakesAMissOfWhatWasWritten() {
        ContractWriter a = withThreeLeases(impatientWriter("a"));
        LeaseWrite.Replace[] takes = {a.take("x", "h2"), a.take("y", "h2")};

        deployment.befallOnce(Mishap.DONE_AND_FAILED);
        WriteOutcome outcome = write(a, takes);
        deployment.mend();

        assertThat(outcome.verdict()).isIn(Verdict.APPLIED, Verdict.UNKNOWN);
        a.writes(a.barrier());
        assertThat(tokens()).containsExactly(2L, 2L, 1L);
    }
}
