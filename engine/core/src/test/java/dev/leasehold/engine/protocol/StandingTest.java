package dev.leasehold.engine.protocol;

import static dev.leasehold.engine.protocol.Fixture.ME;
import static dev.leasehold.engine.protocol.Fixture.NAME;
import static dev.leasehold.engine.protocol.Fixture.NAMESPACE;
import static dev.leasehold.engine.protocol.Fixture.OTHER;
import static dev.leasehold.engine.protocol.Fixture.PINS;
import static dev.leasehold.engine.protocol.Fixture.SECOND;
import static dev.leasehold.engine.protocol.Fixture.SINCE;
import static dev.leasehold.engine.protocol.Fixture.Z;
import static dev.leasehold.engine.protocol.Fixture.foreign;
import static dev.leasehold.engine.protocol.Fixture.held;
import static dev.leasehold.engine.protocol.Fixture.keptBySession;
import static dev.leasehold.engine.protocol.Fixture.orphaned;
import static dev.leasehold.engine.protocol.Fixture.own;
import static dev.leasehold.engine.protocol.Fixture.pinned;
import static dev.leasehold.engine.protocol.Fixture.tenure;
import static dev.leasehold.engine.protocol.Fixture.vacant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.store.LeaseDocument;
import dev.leasehold.engine.time.LocalInstant;
import dev.leasehold.engine.time.SafeAfter;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What callers are shown. */
class StandingTest {

    private static final long EXPIRY = Z + 60 * SECOND;
    private static final Instant LATEST = Instant.parse("2073-03-03T09:41:00.000000005Z");

    @Test
    void heldLeaseIsActiveUpToItsBoundAndExpiredAfterIt() {
        Sighting lease = own(held(ME, Z, EXPIRY), EXPIRY);

        assertThat(Standing.of(lease, EXPIRY)).isEqualTo(heldState(LeaseStatus.ACTIVE, LATEST));
        assertThat(Standing.of(lease, EXPIRY + 1)).isEqualTo(heldState(LeaseStatus.EXPIRED, LATEST));
    }

    @Test
    void latestExpiryIsTheBoundOnTheReadersClockNotTheStoredOne() {
        assertThat(Standing.of(foreign(held(OTHER, Z, 17L), EXPIRY), Z))
                .isEqualTo(heldState(LeaseStatus.ACTIVE, LATEST));
    }

    @Test
    @DisplayName("SE-2: a session lease lasts as long as its session, whose end is shown")
    void sessionLeaseIsShownAsSuchWithTheEndOfItsSession() {
        assertThat(Standing.of(keptBySession(EXPIRY), EXPIRY)).isEqualTo(sessionState(LeaseStatus.ACTIVE, LATEST));
        assertThat(Standing.of(keptBySession(EXPIRY), EXPIRY + 1)).isEqualTo(sessionState(LeaseStatus.EXPIRED, LATEST));
    }

    @Test
    void ownSessionLeaseStaysActiveSinceThisEngineNeverEndsIt() {
        Sighting own = own(held(ME, Z, null), EXPIRY);

        assertThat(Standing.of(own, EXPIRY + 1)).isEqualTo(sessionState(LeaseStatus.ACTIVE, LATEST));
    }

    @Test
    void sessionLeaseWithoutAKnownEndHasNoLatestExpiry() {
        assertThat(Standing.of(keptBySession(SafeAfter.NEVER), Long.MAX_VALUE))
                .isEqualTo(sessionState(LeaseStatus.ACTIVE, null));
    }

    @Test
    void orphanedSessionLeaseIsShownAsVacantWithoutItsHoldersComment() {
        assertThat(Standing.of(orphaned(), Z)).isEqualTo(new LeaseState.Vacant(NAME, 3, null, Set.of()));
    }

    @Test
    void pinsAreShownWhetherHeldVacantOrOrphaned() {
        assertThat(Standing.of(pinned(own(held(ME, Z, EXPIRY), EXPIRY)), Z))
                .isInstanceOfSatisfying(
                        LeaseState.Held.class, held -> assertThat(held.pins()).isEqualTo(PINS));
        assertThat(Standing.of(pinned(own(vacant(ME, Z), Z)), Z)).isEqualTo(new LeaseState.Vacant(NAME, 3, null, PINS));
        assertThat(Standing.of(pinned(orphaned()), Z)).isEqualTo(new LeaseState.Vacant(NAME, 3, null, PINS));
    }

    @Test
    void vacantLeaseShowsWhyItWasEnded() {
        LeaseDocument ended =
                new LeaseDocument(NAMESPACE, NAME, null, 4, OTHER, Z, null, 7, "it hangs", SINCE, Set.of());

        assertThat(Standing.of(foreign(ended, Z), Z)).isEqualTo(new LeaseState.Vacant(NAME, 4, "it hangs", Set.of()));
    }

    @Test
    void keptFreeLeaseShowsUntilWhenAndIsPlainlyVacantAfterIt() {
        Sighting seen = Fixture.lease("foreign kept free", EXPIRY);

        assertThat(Standing.of(seen, EXPIRY))
                .isEqualTo(new LeaseState.Vacant(NAME, 3, null, Set.of(), LocalInstant.of(EXPIRY)));
        assertThat(Standing.of(seen, EXPIRY + 1)).isEqualTo(new LeaseState.Vacant(NAME, 3, null, Set.of()));
    }

    @Test
    void vacantAbsentAndCorruptLeasesAreShownAsSuch() {
        assertThat(Standing.of(foreign(vacant(OTHER, Z), Z), Z))
                .isEqualTo(new LeaseState.Vacant(NAME, 3, null, Set.of()));
        assertThat(Standing.of(new Sighting.Nothing(NAME), Z)).isEqualTo(new LeaseState.Absent(NAME));
        assertThat(Standing.of(new Sighting.Unusable(NAME, "billing#nightly", "token", "missing"), Z))
                .isEqualTo(new LeaseState.Corrupt(NAME, "billing#nightly", "token", "missing"));
    }

    private static LeaseState heldState(LeaseStatus status, Instant latest) {
        return new LeaseState.Held(tenure("h", 3), status, latest, SINCE, "nightly run", false, Set.of());
    }

    private static LeaseState sessionState(LeaseStatus status, @Nullable Instant latest) {
        return new LeaseState.Held(tenure("h", 3), status, latest, SINCE, "nightly run", true, Set.of());
    }
}
