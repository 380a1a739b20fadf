package dev.leasehold.simulator.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseChange.Described;
import dev.leasehold.engine.internal.store.LeaseChange.Freed;
import dev.leasehold.engine.internal.store.LeaseChange.Taken;
import dev.leasehold.engine.internal.store.LeaseChange.WriterGone;
import dev.leasehold.engine.internal.store.LeaseChanges;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.WriteOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the watch of others' writes tells. */
abstract class ChangesContract extends StoreContract {

    private static final LeaseChange LAST = new Freed("last", null);
    /** Each waits for about half a second, and the last event is the one that is sure to come. */
    private static final int AWAITS_MAX = 20;

    /** Those that came with what was told of leases. */
    private final List<@Nullable LeaseDocument> documents = new ArrayList<>();

    private LeaseChanges changes;

    ChangesContract(ContractDeployment deployment) {
        super(deployment);
    }

    /** A writer whose leases {@code x} and {@code last} are held, and a watch that has begun. */
    private ContractWriter watched() {
        ContractWriter a = writer("a");
        a.commits(a.insert("x"), a.insert("last"));
        changes = open().changes();
        assertThat(changes.await()).isEmpty();
        return a;
    }

    /** Everything that was told before the last event, which this makes. */
    private List<LeaseChange> told(ContractWriter a) {
        a.commits(a.remove("last"));
        List<LeaseChange> told = new ArrayList<>();
        for (int awaits = 0; !told.contains(LAST) && awaits < AWAITS_MAX; awaits++) {
            changes.await().forEach(change -> told.add(withoutDocument(change)));
        }
        changes.close();
        assertThat(told).endsWith(LAST);
        return told.subList(0, told.size() - 1);
    }

    private static WriterGone gone(String writer) {
        return new WriterGone(Fixture.NAMESPACE, writer);
    }

    private LeaseChange withoutDocument(LeaseChange change) {
        if (change instanceof LeaseChange.OfLease ofLease) {
            documents.add(ofLease.latest());
            if (change instanceof Described) {
                return new Described(ofLease.name(), null);
            }
            return change instanceof Taken ? new Taken(ofLease.name(), null) : new Freed(ofLease.name(), null);
        }
        return change;
    }

    @Test
    void theFirstTenureOfALeaseIsToldToObserversAlone() {
        ContractWriter a = writer("a");
        a.commits(a.insert("last"));
        changes = open().changes(true);
        assertThat(changes.await()).isEmpty();
        a.commits(a.insert("x"));

        // The stream begins at the newest change, which may be told again.
        assertThat(told(a)).endsWith(new Described("x", null));
        assertThat(documents).contains(lease("x"));

        changes = open().changes();
        a.commits(a.insert("last"));
        assertThat(changes.await()).isEmpty();
        a.commits(a.insert("y"));
        assertThat(told(a)).isEmpty();
    }

    @Test
    void anotherPayloadIsToldToObserversAlone() {
        ContractWriter a = watched();
        a.commits(a.publish("x", "one"));
        a.commits(a.publish("x", null));
        assertThat(told(a)).isEmpty();

        a.commits(a.insert("last"));
        changes = open().changes(true);
        assertThat(changes.await()).isEmpty();
        a.commits(a.publish("x", "one"));
        a.commits(a.publish("x", "two"));
        a.commits(a.publish("x", null));
        a.commits(a.publish("x", "three"));
        a.commits(a.vacate("x"));
        a.commits(a.take("x", "h2"));
        List<LeaseChange> told = told(a);
        Described described = new Described("x", null);
        assertThat(told.subList(told.size() - 6, told.size()))
                .containsExactly(
                        described, described, described, described, new Freed("x", null), new Taken("x", null));
    }

    @Test
    void aVacantLeaseIsToldWithItsDocument() {
        ContractWriter a = watched();
        a.commits(a.vacate("x"));

        told(a);

        assertThat(documents.get(0)).isEqualTo(lease("x")).matches(LeaseDocument::isVacant);
    }

    @Test
    void aLeaseThatIsKeptFreeIsToldAsFreedWithItsExpiry() {
        ContractWriter a = watched();
        a.commits(a.keepFree("x"));

        assertThat(told(a)).containsExactly(new Freed("x", null));
        assertThat(documents.get(0)).isEqualTo(lease("x")).matches(LeaseDocument::isKeptFree);
    }

    @Test
    void aLeaseThatIsHeldAgainIsToldAsItIsNow() {
        ContractWriter a = watched();
        a.commits(a.vacate("x"));
        a.commits(a.take("x", "h2"));

        assertThat(told(a)).containsExactly(new Freed("x", null), new Taken("x", null));
        assertThat(documents.subList(0, 2)).containsOnly(lease("x"));
        assertThat(documents.get(1)).extracting(LeaseDocument::holder).isEqualTo("h2");
    }

    @Test
    void aLeaseThatIsGoneIsToldWithoutADocument() {
        ContractWriter a = watched();
        a.commits(a.vacate("x")).commits(a.remove("x"));

        assertThat(told(a)).containsExactly(new Freed("x", null), new Freed("x", null));
        assertThat(documents).containsOnlyNulls();
    }

    @Test
    void aReleaseIsToldInATransactionAndWithout() {
        ContractWriter a = watched();
        a.commits(a.insert("y"));

        a.commits(a.vacate("x"));
        assertThat(a.store().writeLeases("a", List.of(a.vacate("y")))).isEqualTo(WriteOutcome.APPLIED);

        assertThat(told(a)).containsExactly(new Freed("x", null), new Freed("y", null));
    }

    @Test
    void aTakeOverIsToldAlsoByTheSameHolderAndSoIsAClaimOfAVacantLease() {
        ContractWriter a = watched();

        a.commits(a.take("x", "h2"))
                .commits(a.take("x", "h2"))
                .commits(a.vacate("x"))
                .commits(a.take("x", "h"));

        assertThat(told(a))
                .containsExactly(
                        new Taken("x", null), new Taken("x", null), new Freed("x", null), new Taken("x", null));
    }

    @Test
    void whatIsVacatedUnderTheNextTokenIsFree() {
        ContractWriter a = watched();

        a.commits(a.expireByForce("x"));

        assertThat(told(a)).containsExactly(new Freed("x", null));
    }

    @Test
    void aRemovalIsTold() {
        ContractWriter a = watched();

        a.commits(a.remove("x"));

        assertThat(told(a)).containsExactly(new Freed("x", null));
    }

    @Test
    void theLastPinThatIsTakenAwayIsTold() {
        ContractWriter a = watched();

        a.commits(a.pin("x", "ops", true)).commits(a.pin("x", "audit", true));
        a.commits(a.pin("x", "ops", false)).commits(a.pin("x", "audit", false));

        assertThat(told(a)).containsExactly(new Freed("x", null));
    }

    @Test
    @DisplayName("SE-9, SE-14: a writer whose entry is removed is told, by whichever write it is removed")
    void aWriterWhoseEntryIsRemovedIsToldWhateverRemovesIt() {
        ContractWriter a = watched();
        writer("left").writes(new ClockWrite.Leave("left"));
        writer("pruned");
        a.writes(new ClockWrite.Clear(Map.of("pruned", Fixture.Z), Map.of()));
        writerWithSession("evicted");
        a.writes(new ClockWrite.Clear(Map.of(), Map.of("evicted", Fixture.Z)));
        writerWithSession("overdue");
        a.commit(a.clock(null, Set.of(), Map.of("overdue", Fixture.Z), null));

        assertThat(told(a)).containsExactly(gone("left"), gone("pruned"), gone("evicted"), gone("overdue"));
    }

    @Test
    void whatOneTransactionEndsIsAllTold() {
        ContractWriter a = watched();
        writerWithSession("overdue");
        a.commits(a.insert("y"));

        a.commit(a.clock(null, Set.of(), Map.of("overdue", Fixture.Z), null), a.vacate("x"), a.take("y", "h2"));

        assertThat(told(a)).containsExactlyInAnyOrder(gone("overdue"), new Freed("x", null), new Taken("y", null));
    }

    @Test
    void whatEndsNothingIsNotTold() {
        ContractWriter a = watched();
        a.writes(a.join()).writes(a.heartbeat()).writes(a.barrier());
        a.commits(a.insert("y")).commits(a.extend("x"));
        a.writes(new ClockWrite.Unlist("a"));
        writer("b");
        Caller caller = deployment.caller();
        caller.begins();
        caller.asserts(tenure("x"));
        caller.writes("order", 7);
        caller.commits();

        assertThat(told(a)).isEmpty();
    }

    @Test
    void whatIsNotCommittedIsNotTold() {
        ContractWriter a = watched();

        a.commit(a.vacate("x"), a.stale("last"));
        a.store().writeLeases("a", List.of(a.stale("x")));

        assertThat(told(a)).isEmpty();
    }

    @Test
    void aCallThatWaitsIsAnsweredByWhatHappens() {
        ContractWriter a = watched();
        Meanwhile<List<LeaseChange>> waiting = deployment.meanwhile(() -> {
            List<LeaseChange> told = List.of();
            for (int awaits = 0; told.isEmpty() && awaits < AWAITS_MAX; awaits++) {
                told = changes.await();
            }
            return told;
        });

        a.commits(a.vacate("x"));

        assertThat(waiting.join()).extracting(this::withoutDocument).containsExactly(new Freed("x", null));
        changes.close();
    }

    @Test
    void aWatchThatIsClosedTellsNothingAndMayBeClosedAgain() {
        ContractWriter a = watched();
        Meanwhile<List<LeaseChange>> waiting = deployment.meanwhile(changes::await);

        changes.close();

        assertThat(waiting.join()).isEmpty();
        a.commits(a.vacate("x"));
        assertThat(changes.await()).isEmpty();
        changes.close();
    }

    @Test
    void everyWatchIsToldForItself() {
        ContractWriter a = watched();
        LeaseChanges second = open().changes();
        second.await();
        a.commits(a.vacate("x"));

        assertThat(told(a)).containsExactly(new Freed("x", null));
        changes = second;
        a.commits(a.insert("last"));
        assertThat(told(a)).containsExactly(new Freed("x", null), LAST);
    }

    @Test
    void onlyWhatAMajorityHasIsTold() {
        ContractWriter a = watched();
        ContractWriter b = impatientWriter("b");
        var vacate = b.vacate("x");
        stopReplication();

        b.commit(vacate);

        assertThat(deployment.newestToken("x")).isEqualTo(1);
        assertThat(changes.await()).isEmpty();
        deployment.resumeReplication();
        assertThat(told(a)).containsExactly(new Freed("x", null));
    }

    @Test
    void nothingIsMissedWhileThePrimaryIsReplaced() {
        ContractWriter a = watched();
        a.commits(a.insert("y"));
        a.commits(a.vacate("x"));

        deployment.replacePrimary();
        applyAtLast(a, "y");

        assertThat(told(a)).contains(new Freed("x", null), new Freed("y", null));
    }

    private static void applyAtLast(ContractWriter a, String name) {
        WriteOutcome outcome = WriteOutcome.WITHHELD;
        for (int tries = 0; tries < 20 && !outcome.equals(WriteOutcome.APPLIED); tries++) {
            outcome = a.commit(a.vacate(name));
        }
        assertThat(outcome).isEqualTo(WriteOutcome.APPLIED);
    }
}
