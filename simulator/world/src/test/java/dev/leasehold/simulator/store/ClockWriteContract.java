package dev.leasehold.simulator.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.internal.store.WriterEntry;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Writes of the clock document alone. */
abstract class ClockWriteContract extends StoreContract {

    private Meanwhile<WriteOutcome> waiting;

    ClockWriteContract(ContractDeployment deployment) {
        super(deployment);
    }

    private static WriterEntry.Sound bare(ContractWriter writer, String key, Long sessionNanos) {
        return new WriterEntry.Sound(
                key, writer.stampNanos(), null, sessionNanos, writer.store().driverSession());
    }

    // ---- what is written ----

    @Test
    void aRegistrationMakesAnEntryWithItsTimeAndItsDriverSession() {
        ContractWriter a = new ContractWriter(open(), "a");

        assertThat(a.store().writeClock(a.registration(null))).isEqualTo(WriteOutcome.APPLIED);

        assertThat(entry("a")).isEqualTo(bare(a, "a", null));
        assertThat(ticks()).isEqualTo(1);
    }

    @Test
    @DisplayName("SE-1: the first write of a writer may begin its session")
    void aRegistrationMayBeginASession() {
        ContractWriter a = new ContractWriter(open(), "a");

        assertThat(a.store().writeClock(a.registration(Fixture.MINUTE))).isEqualTo(WriteOutcome.APPLIED);

        assertThat(entry("a")).isEqualTo(bare(a, "a", Fixture.MINUTE));
    }

    @Test
    void aJoinBeginsTheSessionOfAWriterAndLeavesItsTransactionTime() {
        ContractWriter a = writer("a").commits();
        long transactionNanos = a.stampNanos();
        long ticks = ticks();

        a.writes(a.join());

        assertThat(entry("a"))
                .isEqualTo(new WriterEntry.Sound(
                        "a",
                        a.stampNanos(),
                        transactionNanos,
                        Fixture.MINUTE,
                        a.store().driverSession()));
        assertThat(ticks()).isEqualTo(ticks + 1);
    }

    @Test
    @DisplayName("SE-3: a heartbeat moves the time of its writer, and nothing else")
    void aHeartbeatMovesTheTimeAndNothingElse() {
        ContractWriter a = writerWithSession("a");
        a.commits(a.insert("x"));
        long transactionNanos = a.stampNanos();
        long ticks = ticks();
        LeaseDocument lease = lease("x");

        a.writes(a.heartbeat()).writes(a.heartbeat());

        assertThat(entry("a"))
                .isEqualTo(new WriterEntry.Sound(
                        "a",
                        transactionNanos + 2,
                        transactionNanos,
                        Fixture.MINUTE,
                        a.store().driverSession()));
        assertThat(ticks()).isEqualTo(ticks + 2);
        assertThat(lease("x")).isEqualTo(lease);
    }

    @Test
    @DisplayName("SE-14: a writer that leaves has no entry, and its leases stay")
    void aWriterThatLeavesHasNoEntryAndItsLeasesStay() {
        ContractWriter a = writerWithSession("a");
        a.commits(a.insert("x"));
        long ticks = ticks();

        a.writes(new ClockWrite.Leave("a"));

        assertThat(entry("a")).isNull();
        assertThat(ticks()).isEqualTo(ticks + 1);
        assertThat(lease("x").writer()).isEqualTo("a");
        a.writes(a.registration(null));
    }

    @Test
    @DisplayName("SE-9: an eviction removes an entry in one write, and leaves the leases as they are")
    void anEvictionRemovesTheEntryOfAnother() {
        ContractWriter a = writer("a");
        ContractWriter v = writerWithSession("v");
        v.commits(v.insert("x"));
        LeaseDocument lease = lease("x");
        long ticks = ticks();

        a.writes(new ClockWrite.Clear(Map.of(), Map.of("v", v.stampNanos())));

        assertThat(a.store().survey().writers()).extracting(WriterEntry::writer).containsExactly("a");
        assertThat(ticks()).isEqualTo(ticks + 1);
        assertThat(lease("x")).isEqualTo(lease);
    }

    @Test
    @DisplayName("SE-17: a silent entry is pruned if it is exactly as it was seen")
    void aPruningRemovesTheEntryOfAnother() {
        ContractWriter a = writer("a");
        writer("v");

        a.writes(new ClockWrite.Clear(Map.of("v", Fixture.Z), Map.of()));

        assertThat(a.store().survey().writers()).extracting(WriterEntry::writer).containsExactly("a");
    }

    @Test
    void unlistingTakesTheDriverSessionAwayAndLeavesTheTimes() {
        ContractWriter a = writer("a").commits();

        a.writes(new ClockWrite.Unlist("a"));

        assertThat(entry("a")).isEqualTo(new WriterEntry.Sound("a", a.stampNanos(), a.stampNanos(), null, null));
    }

    @Test
    void aBarrierChangesNothingButTheTicksAndMayBeRepeated() {
        ContractWriter a = writer("a").commits();
        ClockDocument before = clock();
        WriterEntry.Sound entry = entry("a");

        a.writes(a.barrier()).writes(a.barrier()).writes(new ClockWrite.Barrier("stranger"));

        assertThat(clock()).isEqualTo(new ClockDocument(before.ticks() + 3, before.tokenFloor(), before.writers()));
        assertThat(entry("a")).isEqualTo(entry);
    }

    // ---- guards ----

    /** A write that does not find what it must. {@code plain} has no session, {@code session} has one; both are at Z + 1. */
    enum Wrong {
        REGISTRATION_OF_A_WRITER_THAT_IS_THERE(
                a -> new ClockWrite.Register("plain", Fixture.Z, a.driverSession(), null)),
        JOIN_WITH_A_SESSION(a -> new ClockWrite.Join("session", Fixture.Z, Fixture.Z + 9, Fixture.MINUTE)),
        JOIN_WITHOUT_AN_ENTRY(a -> new ClockWrite.Join("absent", Fixture.Z, Fixture.Z + 9, Fixture.MINUTE)),
        JOIN_THAT_IS_NOT_NEW(a -> new ClockWrite.Join("plain", Fixture.Z, Fixture.Z + 1, Fixture.MINUTE)),
        JOIN_OF_A_GHOST(a -> new ClockWrite.Join("plain", Fixture.Z + 2, Fixture.Z + 9, Fixture.MINUTE)),
        HEARTBEAT_WITHOUT_A_SESSION(a -> new ClockWrite.Heartbeat("plain", Fixture.Z, Fixture.Z + 9)),
        HEARTBEAT_WITHOUT_AN_ENTRY(a -> new ClockWrite.Heartbeat("absent", Fixture.Z, Fixture.Z + 9)),
        HEARTBEAT_THAT_IS_NOT_NEW(a -> new ClockWrite.Heartbeat("session", Fixture.Z, Fixture.Z + 1)),
        HEARTBEAT_OF_A_GHOST(a -> new ClockWrite.Heartbeat("session", Fixture.Z + 2, Fixture.Z + 9)),
        LEAVE_WITHOUT_AN_ENTRY(a -> new ClockWrite.Leave("absent")),
        EVICTION_AT_ANOTHER_TIME(a -> new ClockWrite.Clear(Map.of(), Map.of("session", Fixture.Z))),
        EVICTION_WITHOUT_A_SESSION(a -> new ClockWrite.Clear(Map.of(), Map.of("plain", Fixture.Z + 1))),
        EVICTION_WITHOUT_AN_ENTRY(a -> new ClockWrite.Clear(Map.of(), Map.of("absent", Fixture.Z + 1))),
        PRUNING_AT_ANOTHER_TIME(a -> new ClockWrite.Clear(Map.of("plain", Fixture.Z), Map.of())),
        PRUNING_WITH_A_SESSION(a -> new ClockWrite.Clear(Map.of("session", Fixture.Z + 1), Map.of())),
        UNLISTING_WITHOUT_AN_ENTRY(a -> new ClockWrite.Unlist("absent"));

        private final Function<LeaseStore, ClockWrite> write;

        Wrong(Function<LeaseStore, ClockWrite> write) {
            this.write = write;
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "SE-10, SE-11, SE-14, SE-17, SE-18: a write of the clock that does not find what it must changes nothing")
    void aWriteThatDoesNotFindWhatItMustChangesNothing(Wrong wrong) {
        ContractWriter plain = writer("plain").commits();
        ContractWriter session = writerWithSession("session");
        session.writes(session.heartbeat());
        long ticks = ticks();
        List<WriterEntry> entries = List.copyOf(plain.store().survey().writers());

        assertThat(plain.store().writeClock(wrong.write.apply(plain.store()))).isEqualTo(WriteOutcome.MISSED);

        assertThat(ticks()).isEqualTo(ticks);
        assertThat(plain.store().survey().writers()).containsExactlyInAnyOrderElementsOf(entries);
    }

    // ---- behind others ----

    @Test
    @DisplayName(
            "SE-19, TX-10: a write of the clock waits behind an open transaction, and then sees what that has written")
    void aWriteBehindAnOpenTransactionWaitsAndThenSeesWhatThatHasWritten() {
        ContractWriter a = writer("a");
        ContractWriter b = patientWriterWithSession("b");

        WriteOutcome outcome = a.commitAfter(
                () -> {
                    waiting = deployment.meanwhile(() -> b.write(b.heartbeat()));
                    deployment.awaitBlocked(waiting);
                    assertThat(waiting.isDone()).isFalse();
                },
                a.insert("x"));

        assertThat(outcome).as("it was there first").isEqualTo(WriteOutcome.APPLIED);
        assertThat(waiting.join()).isEqualTo(WriteOutcome.APPLIED);
        assertThat(entry("b").timeNanos()).isEqualTo(b.stampNanos());
    }

    @Test
    void aWriteThatWaitsIsJudgedByWhatItFindsInTheEnd() {
        ContractWriter a = writer("a");
        ContractWriter v = patientWriterWithSession("v");
        var evicting = a.clock(null, Set.of(), Map.of("v", Fixture.Z), null);

        WriteOutcome outcome = a.commit(new GuardedTransaction(evicting, List.of(), false), () -> {
            waiting = deployment.meanwhile(() -> v.write(v.heartbeat()));
            deployment.awaitBlocked(waiting);
            return true;
        });

        assertThat(outcome).isEqualTo(WriteOutcome.APPLIED);
        assertThat(waiting.join()).as("its entry is gone").isEqualTo(WriteOutcome.MISSED);
        assertThat(entry("v")).isNull();
    }

    @Test
    void aWriteThatFindsNothingToWriteDoesNotWait() {
        ContractWriter a = writer("a");
        ContractWriter b = writer("b");

        WriteOutcome outcome = a.commitAfter(
                () -> assertThat(b.write(b.heartbeat())).as("without a session").isEqualTo(WriteOutcome.MISSED));

        assertThat(outcome).isEqualTo(WriteOutcome.APPLIED);
    }

    @Test
    void aWriteThatWaitsEndsWithItsSessionAndIsNotCarriedOut() {
        ContractWriter a = writer("a");
        ContractWriter b = patientWriterWithSession("b");

        WriteOutcome outcome = a.commitAfter(() -> {
            waiting = deployment.meanwhile(() -> b.write(b.heartbeat()));
            deployment.awaitBlocked(waiting);
            a.store().endTransactions(List.of(b.store().driverSession()));
            assertThat(waiting.join().verdict()).isEqualTo(Verdict.UNKNOWN);
        });

        assertThat(outcome).isEqualTo(WriteOutcome.APPLIED);
        b.writes(b.barrier());
        assertThat(entry("b").timeNanos()).isEqualTo(Fixture.Z);
    }

    @Test
    void aWriteThatWaitsForTooLongIsAConflictAndIsNotCarriedOutLater() {
        ContractWriter a = writer("a");
        ContractWriter b = writerWithSession("b");

        WriteOutcome outcome = a.commitAfter(
                () -> {
                    WriteOutcome heartbeat = b.write(b.heartbeat());
                    assertThat(heartbeat.verdict()).isEqualTo(Verdict.CONFLICT);
                    assertThat(heartbeat.cause()).isInstanceOf(LeaseContentionException.class);
                },
                a.insert("x"));

        assertThat(outcome).isEqualTo(WriteOutcome.APPLIED);
        deployment.awaitLatecomers();
        assertThat(entry("b").timeNanos()).isEqualTo(Fixture.Z);
        b.writes(b.heartbeat());
    }

    @Test
    @DisplayName("SE-16: a caller's open assertion is in the way of no write of the clock")
    void aCallersTransactionIsInNoWritersWayAtTheClock() {
        ContractWriter a = writerWithSession("a");
        a.commits(a.insert("x"));
        Caller caller = deployment.caller();
        caller.begins();
        caller.asserts(tenure("x"));

        a.writes(a.heartbeat()).commits(a.insert("y"));

        caller.commits();
    }

    // ---- unknown outcomes ----

    @Test
    void aWriteThatDoesNotArriveIsUnknownAndABarrierMakesItCertain() {
        ContractWriter a = impatientWriter("a");
        a.writes(a.join());

        deployment.befall(Mishap.REQUEST_LOST);
        WriteOutcome outcome = a.write(a.heartbeat());
        deployment.mend();

        assertThat(outcome.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(outcome.cause()).isInstanceOf(LeaseOutcomeUnknownException.class);
        a.writes(a.barrier());
        assertThat(entry("a").timeNanos()).isEqualTo(a.stampNanos() - 1);
    }

    @Test
    void aWriteThatWasDoneAndAnsweredWithAnErrorIsUnknownAndIsSeenBehindABarrier() {
        ContractWriter a = impatientWriter("a");
        a.writes(a.join());

        deployment.befall(Mishap.DONE_AND_FAILED);
        WriteOutcome outcome = a.write(a.heartbeat());
        deployment.mend();

        assertThat(outcome.verdict()).isEqualTo(Verdict.UNKNOWN);
        a.writes(a.barrier());
        assertThat(entry("a").timeNanos()).isEqualTo(a.stampNanos());
    }

    @Test
    void aWriteThatIsRefusedWithAPassingErrorIsUnknown() {
        ContractWriter a = writerWithSession("a");

        deployment.befall(Mishap.REFUSED);

        assertThat(a.write(a.heartbeat()).verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void oneMishapOfAWriteNeverMakesItHappenTwice() {
        ContractWriter a = impatientWriter("a");
        for (Mishap mishap : List.of(Mishap.REQUEST_LOST, Mishap.DONE_AND_FAILED)) {
            long ticks = ticks();

            deployment.befallOnce(mishap);
            WriteOutcome outcome = a.write(a.barrier());
            deployment.mend();

            assertThat(outcome.verdict()).isIn(Verdict.APPLIED, Verdict.UNKNOWN);
            long later = outcome.verdict() == Verdict.APPLIED ? 1 : 2;
            if (later == 2) {
                a.writes(a.barrier());
            }
            assertThat(ticks() - ticks).isBetween(1L, later);
        }
    }

    @Test
    void aRegistrationThatComesAfterABarrierMakesNoEntry() {
        ContractWriter a = new ContractWriter(deployment.connectImpatiently(), "late");
        a.store().open();
        deployment.befall(Mishap.LATE);
        WriteOutcome outcome = a.write(a.registration(null));
        deployment.mend();
        assertThat(outcome.verdict()).isEqualTo(Verdict.UNKNOWN);

        await(() -> a.write(a.barrier()).equals(WriteOutcome.APPLIED));

        boolean behindTheBarrier = entry("late") != null;
        deployment.awaitLatecomers();
        assertThat(entry("late") != null).isEqualTo(behindTheBarrier);
    }

    @Test
    void aWriteMayBeCarriedOutLongAfterItWasGivenUp() {
        ContractWriter a = new ContractWriter(deployment.connectImpatiently(), "late");
        a.store().open();
        deployment.befall(Mishap.LATE);
        assertThat(a.write(a.registration(null)).verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(entry("late")).isNull();

        deployment.mend();

        await(() -> entry("late") != null);
        assertThat(entry("late")).isNotNull();
        deployment.awaitLatecomers();
        assertThat(ticks()).as("once").isEqualTo(1);
    }
}
