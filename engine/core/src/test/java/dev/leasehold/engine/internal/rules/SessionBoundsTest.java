package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Fixture.HOUR;
import static dev.leasehold.engine.internal.rules.Fixture.ME;
import static dev.leasehold.engine.internal.rules.Fixture.NAME;
import static dev.leasehold.engine.internal.rules.Fixture.NAMESPACE;
import static dev.leasehold.engine.internal.rules.Fixture.NO_DRIFT;
import static dev.leasehold.engine.internal.rules.Fixture.OTHER;
import static dev.leasehold.engine.internal.rules.Fixture.SECOND;
import static dev.leasehold.engine.internal.rules.Fixture.SINCE;
import static dev.leasehold.engine.internal.rules.Fixture.Z;
import static dev.leasehold.engine.internal.rules.Fixture.clock;
import static dev.leasehold.engine.internal.rules.Fixture.entry;
import static dev.leasehold.engine.internal.rules.Fixture.held;
import static dev.leasehold.engine.internal.rules.Fixture.session;
import static dev.leasehold.engine.internal.rules.Fixture.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.rules.ObservedLease.Lease;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.ExpiryBound;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** From when on a session lease may be taken, by what was seen of its writer's entry. Sessions last 30 s. */
class SessionBoundsTest {

    private static final int LIMIT = 3;

    private final LeaseCache cache = new LeaseCache(NAMESPACE, NO_DRIFT, HOUR, LIMIT);

    @Test
    @DisplayName("SE-2: another engine's session lease lasts for a session from the end of the read on")
    void foreignSessionIsCountedFromTheEndOfTheRead() {
        cache.observe(snapshot(held(OTHER, Z, null), session(OTHER, Z)), ME, Z + SECOND, Z + 2 * SECOND);

        assertThat(cache.get(NAME)).isEqualTo(new Lease(held(OTHER, Z, null), false, false, Z + 32 * SECOND, Z));
    }

    @Test
    void sessionIsStretchedByTheDrift() {
        LeaseCache drifting = new LeaseCache(NAMESPACE, new Drift(1000), HOUR, LIMIT);

        drifting.observe(snapshot(held(OTHER, Z, null), session(OTHER, Z)), ME, Z, Z);

        assertThat(lease(drifting, NAME).safeAfterNanos()).isEqualTo(Z + 30_060_060_061L);
    }

    @Test
    @DisplayName("SE-7: reading again does not postpone the bound")
    void readingAgainDoesNotPostpone() {
        observe(Z + 5 * SECOND, held(OTHER, Z, null), session(OTHER, Z));
        observe(Z + 20 * SECOND, held(OTHER, Z, null), session(OTHER, Z));

        assertThat(lease(cache, NAME).safeAfterNanos()).isEqualTo(Z + 35 * SECOND);
    }

    @Test
    @DisplayName("SE-4, SE-8: a newer time of the entry, by a write of whichever kind, starts the bound again")
    void newerTimeStartsTheBoundAgain() {
        observe(Z + 5 * SECOND, held(OTHER, Z, null), session(OTHER, Z));
        observe(Z + 20 * SECOND, held(OTHER, Z, null), session(OTHER, Z + 1));

        assertThat(cache.get(NAME)).isEqualTo(new Lease(held(OTHER, Z, null), false, false, Z + 50 * SECOND, Z + 1));
    }

    @Test
    @DisplayName("SE-10: after a heartbeat that was seen, what was decided before is not decided again")
    void heartbeatTakesTheDecisionBack() {
        Request acquire = new Request.Acquire(NAME, "h2", null, null);
        observe(Z, held(OTHER, Z, null), session(OTHER, Z));
        assertThat(decide(acquire, Z + 30 * SECOND + 1)).isInstanceOf(Decision.Write.class);

        observe(Z + 30 * SECOND + 1, held(OTHER, Z, null), session(OTHER, Z + 30 * SECOND));

        assertThat(decide(acquire, Z + 60 * SECOND + 1)).isInstanceOf(Decision.Refused.class);
        assertThat(decide(acquire, Z + 60 * SECOND + 2)).isInstanceOf(Decision.Write.class);
    }

    @Test
    void newLeaseOfASilentWriterIsAsOverdueAsItsOthers() {
        observe(Z, held(OTHER, Z, null), session(OTHER, Z));
        observe(Z, termLease("term", "third#1", Z + HOUR), session("third#1", Z));
        for (String writer : List.of(OTHER, "third#1", "fourth#1")) {
            observe(Z + 20 * SECOND, sessionLease("another of " + writer, writer), session(writer, Z));
        }

        assertThat(lease(cache, "another of " + OTHER).safeAfterNanos()).isEqualTo(Z + 30 * SECOND);
        assertThat(lease(cache, "another of third#1").safeAfterNanos())
                .as("seen with a term lease")
                .isEqualTo(Z + 30 * SECOND);
        assertThat(lease(cache, "another of fourth#1").safeAfterNanos())
                .as("each writer is counted by itself")
                .isEqualTo(Z + 50 * SECOND);
    }

    @Test
    @DisplayName(
            "A session that a look has shown to stand still is over at the first ask, under the guard of that time")
    void sessionThatStoodStillIsOverAtTheFirstAsk() {
        cache.sights().sawAll(Map.of(OTHER, Z), ME, Z);

        observe(Z + 24 * HOUR, held(OTHER, Z - SECOND, null), session(OTHER, Z));

        assertThat(cache.get(NAME))
                .isEqualTo(new Lease(held(OTHER, Z - SECOND, null), false, false, Z + 30 * SECOND, Z));
        assertThat(decide(new Request.Acquire(NAME, "h2", null, null), Z + 24 * HOUR))
                .isInstanceOf(Decision.Write.class);
    }

    @Test
    @DisplayName("An entry that went back, as after a restore, counts from the first read that shows it so")
    void entryThatWentBackCountsAnew() {
        observe(Z, held(OTHER, Z, null), session(OTHER, Z));
        observe(Z + 10 * SECOND, held(OTHER, Z, null), session(OTHER, Z + 5));

        observe(Z + 20 * SECOND, held(OTHER, Z, null), session(OTHER, Z));
        assertThat(lease(cache, NAME).safeAfterNanos()).isEqualTo(Z + 50 * SECOND);

        observe(Z + 30 * SECOND, held(OTHER, Z, null), session(OTHER, Z));
        assertThat(lease(cache, NAME).safeAfterNanos()).isEqualTo(Z + 50 * SECOND);
    }

    @Test
    void writerWithoutASessionKeepsItsLeaseForGood() {
        observe(Z, held(OTHER, Z, null), entry(OTHER, Z));

        assertThat(lease(cache, NAME).safeAfterNanos()).isEqualTo(ExpiryBound.NEVER);
        assertThat(lease(cache, NAME).isHeld()).isTrue();
    }

    @Test
    void sessionPastTheEndOfTimeIsNeverOver() {
        observe(Long.MAX_VALUE - 30 * SECOND, held(OTHER, Z, null), session(OTHER, Z));
        assertThat(lease(cache, NAME).safeAfterNanos()).isEqualTo(ExpiryBound.NEVER);

        observe(Z, held(OTHER, Z, null), new WriterEntry.Sound(OTHER, Z + 1, null, Long.MAX_VALUE, null));
        assertThat(lease(cache, NAME).safeAfterNanos()).isEqualTo(ExpiryBound.NEVER);
    }

    @Test
    @DisplayName("Writers whose entries are not read are forgotten, which only postpones the bound")
    void onlyTheWritersSeenLastAreRemembered() {
        for (String writer : List.of("one#1", "two#1", "three#1", "one#1", "four#1")) {
            observe(Z, sessionLease("lease of " + writer, writer), session(writer, Z));
        }

        observe(Z + 20 * SECOND, sessionLease("lease", "one#1"), session("one#1", Z));
        assertThat(lease(cache, "lease").safeAfterNanos()).isEqualTo(Z + 30 * SECOND);
        observe(Z + 20 * SECOND, sessionLease("lease", "two#1"), session("two#1", Z));
        assertThat(lease(cache, "lease").safeAfterNanos()).isEqualTo(Z + 50 * SECOND);
    }

    @Test
    @DisplayName("SE-2, SE-3: one's own session leases last until the own entry and a session, on one's own clock")
    void ownSessionIsCountedFromItsEntry() {
        cache.observe(snapshot(held(ME, Z, null), session(ME, Z + 10 * SECOND)), ME, Z + 14 * SECOND, Z + 15 * SECOND);

        assertThat(cache.get(NAME)).isEqualTo(new Lease(held(ME, Z, null), true, false, Z + 40 * SECOND, null));
    }

    @Test
    @DisplayName("SE-3, SE-4: an acknowledgement of whichever kind prolongs all of them, those seen before included")
    void acknowledgementProlongsEveryOwnSessionLease() {
        cache.acknowledged(Z, 30 * SECOND);
        cache.wrote(new LeaseWrite.Insert(held(ME, Z, null)));
        cache.wrote(new LeaseWrite.Insert(termLease("other", ME, Z + HOUR)));

        cache.acknowledged(Z + 12 * SECOND, 30 * SECOND);

        assertThat(lease(cache, NAME).safeAfterNanos()).isEqualTo(Z + 42 * SECOND);
        assertThat(lease(cache, "other").safeAfterNanos())
                .as("a term of its own")
                .isEqualTo(Z + HOUR);
    }

    @Test
    void ownSessionThatIsNotAcknowledgedHasNoKnownEnd() {
        cache.wrote(new LeaseWrite.Insert(held(ME, Z, null)));
        assertThat(lease(cache, NAME).safeAfterNanos()).isEqualTo(ExpiryBound.NEVER);

        observe(Z, held(ME, Z, null), entry(ME, Z));
        assertThat(lease(cache, NAME).safeAfterNanos()).isEqualTo(ExpiryBound.NEVER);
    }

    @Test
    void anothersEntryIsNoAcknowledgementOfOnesOwn() {
        cache.acknowledged(Z, 30 * SECOND);

        cache.observe(
                new Snapshot(List.of(sound(held(ME, Z, null))), Map.of(), clock(session(OTHER, Z + HOUR))), ME, Z, Z);

        assertThat(lease(cache, NAME).safeAfterNanos()).isEqualTo(Z + 30 * SECOND);
    }

    @Test
    @DisplayName(
            "What an engine kept under its former name is another's, and that session is counted from the first read")
    void sessionOfTheFormerWriterIsForeign() {
        observe(Z, held(ME, Z, null), session(ME, Z));

        cache.forgetAll();
        cache.observe(snapshot(held(ME, Z, null), session(ME, Z)), "me#2", Z + 20 * SECOND, Z + 20 * SECOND);

        assertThat(cache.get(NAME)).isEqualTo(new Lease(held(ME, Z, null), false, false, Z + 50 * SECOND, Z));
    }

    @Test
    void newWriterHasNoSessionUntilOneIsAcknowledged() {
        cache.acknowledged(Z, 30 * SECOND);

        cache.forgetAll();
        cache.wrote(new LeaseWrite.Insert(held("me#2", Z, null)));

        assertThat(lease(cache, NAME).safeAfterNanos()).isEqualTo(ExpiryBound.NEVER);
    }

    @Test
    @DisplayName("SE-9, SE-12: once the entry is gone, each of its leases is claimed when it is wanted")
    void evictedWritersLeasesAreFree() {
        observe(Z, held(OTHER, Z, null), session(OTHER, Z));

        observe(Z + SECOND, held(OTHER, Z, null));

        assertThat(cache.get(NAME)).isEqualTo(new Lease(held(OTHER, Z, null), false, true, Z + SECOND + HOUR, null));
        assertThat(lease(cache, NAME).isHeld()).isFalse();
        assertThat(decide(new Request.Claim(NAME, "h2", SECOND, null), Z + SECOND))
                .isInstanceOf(Decision.Write.class);
    }

    private Decision decide(Request request, long nowNanos) {
        return LeaseRules.decide(request, lease(cache, NAME), Fixture.at(nowNanos), LocalKnowledge.NOTHING);
    }

    private void observe(long readNanos, LeaseDocument document, WriterEntry... entries) {
        cache.observe(snapshot(document, entries), ME, readNanos, readNanos);
    }

    private static Lease lease(LeaseCache cache, String name) {
        assertThat(cache.get(name)).isInstanceOf(Lease.class);
        return (Lease) cache.get(name);
    }

    private static StoredLease sound(LeaseDocument document) {
        return new StoredLease.Sound(document);
    }

    private static LeaseDocument sessionLease(String name, String writer) {
        return new LeaseDocument(NAMESPACE, name, "h", 1, writer, Z, null, 0, null, SINCE, Set.of(), 0, null);
    }

    private static LeaseDocument termLease(String name, String writer, long expiryNanos) {
        return new LeaseDocument(NAMESPACE, name, "h", 1, writer, Z, expiryNanos, 0, null, SINCE, Set.of(), 0, null);
    }
}
