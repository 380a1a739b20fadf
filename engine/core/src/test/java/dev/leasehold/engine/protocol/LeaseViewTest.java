package dev.leasehold.engine.protocol;

import static dev.leasehold.engine.protocol.Fixture.DEFAULT_DRIFT;
import static dev.leasehold.engine.protocol.Fixture.HOUR;
import static dev.leasehold.engine.protocol.Fixture.ME;
import static dev.leasehold.engine.protocol.Fixture.NAME;
import static dev.leasehold.engine.protocol.Fixture.NAMESPACE;
import static dev.leasehold.engine.protocol.Fixture.NO_DRIFT;
import static dev.leasehold.engine.protocol.Fixture.OTHER;
import static dev.leasehold.engine.protocol.Fixture.SECOND;
import static dev.leasehold.engine.protocol.Fixture.SINCE;
import static dev.leasehold.engine.protocol.Fixture.TOKEN_FLOOR;
import static dev.leasehold.engine.protocol.Fixture.Z;
import static dev.leasehold.engine.protocol.Fixture.at;
import static dev.leasehold.engine.protocol.Fixture.clock;
import static dev.leasehold.engine.protocol.Fixture.entry;
import static dev.leasehold.engine.protocol.Fixture.held;
import static dev.leasehold.engine.protocol.Fixture.keptFree;
import static dev.leasehold.engine.protocol.Fixture.snapshot;
import static dev.leasehold.engine.protocol.Fixture.vacant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.protocol.Sighting.Lease;
import dev.leasehold.engine.store.LeaseDocument;
import dev.leasehold.engine.store.LeaseWrite;
import dev.leasehold.engine.store.Snapshot;
import dev.leasehold.engine.store.StoredLease;
import dev.leasehold.engine.store.WriterEntry;
import dev.leasehold.engine.time.SafeAfter;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a read means on one's own clock, and which bound stays. */
class LeaseViewTest {

    private static final long EXPIRY = Z + 60 * SECOND;
    private static final int LIMIT = 3;

    private final LeaseView view = new LeaseView(NAMESPACE, NO_DRIFT, HOUR, LIMIT);

    @Test
    @DisplayName("SK-1: one's own expiry needs no observation and no margin, at any drift")
    void ownExpiryIsTakenAsItIs() {
        LeaseView drifting = new LeaseView(NAMESPACE, DEFAULT_DRIFT, HOUR, LIMIT);

        drifting.observe(snapshot(held(ME, Z, EXPIRY), entry(ME, Z)), ME, Z + 40 * SECOND, Z + 50 * SECOND);

        assertThat(drifting.get(NAME)).isEqualTo(new Lease(held(ME, Z, EXPIRY), true, false, EXPIRY, null));
    }

    @Test
    void knowsWhetherALeaseIsHeldByItsOwnWrite() {
        assertThat(view.holdsOwn()).isFalse();
        view.observe(snapshot(new StoredLease.Absent(NAME)), ME, Z, Z);
        assertThat(view.holdsOwn()).as("absent").isFalse();
        observe(held(OTHER, Z, EXPIRY), Z, entry(OTHER, Z));
        assertThat(view.holdsOwn()).as("by another writer's").isFalse();
        observe(vacant(ME, Z), Z, entry(ME, Z));
        assertThat(view.holdsOwn()).as("vacant").isFalse();

        observe(held(ME, Z, EXPIRY), Z, entry(ME, Z));

        assertThat(view.holdsOwn()).isTrue();
    }

    @Test
    void leasesThatWereMerelyListedCountToo() {
        view.observeListed(snapshot(held(ME, Z, EXPIRY), entry(ME, Z)), ME, Z, Z);

        assertThat(view.holdsOwn()).isTrue();
    }

    @Test
    @DisplayName("PE-3: what the predecessor of the same instance wrote is not one's own")
    void predecessorIsForeign() {
        LeaseView drifting = new LeaseView(NAMESPACE, DEFAULT_DRIFT, HOUR, LIMIT);

        drifting.observe(snapshot(held(OTHER, Z, EXPIRY), entry(OTHER, Z)), ME, Z, Z);

        assertThat(lease(drifting).own()).isFalse();
        assertThat(lease(drifting).safeAfterNanos()).isEqualTo(Z + 60_120_120_121L);
    }

    @Test
    @DisplayName(
            "A lease that is kept free is judged as one that is held until then, and kept for the retention at least")
    void keptFreeLeaseIsJudgedLikeATerm() {
        observe(keptFree(OTHER, Z, EXPIRY), Z + 100 * SECOND, entry(OTHER, Z + 20 * SECOND));

        assertThat(lease(view).freeAfterNanos()).isEqualTo(Z + 140 * SECOND);
        assertThat(lease(view).safeAfterNanos()).as("the retention").isEqualTo(Z + 80 * SECOND + HOUR);
        assertThat(lease(view).isHeld()).isFalse();

        observe(keptFree(OTHER, Z, EXPIRY), Z + 130 * SECOND, entry(OTHER, Z + 20 * SECOND));

        assertThat(lease(view).freeAfterNanos()).as("the tightest").isEqualTo(Z + 140 * SECOND);
    }

    @Test
    void leaseThatIsKeptFreeForLongerThanTheRetentionIsNotRemovedBefore() {
        observe(keptFree(OTHER, Z, Z + 2 * HOUR), Z, entry(OTHER, Z));

        assertThat(lease(view).safeAfterNanos()).isEqualTo(Z + 2 * HOUR);
    }

    @Test
    void onesOwnKeptFreeLeaseIsJudgedByOnesOwnClock() {
        view.wrote(keptFree(ME, Z, EXPIRY));

        assertThat(lease(view).freeAfterNanos()).isEqualTo(EXPIRY);
        assertThat(lease(view).safeAfterNanos()).isEqualTo(Z + HOUR);
        assertThat(view.holdsOwn()).isTrue();
    }

    @Test
    @DisplayName("Until when it is kept free is not concluded from what was heard of it, only from a read")
    void hearsayDoesNotTellUntilWhenItIsKeptFree() {
        view.heardOf(keptFree(OTHER, Z, EXPIRY));
        assertThat(lease(view).freeAfterNanos()).isEqualTo(SafeAfter.NEVER);

        observe(keptFree(OTHER, Z, EXPIRY), Z, entry(OTHER, Z));
        assertThat(lease(view).freeAfterNanos()).isEqualTo(EXPIRY);
    }

    @Test
    @DisplayName("PE-9: the entry in the clock document counts when it is newer than the write")
    void newerEntryTightensTheBound() {
        observe(held(OTHER, Z, EXPIRY), Z + 100 * SECOND, entry(OTHER, Z + 20 * SECOND));

        assertThat(lease(view).safeAfterNanos()).isEqualTo(Z + 140 * SECOND);
    }

    @Test
    @DisplayName("CO-8: without an entry a term lease is judged by its own write")
    void termLeaseWithoutEntryIsJudgedByItsWrite() {
        observe(held(OTHER, Z, EXPIRY), Z + 100 * SECOND);

        assertThat(lease(view).safeAfterNanos()).isEqualTo(Z + 160 * SECOND);
        assertThat(lease(view).isHeld()).isTrue();
    }

    @Test
    void olderEntryIsOverruledByTheWrite() {
        observe(held(OTHER, Z, EXPIRY), Z + 100 * SECOND, entry(OTHER, Z - SECOND));

        assertThat(lease(view).safeAfterNanos()).isEqualTo(Z + 160 * SECOND);
    }

    @Test
    @DisplayName("CO-9: a session lease whose writer has no entry is free")
    void sessionLeaseWithoutEntryIsFree() {
        observe(held(OTHER, Z, null), Z);

        assertThat(lease(view).orphaned()).isTrue();
        assertThat(lease(view).isHeld()).isFalse();
    }

    @Test
    @DisplayName("CO-6: a corrupt entry makes the leases of its writer unusable, and no others")
    void corruptEntrySpoilsItsWritersLeasesAlone() {
        WriterEntry corrupt = new WriterEntry.Corrupt(OTHER, "time", "0");
        LeaseDocument other = named("other", "third#1", Z);

        view.observe(
                new Snapshot(
                        List.of(new StoredLease.Sound(held(OTHER, Z, EXPIRY)), new StoredLease.Sound(other)),
                        clock(corrupt, entry("third#1", Z))),
                ME,
                Z,
                Z);

        assertThat(view.get(NAME)).isEqualTo(new Sighting.Unusable(NAME, NAMESPACE, "writers." + OTHER + ".time", "0"));
        assertThat(view.get("other")).isInstanceOf(Lease.class);
    }

    @Test
    void corruptDocumentIsUnusable() {
        StoredLease corrupt = new StoredLease.Corrupt(NAME, "billing#nightly", "expiry", "a double");

        view.observe(snapshot(corrupt), ME, Z, Z);

        assertThat(view.get(NAME)).isEqualTo(new Sighting.Unusable(NAME, "billing#nightly", "expiry", "a double"));
    }

    @Test
    void absentLeaseIsRememberedAsNothing() {
        view.observe(snapshot(new StoredLease.Absent(NAME)), ME, Z, Z);

        assertThat(view.get(NAME)).isEqualTo(new Sighting.Nothing(NAME));
        assertThat(view.get("never read")).isNull();
    }

    @Test
    @DisplayName("SK-10: the tighter bound stays when the same write is seen again")
    void laterReadOfTheSameWriteDoesNotPostpone() {
        observe(held(OTHER, Z, EXPIRY), Z + SECOND, entry(OTHER, Z));

        observe(held(OTHER, Z, EXPIRY), Z + 30 * SECOND, entry(OTHER, Z));

        assertThat(lease(view).safeAfterNanos()).isEqualTo(Z + 61 * SECOND);
    }

    @Test
    void newerStampOfTheWriterTightensTheBoundOfTheSameWrite() {
        observe(held(OTHER, Z, EXPIRY), Z + 10 * SECOND, entry(OTHER, Z));

        observe(held(OTHER, Z, EXPIRY), Z + 30 * SECOND, entry(OTHER, Z + 29 * SECOND));

        assertThat(lease(view).safeAfterNanos()).isEqualTo(Z + 61 * SECOND);
    }

    @Test
    @DisplayName("SK-11: a new write starts the bound again, even if it promises the same instant")
    void newWriteStartsTheBoundAgain() {
        observe(held(OTHER, Z, EXPIRY), Z + SECOND, entry(OTHER, Z));

        observe(held(OTHER, Z + 1, EXPIRY), Z + 30 * SECOND, entry(OTHER, Z + 1));

        assertThat(lease(view).safeAfterNanos()).isEqualTo(Z + 90 * SECOND - 1);
    }

    @Test
    @DisplayName("HA-28: an acquisition follows the term that is stored, not the one that was seen first")
    void acquisitionFollowsTheStoredTerm() {
        Request acquire = new Request.Acquire(NAME, "h2", SECOND, null);
        observe(held(OTHER, Z, EXPIRY), Z, entry(OTHER, Z));
        observe(held(OTHER, Z + 3 * SECOND, EXPIRY + 3 * SECOND), Z + 3 * SECOND, entry(OTHER, Z + 3 * SECOND));

        assertThat(Decide.decide(acquire, lease(view), at(EXPIRY + 3 * SECOND), Memory.NOTHING))
                .isInstanceOf(Decision.Refused.class);
        assertThat(Decide.decide(acquire, lease(view), at(EXPIRY + 3 * SECOND + 1), Memory.NOTHING))
                .isInstanceOf(Decision.Write.class);
    }

    @Test
    void sameStampOfAnotherWriterStartsTheBoundAgain() {
        observe(held(OTHER, Z, EXPIRY), Z + SECOND, entry(OTHER, Z));

        observe(held("third#1", Z, EXPIRY), Z + 30 * SECOND, entry("third#1", Z));

        assertThat(lease(view).safeAfterNanos()).isEqualTo(Z + 90 * SECOND);
    }

    @Test
    void forgettingOnlyPostponesTheBound() {
        observe(held(OTHER, Z, EXPIRY), Z + SECOND, entry(OTHER, Z));

        view.forget(List.of(NAME));
        assertThat(view.get(NAME)).isNull();
        observe(held(OTHER, Z, EXPIRY), Z + 30 * SECOND, entry(OTHER, Z));

        assertThat(lease(view).safeAfterNanos()).isEqualTo(Z + 90 * SECOND);
    }

    @Test
    void vacantDocumentsHorizonIsTheEndOfItsRetention() {
        observe(vacant(OTHER, Z), Z + SECOND, entry(OTHER, Z));
        assertThat(lease(view).safeAfterNanos()).isEqualTo(Z + SECOND + HOUR);

        observe(vacant(ME, Z), Z + SECOND);
        assertThat(lease(view).safeAfterNanos()).isEqualTo(Z + HOUR);
    }

    @Test
    void retentionThatDoesNotFitIsNeverOver() {
        observe(vacant(ME, Long.MAX_VALUE - HOUR + 1), Z);

        assertThat(lease(view).safeAfterNanos()).isEqualTo(SafeAfter.NEVER);
    }

    @Test
    void ownWriteReplacesWhatWasSeen() {
        observe(held(OTHER, Z, EXPIRY), Z + SECOND, entry(OTHER, Z));

        view.wrote(held(ME, Z + 2 * SECOND, EXPIRY));

        assertThat(view.get(NAME)).isEqualTo(new Lease(held(ME, Z + 2 * SECOND, EXPIRY), true, false, EXPIRY, null));
    }

    @Test
    void ownRemovalLiftsTheTokenFloorAndNeverLowersIt() {
        observe(vacant(OTHER, Z), Z);

        view.removed(NAME, TOKEN_FLOOR - 1);
        assertThat(view.tokenFloor()).isEqualTo(TOKEN_FLOOR);
        view.removed(NAME, TOKEN_FLOOR + 1);

        assertThat(view.tokenFloor()).isEqualTo(TOKEN_FLOOR + 1);
        assertThat(view.get(NAME)).isEqualTo(new Sighting.Nothing(NAME));
    }

    @Test
    void newWriterStartsWithAnEmptyView() {
        view.wrote(held(ME, Z, EXPIRY));

        view.forgetAll();

        assertThat(view.get(NAME)).isNull();
    }

    @Test
    void readAnswersWithEverythingItFound() {
        Snapshot found = two("one", "two");

        assertThat(view.observe(found, ME, Z, Z)).extracting(Sighting::name).containsExactly("one", "two");
        assertThat(view.observeListed(found, ME, Z, Z))
                .extracting(Sighting::name)
                .containsExactly("one", "two");
    }

    @Test
    void listingPushesOutNothingAndStillAnswersWithEverything() {
        view.wrote(named("one", ME, Z));
        view.wrote(named("two", ME, Z));

        List<Sighting> seen = view.observeListed(two("three", "four"), ME, Z, Z);

        assertThat(seen).extracting(Sighting::name).containsExactly("three", "four");
        assertThat(List.of(view.get("one"), view.get("two"), view.get("three"))).doesNotContainNull();
        assertThat(view.get("four")).isNull();
    }

    @Test
    void listingStillFreshensWhatAFullViewKnows() {
        view.wrote(named("one", ME, Z));
        view.wrote(named("two", ME, Z));
        view.wrote(named("three", ME, Z));

        view.observeListed(two("one", "four"), ME, Z, Z);

        assertThat(view.get("one")).isEqualTo(new Lease(named("one", OTHER, Z), false, false, EXPIRY, null));
        assertThat(view.get("four")).isNull();
    }

    @Test
    void leaseUntouchedForLongestIsForgottenFirst() {
        view.wrote(named("one", ME, Z));
        view.wrote(named("two", ME, Z));
        view.wrote(named("three", ME, Z));
        view.get("one");

        view.wrote(named("four", ME, Z));

        assertThat(view.get("two")).isNull();
        assertThat(List.of(view.get("one"), view.get("three"), view.get("four")))
                .doesNotContainNull();
    }

    @Test
    @DisplayName("A listing is no use of a lease: what was used last is still forgotten last")
    void listingDoesNotChangeWhichLeaseIsForgottenFirst() {
        view.wrote(named("one", ME, Z));
        view.wrote(named("two", ME, Z));
        view.wrote(named("three", ME, Z));

        view.observeListed(two("three", "two"), ME, Z, Z);
        view.observeListed(two("one", "four"), ME, Z, Z);
        view.wrote(named("five", ME, Z));

        assertThat(view.get("one")).isNull();
        assertThat(List.of(view.get("two"), view.get("three"), view.get("five")))
                .doesNotContainNull();
    }

    @Test
    void leaseThatWasOnlyListedIsForgottenBeforeAnyThatWasUsed() {
        view.wrote(named("one", ME, Z));
        view.observeListed(two("two", "three"), ME, Z, Z);

        view.wrote(named("four", ME, Z));
        assertThat(view.get("two")).isNull();
        view.wrote(named("five", ME, Z));

        assertThat(view.get("three")).isNull();
        assertThat(List.of(view.get("one"), view.get("four"), view.get("five"))).doesNotContainNull();
    }

    @Test
    void listedLeaseThatIsUsedCountsAsUsed() {
        view.observeListed(two("one", "two"), ME, Z, Z);
        view.wrote(named("three", ME, Z));
        view.get("one");

        view.wrote(named("four", ME, Z));

        assertThat(view.get("two")).isNull();
        assertThat(List.of(view.get("one"), view.get("three"), view.get("four")))
                .doesNotContainNull();
    }

    /** Two leases of another engine. */
    private static Snapshot two(String one, String other) {
        return new Snapshot(
                List.of(new StoredLease.Sound(named(one, OTHER, Z)), new StoredLease.Sound(named(other, OTHER, Z))),
                clock());
    }

    @Test
    void ownPinIsKnownAndLeavesTheBoundAsItWas() {
        LeaseDocument document = held(OTHER, Z, EXPIRY);
        observe(document, Z + 100 * SECOND);

        view.wrote(new LeaseWrite.Pin(NAME, document.guard(), "ops", true));

        assertThat(view.get(NAME))
                .isEqualTo(new Lease(Fixture.pinned(document, Set.of("ops")), false, false, Z + 160 * SECOND, null));

        view.wrote(new LeaseWrite.Pin(NAME, document.guard(), "ops", false));

        assertThat(view.get(NAME)).isEqualTo(new Lease(document, false, false, Z + 160 * SECOND, null));
    }

    @Test
    void ownPinOfAnotherWriteOrOfWhatIsNotKnownSaysNothing() {
        LeaseDocument document = held(OTHER, Z, EXPIRY);
        LeaseWrite.Pin pin = new LeaseWrite.Pin(NAME, held(OTHER, Z + 1, EXPIRY).guard(), "ops", true);

        view.wrote(pin);
        assertThat(view.get(NAME)).isNull();

        observe(document, Z + 100 * SECOND);
        view.wrote(pin);
        assertThat(lease(view).document()).isEqualTo(document);
    }

    @Test
    void whatWasFoundUnusableIsKnownAsThat() {
        view.observe(
                new Snapshot(List.of(new StoredLease.Corrupt("bad", "billing#bad", "token", "missing")), clock()),
                ME,
                Z,
                Z);
        observe(held(OTHER, Z, EXPIRY), Z);

        assertThat(view.isUnusable("bad")).isTrue();
        assertThat(view.isUnusable(NAME)).isFalse();
        assertThat(view.isUnusable("never seen")).isFalse();
    }

    private void observe(LeaseDocument document, long readNanos, WriterEntry... entries) {
        view.observe(snapshot(document, entries), ME, readNanos, readNanos);
    }

    private static Lease lease(LeaseView view) {
        assertThat(view.get(NAME)).isInstanceOf(Lease.class);
        return (Lease) view.get(NAME);
    }

    private static LeaseDocument named(String name, String writer, long writtenNanos) {
        return new LeaseDocument(
                NAMESPACE, name, "h", 1, writer, writtenNanos, writtenNanos + 60 * SECOND, 0, null, SINCE, Set.of());
    }

    // ---- what was heard ----

    @Test
    void leaseThatWasHeardToBeVacantIsKnownSo() {
        view.heardOf(vacant(OTHER, Z));
        assertThat(view.get(NAME)).isEqualTo(new Lease(vacant(OTHER, Z), false, false, SafeAfter.NEVER, null));
    }

    @Test
    void vacancyThatIsHeardOfCountsMoreThanWhatWasRead() {
        observe(held(OTHER, Z, EXPIRY), Z, entry(OTHER, Z));
        view.heardOf(vacant(OTHER, Z + 1));
        assertThat(view.get(NAME)).isEqualTo(new Lease(vacant(OTHER, Z + 1), false, false, SafeAfter.NEVER, null));
    }

    @Test
    void readAfterwardsCountsMore() {
        view.heardOf(vacant(OTHER, Z));
        observe(held(OTHER, Z + 1, EXPIRY), Z + SECOND, entry(OTHER, Z + 1));
        assertThat(lease(view).isHeld()).isTrue();
    }

    @Test
    void whatThisEngineWroteItselfIsNotTakenBackByWhatIsHeard() {
        view.wrote(held(ME, Z + 1, EXPIRY));
        view.heardOf(vacant(OTHER, Z));
        assertThat(view.get(NAME)).isEqualTo(new Lease(held(ME, Z + 1, EXPIRY), true, false, EXPIRY, null));
    }

    @Test
    void vacancyThatWasOnlyHeardOfIsNeverLongEnoughForARemoval() {
        view.heardOf(vacant(OTHER, Z));
        assertThat(lease(view).safeAfterNanos()).isEqualTo(SafeAfter.NEVER);
        observe(vacant(OTHER, Z), Z + SECOND, entry(OTHER, Z));
        assertThat(lease(view).safeAfterNanos()).isEqualTo(Z + SECOND + HOUR);
    }
}
