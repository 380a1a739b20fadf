package dev.leasehold.engine.protocol;

import static dev.leasehold.engine.protocol.Fixture.HOUR;
import static dev.leasehold.engine.protocol.Fixture.ME;
import static dev.leasehold.engine.protocol.Fixture.NAME;
import static dev.leasehold.engine.protocol.Fixture.NAMESPACE;
import static dev.leasehold.engine.protocol.Fixture.NO_DRIFT;
import static dev.leasehold.engine.protocol.Fixture.OTHER;
import static dev.leasehold.engine.protocol.Fixture.SECOND;
import static dev.leasehold.engine.protocol.Fixture.SINCE;
import static dev.leasehold.engine.protocol.Fixture.Z;
import static dev.leasehold.engine.protocol.Fixture.clock;
import static dev.leasehold.engine.protocol.Fixture.entry;
import static dev.leasehold.engine.protocol.Fixture.held;
import static dev.leasehold.engine.protocol.Fixture.session;
import static dev.leasehold.engine.protocol.Fixture.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.protocol.Sighting.Lease;
import dev.leasehold.engine.store.LeaseDocument;
import dev.leasehold.engine.store.Snapshot;
import dev.leasehold.engine.store.StoredLease;
import dev.leasehold.engine.store.WriterEntry;
import dev.leasehold.engine.time.Drift;
import dev.leasehold.engine.time.SafeAfter;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** From when on a session lease may be taken, by what was seen of its writer's entry. Sessions last 30 s. */
class SessionBoundsTest {

    private static final int LIMIT = 3;

    private final LeaseView view = new LeaseView(NAMESPACE, NO_DRIFT, HOUR, LIMIT);

    @Test
    @DisplayName("SE-2: another engine's session lease lasts for a session from the end of the read on")
    void foreignSessionIsCountedFromTheEndOfTheRead() {
        view.observe(snapshot(held(OTHER, Z, null), session(OTHER, Z)), ME, Z + SECOND, Z + 2 * SECOND);

        assertThat(view.get(NAME)).isEqualTo(new Lease(held(OTHER, Z, null), false, false, Z + 32 * SECOND, Z));
    }

    @Test
    void sessionIsStretchedByTheDrift() {
        LeaseView drifting = new LeaseView(NAMESPACE, new Drift(1000), HOUR, LIMIT);

        drifting.observe(snapshot(held(OTHER, Z, null), session(OTHER, Z)), ME, Z, Z);

        assertThat(lease(drifting, NAME).safeAfterNanos()).isEqualTo(Z + 30_060_060_061L);
    }

    @Test
    @DisplayName("SE-7: looking again does not postpone the bound")
    void lookingAgainDoesNotPostpone() {
        observe(Z + 5 * SECOND, held(OTHER, Z, null), session(OTHER, Z));
        observe(Z + 20 * SECOND, held(OTHER, Z, null), session(OTHER, Z));

        assertThat(lease(view, NAME).safeAfterNanos()).isEqualTo(Z + 35 * SECOND);
    }

    @Test
    @DisplayName("SE-4, SE-8: a newer time of the entry, by a write of whichever kind, starts the bound again")
    void newerTimeStartsTheBoundAgain() {
        observe(Z + 5 * SECOND, held(OTHER, Z, null), session(OTHER, Z));
        observe(Z + 20 * SECOND, held(OTHER, Z, null), session(OTHER, Z + 1));

        assertThat(view.get(NAME)).isEqualTo(new Lease(held(OTHER, Z, null), false, false, Z + 50 * SECOND, Z + 1));
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
    @DisplayName("HA-25: at the bound itself not yet, one nanosecond later yes")
    void leaseIsTakenStrictlyAfterTheBound() {
        Request acquire = new Request.Acquire(NAME, "h2", 10 * SECOND, null);
        observe(Z, held(OTHER, Z, null), session(OTHER, Z));

        assertThat(decide(acquire, Z + 30 * SECOND)).isInstanceOf(Decision.Refused.class);
        assertThat(decide(acquire, Z + 30 * SECOND + 1)).isInstanceOf(Decision.Write.class);
    }

    @Test
    void newLeaseOfASilentWriterIsAsOverdueAsItsOthers() {
        observe(Z, held(OTHER, Z, null), session(OTHER, Z));
        observe(Z + 20 * SECOND, sessionLease("another", OTHER), session(OTHER, Z));

        assertThat(lease(view, "another").safeAfterNanos()).isEqualTo(Z + 30 * SECOND);
    }

    @Test
    void termLeaseShowsItsWritersEntryToo() {
        observe(Z, held(OTHER, Z, Z + HOUR), session(OTHER, Z));
        observe(Z + 20 * SECOND, sessionLease("another", OTHER), session(OTHER, Z));

        assertThat(lease(view, "another").safeAfterNanos()).isEqualTo(Z + 30 * SECOND);
    }

    @Test
    void eachWriterIsCountedByItself() {
        observe(Z, held(OTHER, Z, null), session(OTHER, Z));
        observe(Z + 20 * SECOND, sessionLease("another", "third#1"), session("third#1", Z));

        assertThat(lease(view, "another").safeAfterNanos()).isEqualTo(Z + 50 * SECOND);
    }

    @Test
    void writerWithoutASessionKeepsItsLeaseForGood() {
        observe(Z, held(OTHER, Z, null), entry(OTHER, Z));

        assertThat(lease(view, NAME).safeAfterNanos()).isEqualTo(SafeAfter.NEVER);
        assertThat(lease(view, NAME).isHeld()).isTrue();
    }

    @Test
    void sessionPastTheEndOfTimeIsNeverOver() {
        observe(Long.MAX_VALUE - 30 * SECOND, held(OTHER, Z, null), session(OTHER, Z));
        assertThat(lease(view, NAME).safeAfterNanos()).isEqualTo(SafeAfter.NEVER);

        observe(Z, held(OTHER, Z, null), new WriterEntry.Sound(OTHER, Z + 1, null, Long.MAX_VALUE, null));
        assertThat(lease(view, NAME).safeAfterNanos()).isEqualTo(SafeAfter.NEVER);
    }

    @Test
    void forgottenLeaseKeepsTheSightOfItsWriter() {
        observe(Z, held(OTHER, Z, null), session(OTHER, Z));

        view.forget(List.of(NAME));
        observe(Z + 20 * SECOND, held(OTHER, Z, null), session(OTHER, Z));

        assertThat(lease(view, NAME).safeAfterNanos()).isEqualTo(Z + 30 * SECOND);
    }

    @Test
    @DisplayName("Writers that nobody looks at are forgotten, which only postpones the bound")
    void onlyTheWritersSeenLastAreRemembered() {
        for (String writer : List.of("one#1", "two#1", "three#1", "one#1", "four#1")) {
            observe(Z, sessionLease("lease of " + writer, writer), session(writer, Z));
        }

        observe(Z + 20 * SECOND, sessionLease("lease", "one#1"), session("one#1", Z));
        assertThat(lease(view, "lease").safeAfterNanos()).isEqualTo(Z + 30 * SECOND);
        observe(Z + 20 * SECOND, sessionLease("lease", "two#1"), session("two#1", Z));
        assertThat(lease(view, "lease").safeAfterNanos()).isEqualTo(Z + 50 * SECOND);
    }

    @Test
    @DisplayName("SE-2, SE-3: one's own session leases last until the own entry and a session, on one's own clock")
    void ownSessionIsCountedFromItsEntry() {
        view.observe(snapshot(held(ME, Z, null), session(ME, Z + 10 * SECOND)), ME, Z + 14 * SECOND, Z + 15 * SECOND);

        assertThat(view.get(NAME)).isEqualTo(new Lease(held(ME, Z, null), true, false, Z + 40 * SECOND, null));
    }

    @Test
    @DisplayName("SE-3, SE-4: an acknowledgement of whichever kind prolongs all of them, those seen before included")
    void acknowledgementProlongsEveryOwnSessionLease() {
        view.acknowledged(Z, 30 * SECOND);
        view.wrote(held(ME, Z, null));
        view.wrote(termLease("other", ME, Z + HOUR));

        view.acknowledged(Z + 12 * SECOND, 30 * SECOND);

        assertThat(lease(view, NAME).safeAfterNanos()).isEqualTo(Z + 42 * SECOND);
        assertThat(lease(view, "other").safeAfterNanos())
                .as("a term of its own")
                .isEqualTo(Z + HOUR);
    }

    @Test
    void ownSessionThatIsNotAcknowledgedHasNoKnownEnd() {
        view.wrote(held(ME, Z, null));
        assertThat(lease(view, NAME).safeAfterNanos()).isEqualTo(SafeAfter.NEVER);

        observe(Z, held(ME, Z, null), entry(ME, Z));
        assertThat(lease(view, NAME).safeAfterNanos()).isEqualTo(SafeAfter.NEVER);
    }

    @Test
    void anothersEntryIsNoAcknowledgementOfOnesOwn() {
        view.acknowledged(Z, 30 * SECOND);

        view.observe(new Snapshot(List.of(sound(held(ME, Z, null))), clock(session(OTHER, Z + HOUR))), ME, Z, Z);

        assertThat(lease(view, NAME).safeAfterNanos()).isEqualTo(Z + 30 * SECOND);
    }

    @Test
    @DisplayName("One's own session is never over in one's own eyes: others end it, or leaving does")
    void ownSessionLeaseIsNeverTaken() {
        observe(Z, held(ME, Z, null), session(ME, Z));

        assertThat(decide(new Request.Acquire(NAME, "h2", null, null), Z + HOUR))
                .isInstanceOf(Decision.Refused.class);
        assertThat(decide(new Request.TakeOver(NAME, "h2", SECOND, null), Z + HOUR))
                .isInstanceOf(Decision.Refused.class);
        assertThat(decide(new Request.Expire(NAME), Z + HOUR)).isInstanceOf(Decision.Refused.class);
    }

    @Test
    @DisplayName(
            "What an engine kept under its former name is another's, and that session is counted from the first sight")
    void sessionOfTheFormerWriterIsForeign() {
        observe(Z, held(ME, Z, null), session(ME, Z));

        view.forgetAll();
        view.observe(snapshot(held(ME, Z, null), session(ME, Z)), "me#2", Z + 20 * SECOND, Z + 20 * SECOND);

        assertThat(view.get(NAME)).isEqualTo(new Lease(held(ME, Z, null), false, false, Z + 50 * SECOND, Z));
    }

    @Test
    void newWriterHasNoSessionUntilOneIsAcknowledged() {
        view.acknowledged(Z, 30 * SECOND);

        view.forgetAll();
        view.wrote(held("me#2", Z, null));

        assertThat(lease(view, NAME).safeAfterNanos()).isEqualTo(SafeAfter.NEVER);
    }

    @Test
    @DisplayName("SE-9, SE-12: once the entry is gone, each of its leases is claimed when somebody wants it")
    void evictedWritersLeasesAreFree() {
        observe(Z, held(OTHER, Z, null), session(OTHER, Z));

        observe(Z + SECOND, held(OTHER, Z, null));

        assertThat(view.get(NAME)).isEqualTo(new Lease(held(OTHER, Z, null), false, true, Z + SECOND + HOUR, null));
        assertThat(lease(view, NAME).isHeld()).isFalse();
        assertThat(decide(new Request.Claim(NAME, "h2", SECOND, null), Z + SECOND))
                .isInstanceOf(Decision.Write.class);
    }

    private Decision decide(Request request, long nowNanos) {
        return Decide.decide(request, lease(view, NAME), Fixture.at(nowNanos), Memory.NOTHING);
    }

    private void observe(long readNanos, LeaseDocument document, WriterEntry... entries) {
        view.observe(snapshot(document, entries), ME, readNanos, readNanos);
    }

    private static Lease lease(LeaseView view, String name) {
        assertThat(view.get(name)).isInstanceOf(Lease.class);
        return (Lease) view.get(name);
    }

    private static StoredLease sound(LeaseDocument document) {
        return new StoredLease.Sound(document);
    }

    private static LeaseDocument sessionLease(String name, String writer) {
        return new LeaseDocument(NAMESPACE, name, "h", 1, writer, Z, null, 0, null, SINCE, Set.of());
    }

    private static LeaseDocument termLease(String name, String writer, long expiryNanos) {
        return new LeaseDocument(NAMESPACE, name, "h", 1, writer, Z, expiryNanos, 0, null, SINCE, Set.of());
    }
}
