package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Fixture.DEFAULT_DRIFT;
import static dev.leasehold.engine.internal.rules.Fixture.HOUR;
import static dev.leasehold.engine.internal.rules.Fixture.ME;
import static dev.leasehold.engine.internal.rules.Fixture.NAME;
import static dev.leasehold.engine.internal.rules.Fixture.NAMESPACE;
import static dev.leasehold.engine.internal.rules.Fixture.NO_DRIFT;
import static dev.leasehold.engine.internal.rules.Fixture.OTHER;
import static dev.leasehold.engine.internal.rules.Fixture.SECOND;
import static dev.leasehold.engine.internal.rules.Fixture.SINCE;
import static dev.leasehold.engine.internal.rules.Fixture.TOKEN_FLOOR;
import static dev.leasehold.engine.internal.rules.Fixture.Z;
import static dev.leasehold.engine.internal.rules.Fixture.at;
import static dev.leasehold.engine.internal.rules.Fixture.clock;
import static dev.leasehold.engine.internal.rules.Fixture.entry;
import static dev.leasehold.engine.internal.rules.Fixture.held;
import static dev.leasehold.engine.internal.rules.Fixture.keptFree;
import static dev.leasehold.engine.internal.rules.Fixture.session;
import static dev.leasehold.engine.internal.rules.Fixture.snapshot;
import static dev.leasehold.engine.internal.rules.Fixture.vacant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.rules.ObservedLease.Lease;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseGuard;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.ExpiryBound;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a read means on one's own clock, and which bound stays. */
class LeaseCacheTest {

    private static final long EXPIRY = Z + 60 * SECOND;
    private static final int LIMIT = 3;

    private final LeaseCache cache = new LeaseCache(NAMESPACE, NO_DRIFT, HOUR, LIMIT);

    @Test
    @DisplayName("SK-1: one's own expiry needs no observation and no margin, at any drift")
    void ownExpiryIsTakenAsItIs() {
        LeaseCache drifting = new LeaseCache(NAMESPACE, DEFAULT_DRIFT, HOUR, LIMIT);

        drifting.observe(snapshot(held(ME, Z, EXPIRY), entry(ME, Z)), ME, Z + 40 * SECOND, Z + 50 * SECOND);

        assertThat(drifting.get(NAME)).isEqualTo(new Lease(held(ME, Z, EXPIRY), true, false, EXPIRY, null));
    }

    @Test
    void knowsWhetherALeaseIsHeldByItsOwnWrite() {
        assertThat(cache.holdsOwn()).isFalse();
        cache.observe(snapshot(new StoredLease.Absent(NAME)), ME, Z, Z);
        assertThat(cache.holdsOwn()).as("absent").isFalse();
        observe(held(OTHER, Z, EXPIRY), Z, entry(OTHER, Z));
        assertThat(cache.holdsOwn()).as("by another writer's").isFalse();
        observe(vacant(ME, Z), Z, entry(ME, Z));
        assertThat(cache.holdsOwn()).as("vacant").isFalse();

        observe(held(ME, Z, EXPIRY), Z, entry(ME, Z));

        assertThat(cache.holdsOwn()).isTrue();
    }

    @Test
    void leasesThatWereMerelyListedCountToo() {
        cache.observeListed(snapshot(held(ME, Z, EXPIRY), entry(ME, Z)), ME, Z, Z);

        assertThat(cache.holdsOwn()).isTrue();
    }

    @Test
    @DisplayName("PE-3: what the predecessor of the same instance wrote is not one's own")
    void predecessorIsForeign() {
        LeaseCache drifting = new LeaseCache(NAMESPACE, DEFAULT_DRIFT, HOUR, LIMIT);

        drifting.observe(snapshot(held(OTHER, Z, EXPIRY), entry(OTHER, Z)), ME, Z, Z);

        assertThat(lease(drifting).own()).isFalse();
        assertThat(lease(drifting).safeAfterNanos()).isEqualTo(Z + 60_120_120_121L);
    }

    @Test
    @DisplayName(
            "A lease that is kept free is judged as one that is held until then, and kept for the retention at least")
    void keptFreeLeaseIsJudgedLikeATerm() {
        observe(keptFree(OTHER, Z, EXPIRY), Z + 100 * SECOND, entry(OTHER, Z + 20 * SECOND));

        assertThat(lease(cache).freeAfterNanos()).isEqualTo(Z + 140 * SECOND);
        assertThat(lease(cache).safeAfterNanos()).as("the retention").isEqualTo(Z + 80 * SECOND + HOUR);
        assertThat(lease(cache).isHeld()).isFalse();

        observe(keptFree(OTHER, Z, EXPIRY), Z + 130 * SECOND, entry(OTHER, Z + 20 * SECOND));

        assertThat(lease(cache).freeAfterNanos()).as("the tightest").isEqualTo(Z + 140 * SECOND);
    }

    @Test
    void leaseThatIsKeptFreeForLongerThanTheRetentionIsNotRemovedBefore() {
        observe(keptFree(OTHER, Z, Z + 2 * HOUR), Z, entry(OTHER, Z));

        assertThat(lease(cache).safeAfterNanos()).isEqualTo(Z + 2 * HOUR);
    }

    @Test
    void onesOwnKeptFreeLeaseIsJudgedByOnesOwnClock() {
        cache.wrote(insert(keptFree(ME, Z, EXPIRY)));

        assertThat(lease(cache).freeAfterNanos()).isEqualTo(EXPIRY);
        assertThat(lease(cache).safeAfterNanos()).isEqualTo(Z + HOUR);
        assertThat(cache.holdsOwn()).isTrue();

        cache.wrote(insert(keptFree(ME, Z, Z + 2 * HOUR)));
        assertThat(lease(cache).safeAfterNanos()).isEqualTo(Z + 2 * HOUR);
    }

    @Test
    @DisplayName("Until when it is kept free is not concluded from what was heard of it, only from a read")
    void hearsayDoesNotTellUntilWhenItIsKeptFree() {
        cache.noteVacant(keptFree(OTHER, Z, EXPIRY));
        assertThat(lease(cache).freeAfterNanos()).isEqualTo(ExpiryBound.NEVER);

        observe(keptFree(OTHER, Z, EXPIRY), Z, entry(OTHER, Z));
        assertThat(lease(cache).freeAfterNanos()).isEqualTo(EXPIRY);
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName(
            "PE-9, CO-8, SK-10, SK-11: a foreign term is bounded by the newest write, or entry, from its first read on")
    @CsvSource(delimiter = '|', textBlock = """
            # of a term that ends at 60 s; all in seconds                                | written, entry, read | then           | bound
            an entry that is newer than the write counts                                 | 0 | 20 | 100 |   |    |    | 140
            an entry that is older than the write does not                               | 0 | -1 | 100 |   |    |    | 160
            without an entry a term is judged by its write                               | 0 |    | 100 |   |    |    | 160
            a later read of the same write does not postpone the bound                   | 0 |  0 |   1 | 0 |  0 | 30 |  61
            nor does one of a write that came behind the entry                           | 0 | -1 |   0 | 0 | -1 |  1 |  60
            a newer stamp of the writer tightens the bound of the same write             | 0 |  0 |  10 | 0 | 29 | 30 |  61
            a new write starts the bound again, even if it stores the same instant       | 0 |  0 |   1 | 1 |  1 | 30 |  89
            """)
    void foreignTermIsBoundedByTheNewestWriteOrEntry(
            String promise,
            long written,
            Long entry,
            long read,
            Long nextWritten,
            Long nextEntry,
            Long nextRead,
            long bound) {
        observeTerm(written, entry, read);
        if (nextRead != null) {
            observeTerm(nextWritten, nextEntry, nextRead);
        }

        assertThat(lease(cache).safeAfterNanos()).isEqualTo(Z + bound * SECOND);
        assertThat(lease(cache).isHeld()).isTrue();
    }

    private void observeTerm(long written, Long entry, long read) {
        WriterEntry[] entries =
                entry == null ? new WriterEntry[0] : new WriterEntry[] {entry(OTHER, Z + entry * SECOND)};
        observe(held(OTHER, Z + written * SECOND, EXPIRY), Z + read * SECOND, entries);
    }

    @Test
    @DisplayName("CO-9: a session lease whose writer has no entry is free")
    void sessionLeaseWithoutEntryIsFree() {
        observe(held(OTHER, Z, null), Z);

        assertThat(lease(cache).orphaned()).isTrue();
        assertThat(lease(cache).isHeld()).isFalse();
    }

    @Test
    @DisplayName("CO-6: a corrupt entry makes the leases of its writer unusable, and no others")
    void corruptEntrySpoilsItsWritersLeasesAlone() {
        WriterEntry corrupt = new WriterEntry.Corrupt(OTHER, "time", "0");
        LeaseDocument other = named("other", "third#1", Z);

        cache.observe(
                new Snapshot(
                        List.of(new StoredLease.Sound(held(OTHER, Z, EXPIRY)), new StoredLease.Sound(other)),
                        Map.of(),
                        clock(corrupt, entry("third#1", Z))),
                ME,
                Z,
                Z);

        assertThat(cache.get(NAME))
                .isEqualTo(new ObservedLease.Unusable(NAME, NAMESPACE, "writers." + OTHER + ".time", "0"));
        assertThat(cache.get("other")).isInstanceOf(Lease.class);
    }

    @Test
    void corruptDocumentIsUnusable() {
        StoredLease corrupt = new StoredLease.Corrupt(NAME, "billing#nightly", "expiry", "a double");

        cache.observe(snapshot(corrupt), ME, Z, Z);

        assertThat(cache.get(NAME))
                .isEqualTo(new ObservedLease.Unusable(NAME, "billing#nightly", "expiry", "a double"));
    }

    @Test
    void absentLeaseIsRememberedAsNothing() {
        cache.observe(snapshot(new StoredLease.Absent(NAME)), ME, Z, Z);

        assertThat(cache.get(NAME)).isEqualTo(new ObservedLease.Nothing(NAME));
        assertThat(cache.get("never read")).isNull();
    }

    @Test
    @DisplayName("HA-28: an acquisition follows the term that is stored, not the one that was seen first")
    void acquisitionFollowsTheStoredTerm() {
        Request acquire = new Request.Acquire(NAME, "h2", SECOND, null);
        observe(held(OTHER, Z, EXPIRY), Z, entry(OTHER, Z));
        observe(held(OTHER, Z + 3 * SECOND, EXPIRY + 3 * SECOND), Z + 3 * SECOND, entry(OTHER, Z + 3 * SECOND));

        assertThat(LeaseRules.decide(acquire, lease(cache), at(EXPIRY + 3 * SECOND), LocalKnowledge.NOTHING))
                .isInstanceOf(Decision.Refused.class);
        assertThat(LeaseRules.decide(acquire, lease(cache), at(EXPIRY + 3 * SECOND + 1), LocalKnowledge.NOTHING))
                .isInstanceOf(Decision.Write.class);
    }

    @Test
    void sameStampOfAnotherWriterStartsTheBoundAgain() {
        observe(held(OTHER, Z, EXPIRY), Z + SECOND, entry(OTHER, Z));

        observe(held("third#1", Z, EXPIRY), Z + 30 * SECOND, entry("third#1", Z));

        assertThat(lease(cache).safeAfterNanos()).isEqualTo(Z + 90 * SECOND);
    }

    @Test
    @DisplayName("A lease that was forgotten is bounded by the sight of its writer, and anew without one")
    void forgettingOnlyPostponesTheBound() {
        observe(held(OTHER, Z, EXPIRY), Z + SECOND, entry(OTHER, Z));

        cache.forget(List.of(NAME));
        assertThat(cache.get(NAME)).isNull();
        observe(held(OTHER, Z, EXPIRY), Z + 30 * SECOND, entry(OTHER, Z));
        assertThat(lease(cache).safeAfterNanos()).isEqualTo(Z + 61 * SECOND);

        forgetWriters();
        cache.forget(List.of(NAME));
        observe(held(OTHER, Z, EXPIRY), Z + 30 * SECOND, entry(OTHER, Z));
        assertThat(lease(cache).safeAfterNanos()).isEqualTo(Z + 90 * SECOND);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            # of a term that was written at Z and ends 60 s later                                    | writer  | stamp | seen | read | bound
            a sight of the writer bounds a lease that is first read when its holder is long dead     | other#1 |    20 |  100 | 3600 |   140
            a sight from before the write proves nothing: the writer may have slept in between       | other#1 |    -1 |    0 |   30 |    90
            a sight of an older incarnation says nothing of the writer that follows it               | other#0 |  3600 |    0 |   30 |    90
            """)
    void sightOfTheWriterSinceItsWriteBoundsALease(
            String promise, String writer, long stamp, long seen, long read, long bound) {
        cache.sights().sawAll(Map.of(writer, Z + stamp * SECOND), ME, Z + seen * SECOND);

        observeTerm(0, null, read);

        assertThat(lease(cache).safeAfterNanos()).isEqualTo(Z + bound * SECOND);
    }

    @Test
    @DisplayName("A sight is stretched by the drift from its own instant on, as a read of the lease is")
    void sightIsStretchedByTheDrift() {
        LeaseCache drifting = new LeaseCache(NAMESPACE, DEFAULT_DRIFT, HOUR, LIMIT);
        drifting.sights().sawAll(Map.of(OTHER, Z), ME, Z);

        drifting.observe(snapshot(held(OTHER, Z, EXPIRY), entry(OTHER, Z)), ME, Z + 10 * SECOND, Z + 10 * SECOND);

        assertThat(lease(drifting).safeAfterNanos()).isEqualTo(Z + 60_120_120_121L);
    }

    @Test
    @DisplayName("The sight of a writer whose entry was removed since still bounds its terms")
    void sightOutlivesTheEntry() {
        cache.sights().sawAll(Map.of(OTHER, Z), ME, Z);
        cache.sights().sawAll(Map.of(), ME, Z + HOUR);

        observe(held(OTHER, Z, EXPIRY), Z + 24 * HOUR);

        assertThat(lease(cache).safeAfterNanos()).isEqualTo(Z + 60 * SECOND);
    }

    @Test
    @DisplayName("An entry that is there again starts anew: what was seen of it before proves nothing")
    void entryThatIsThereAgainStartsAnew() {
        LeaseDocument kept = held(OTHER, Z, null);
        observe(kept, Z, session(OTHER, Z));
        observe(kept, Z + SECOND);

        observe(kept, Z + 10 * SECOND, session(OTHER, Z));

        assertThat(lease(cache).safeAfterNanos()).isEqualTo(Z + 40 * SECOND);
    }

    @Test
    @DisplayName("A sight bounds until when a vacant lease is kept free, and its retention")
    void sightBoundsAVacantLease() {
        cache.sights().sawAll(Map.of(OTHER, Z), ME, Z + SECOND);

        observe(keptFree(OTHER, Z, EXPIRY), Z + 10 * HOUR, entry(OTHER, Z));

        assertThat(lease(cache).freeAfterNanos()).isEqualTo(Z + 61 * SECOND);
        assertThat(lease(cache).safeAfterNanos()).isEqualTo(Z + HOUR + SECOND);
    }

    /** By reads of as many others as are remembered, twice: those present, and those gone. */
    private void forgetWriters() {
        for (int round = 0; round < 2; round++) {
            Map<String, Long> others = new HashMap<>();
            for (int i = 0; i <= LIMIT; i++) {
                others.put("another" + round + "#" + i, Z);
            }
            cache.sights().sawAll(others, ME, Z);
        }
    }

    @Test
    void vacantDocumentsHorizonIsTheEndOfItsRetention() {
        observe(vacant(OTHER, Z), Z + SECOND, entry(OTHER, Z));
        assertThat(lease(cache).safeAfterNanos()).isEqualTo(Z + SECOND + HOUR);

        observe(vacant(ME, Z), Z + SECOND);
        assertThat(lease(cache).safeAfterNanos()).isEqualTo(Z + HOUR);
    }

    @Test
    void retentionThatDoesNotFitIsNeverOver() {
        observe(vacant(ME, Long.MAX_VALUE - HOUR + 1), Z);

        assertThat(lease(cache).safeAfterNanos()).isEqualTo(ExpiryBound.NEVER);
    }

    @Test
    void ownWriteReplacesWhatWasSeen() {
        observe(held(OTHER, Z, EXPIRY), Z + SECOND, entry(OTHER, Z));

        LeaseDocument written = held(ME, Z + 2 * SECOND, EXPIRY);
        cache.wrote(new LeaseWrite.Replace(held(OTHER, Z, EXPIRY).guard(), written, false));

        assertThat(cache.get(NAME)).isEqualTo(new Lease(written, true, false, EXPIRY, null));
    }

    @Test
    void ownRemovalLiftsTheTokenFloorAndNeverLowersIt() {
        observe(vacant(OTHER, Z), Z);

        cache.wrote(removal(TOKEN_FLOOR - 1));
        assertThat(cache.tokenFloor()).isEqualTo(TOKEN_FLOOR);
        cache.wrote(removal(TOKEN_FLOOR + 1));

        assertThat(cache.tokenFloor()).isEqualTo(TOKEN_FLOOR + 1);
        assertThat(cache.get(NAME)).isEqualTo(new ObservedLease.Nothing(NAME));
    }

    @Test
    void newWriterStartsWithAnEmptyView() {
        cache.wrote(insert(held(ME, Z, EXPIRY)));

        cache.forgetAll();

        assertThat(cache.get(NAME)).isNull();
    }

    @Test
    void readAnswersWithEverythingItFound() {
        Snapshot found = two("one", "two");

        assertThat(cache.observe(found, ME, Z, Z))
                .extracting(ObservedLease::name)
                .containsExactly("one", "two");
        assertThat(cache.observeListed(found, ME, Z, Z))
                .extracting(ObservedLease::name)
                .containsExactly("one", "two");
    }

    @Test
    void listingPushesOutNothingAndStillAnswersWithEverything() {
        cache.wrote(insert(named("one", ME, Z)));
        cache.wrote(insert(named("two", ME, Z)));

        List<ObservedLease> seen = cache.observeListed(two("three", "four"), ME, Z, Z);

        assertThat(seen).extracting(ObservedLease::name).containsExactly("three", "four");
        assertThat(List.of(cache.get("one"), cache.get("two"), cache.get("three")))
                .doesNotContainNull();
        assertThat(cache.get("four")).isNull();
    }

    @Test
    void leaseUntouchedForLongestIsForgottenFirst() {
        cache.wrote(insert(named("one", ME, Z)));
        cache.wrote(insert(named("two", ME, Z)));
        cache.wrote(insert(named("three", ME, Z)));
        cache.get("one");

        cache.wrote(insert(named("four", ME, Z)));

        assertThat(cache.get("two")).isNull();
        assertThat(List.of(cache.get("one"), cache.get("three"), cache.get("four")))
                .doesNotContainNull();
    }

    /** Two leases of another engine. */
    private static Snapshot two(String one, String other) {
        return new Snapshot(
                List.of(new StoredLease.Sound(named(one, OTHER, Z)), new StoredLease.Sound(named(other, OTHER, Z))),
                Map.of(),
                clock());
    }

    @Test
    void ownPinIsKnownAndLeavesTheBoundAsItWas() {
        LeaseDocument document = held(OTHER, Z, EXPIRY);
        observe(document, Z + 100 * SECOND);

        cache.wrote(new LeaseWrite.Pin(NAME, document.guard(), "ops", true));

        assertThat(cache.get(NAME))
                .isEqualTo(new Lease(document.withPin("ops", true), false, false, Z + 160 * SECOND, null));

        cache.wrote(new LeaseWrite.Pin(NAME, document.guard(), "ops", false));

        assertThat(cache.get(NAME)).isEqualTo(new Lease(document, false, false, Z + 160 * SECOND, null));
    }

    @Test
    void ownPinOfAnotherWriteOrOfWhatIsNotKnownSaysNothing() {
        LeaseDocument document = held(OTHER, Z, EXPIRY);
        LeaseWrite.Pin pin = new LeaseWrite.Pin(NAME, held(OTHER, Z + 1, EXPIRY).guard(), "ops", true);

        cache.wrote(pin);
        assertThat(cache.get(NAME)).isNull();

        observe(document, Z + 100 * SECOND);
        cache.wrote(pin);
        assertThat(lease(cache).document()).isEqualTo(document);
    }

    @Test
    void whatWasFoundUnusableIsKnownAsThat() {
        cache.observe(
                new Snapshot(
                        List.of(new StoredLease.Corrupt("bad", "billing#bad", "token", "missing")), Map.of(), clock()),
                ME,
                Z,
                Z);
        observe(held(OTHER, Z, EXPIRY), Z);

        assertThat(cache.isUnusable("bad")).isTrue();
        assertThat(cache.isUnusable(NAME)).isFalse();
        assertThat(cache.isUnusable("never seen")).isFalse();
    }

    private void observe(LeaseDocument document, long readNanos, WriterEntry... entries) {
        cache.observe(snapshot(document, entries), ME, readNanos, readNanos);
    }

    private static Lease lease(LeaseCache cache) {
        assertThat(cache.get(NAME)).isInstanceOf(Lease.class);
        return (Lease) cache.get(NAME);
    }

    private static LeaseDocument named(String name, String writer, long writtenNanos) {
        return new LeaseDocument(
                NAMESPACE,
                name,
                "h",
                1,
                writer,
                writtenNanos,
                writtenNanos + 60 * SECOND,
                0,
                null,
                SINCE,
                Set.of(),
                0,
                null);
    }

    // ---- what was heard ----

    @Test
    void vacancyThatIsHeardOfCountsMoreThanWhatWasRead() {
        observe(held(OTHER, Z, EXPIRY), Z, entry(OTHER, Z));
        cache.noteVacant(vacant(OTHER, Z + 1));
        assertThat(cache.get(NAME)).isEqualTo(new Lease(vacant(OTHER, Z + 1), false, false, ExpiryBound.NEVER, null));
    }

    @Test
    void whatThisEngineWroteItselfIsNotTakenBackByWhatIsHeard() {
        cache.wrote(insert(held(ME, Z + 1, EXPIRY)));
        cache.noteVacant(vacant(OTHER, Z));
        assertThat(cache.get(NAME)).isEqualTo(new Lease(held(ME, Z + 1, EXPIRY), true, false, EXPIRY, null));
    }

    @Test
    @DisplayName("A read that showed until when the lease is kept free counts more than hearing of the same document")
    void sameDocumentThatWasReadKeepsItsBound() {
        observe(keptFree(OTHER, Z, EXPIRY), Z, entry(OTHER, Z));
        ObservedLease read = lease(cache);

        cache.noteVacant(keptFree(OTHER, Z, EXPIRY));

        assertThat(cache.get(NAME)).isEqualTo(read);
    }

    @Test
    void anotherDocumentThatIsKeptFreeIsNotJudgedByWhatWasReadBefore() {
        observe(keptFree(OTHER, Z, EXPIRY), Z, entry(OTHER, Z));
        cache.noteVacant(keptFree(OTHER, Z + 1, EXPIRY));
        assertThat(lease(cache).freeAfterNanos()).isEqualTo(ExpiryBound.NEVER);
    }

    @Test
    void vacantDocumentThatWasReadIsReplacedByHearingOfIt() {
        observe(vacant(OTHER, Z), Z, entry(OTHER, Z));
        cache.noteVacant(vacant(OTHER, Z));
        assertThat(cache.get(NAME)).isEqualTo(new Lease(vacant(OTHER, Z), false, false, ExpiryBound.NEVER, null));
    }

    @Test
    void vacancyThatWasOnlyHeardOfIsNeverLongEnoughForARemoval() {
        cache.noteVacant(vacant(OTHER, Z));
        assertThat(lease(cache).safeAfterNanos()).isEqualTo(ExpiryBound.NEVER);
        observe(vacant(OTHER, Z), Z + SECOND, entry(OTHER, Z));
        assertThat(lease(cache).safeAfterNanos()).isEqualTo(Z + SECOND + HOUR);
    }

    private static LeaseWrite insert(LeaseDocument document) {
        return new LeaseWrite.Insert(document);
    }

    private static LeaseWrite removal(long token) {
        return new LeaseWrite.Remove(NAME, new LeaseGuard(OTHER, Z, token), 0);
    }
}
