package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Fixture.ME;
import static dev.leasehold.engine.internal.rules.Fixture.NAME;
import static dev.leasehold.engine.internal.rules.Fixture.NAMESPACE;
import static dev.leasehold.engine.internal.rules.Fixture.OTHER;
import static dev.leasehold.engine.internal.rules.Fixture.PINS;
import static dev.leasehold.engine.internal.rules.Fixture.SECOND;
import static dev.leasehold.engine.internal.rules.Fixture.SINCE;
import static dev.leasehold.engine.internal.rules.Fixture.Z;
import static dev.leasehold.engine.internal.rules.Fixture.foreign;
import static dev.leasehold.engine.internal.rules.Fixture.held;
import static dev.leasehold.engine.internal.rules.Fixture.keptBySession;
import static dev.leasehold.engine.internal.rules.Fixture.orphaned;
import static dev.leasehold.engine.internal.rules.Fixture.own;
import static dev.leasehold.engine.internal.rules.Fixture.pinned;
import static dev.leasehold.engine.internal.rules.Fixture.tenure;
import static dev.leasehold.engine.internal.rules.Fixture.vacant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.time.ExpiryBound;
import dev.leasehold.engine.internal.time.LocalInstant;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What callers are shown. */
class LeaseStatesTest {

    private static final long EXPIRY = Z + 60 * SECOND;
    private static final Instant LATEST = Instant.parse("2073-03-03T09:41:00.000000005Z");

    @Test
    void heldLeaseIsActiveUpToItsBoundAndExpiredAfterIt() {
        ObservedLease lease = own(held(ME, Z, EXPIRY), EXPIRY);

        assertThat(LeaseStates.of(lease, EXPIRY)).isEqualTo(heldState(LeaseStatus.ACTIVE, LATEST));
        assertThat(LeaseStates.of(lease, EXPIRY + 1)).isEqualTo(heldState(LeaseStatus.EXPIRED, LATEST));
    }

    @Test
    void latestExpiryIsTheBoundOnTheReadersClockNotTheStoredOne() {
        assertThat(LeaseStates.of(foreign(held(OTHER, Z, 17L), EXPIRY), Z))
                .isEqualTo(heldState(LeaseStatus.ACTIVE, LATEST));
    }

    @Test
    @DisplayName("SE-2: a session lease lasts as long as its session, whose end is shown")
    void sessionLeaseIsShownAsSuchWithTheEndOfItsSession() {
        assertThat(LeaseStates.of(keptBySession(EXPIRY), EXPIRY)).isEqualTo(sessionState(LeaseStatus.ACTIVE, LATEST));
        assertThat(LeaseStates.of(keptBySession(EXPIRY), EXPIRY + 1))
                .isEqualTo(sessionState(LeaseStatus.EXPIRED, LATEST));
    }

    @Test
    void ownSessionLeaseStaysActiveSinceThisEngineNeverEndsIt() {
        ObservedLease own = own(held(ME, Z, null), EXPIRY);

        assertThat(LeaseStates.of(own, EXPIRY + 1)).isEqualTo(sessionState(LeaseStatus.ACTIVE, LATEST));
    }

    @Test
    void sessionLeaseWithoutAKnownEndHasNoLatestExpiry() {
        assertThat(LeaseStates.of(keptBySession(ExpiryBound.NEVER), Long.MAX_VALUE))
                .isEqualTo(sessionState(LeaseStatus.ACTIVE, null));
    }

    @Test
    void orphanedSessionLeaseIsShownAsVacantWithoutItsHoldersComment() {
        assertThat(LeaseStates.of(orphaned(), Z)).isEqualTo(new LeaseState.Vacant(NAME, 3, null, Set.of()));
    }

    @Test
    void pinsAreShownWhetherHeldVacantOrOrphaned() {
        assertThat(LeaseStates.of(pinned(own(held(ME, Z, EXPIRY), EXPIRY)), Z))
                .isInstanceOfSatisfying(
                        LeaseState.Held.class, held -> assertThat(held.pins()).isEqualTo(PINS));
        assertThat(LeaseStates.of(pinned(own(vacant(ME, Z), Z)), Z))
                .isEqualTo(new LeaseState.Vacant(NAME, 3, null, PINS));
        assertThat(LeaseStates.of(pinned(orphaned()), Z)).isEqualTo(new LeaseState.Vacant(NAME, 3, null, PINS));
    }

    @Test
    void vacantLeaseShowsWhyItWasEnded() {
        LeaseDocument ended =
                new LeaseDocument(NAMESPACE, NAME, null, 4, OTHER, Z, null, 7, "it hangs", SINCE, Set.of());

        assertThat(LeaseStates.of(foreign(ended, Z), Z))
                .isEqualTo(new LeaseState.Vacant(NAME, 4, "it hangs", Set.of()));
    }

    @Test
    void keptFreeLeaseShowsUntilWhenAndIsPlainlyVacantAfterIt() {
        ObservedLease seen = Fixture.lease("foreign kept free", EXPIRY);

        assertThat(LeaseStates.of(seen, EXPIRY))
                .isEqualTo(new LeaseState.Vacant(NAME, 3, null, Set.of(), LocalInstant.of(EXPIRY)));
        assertThat(LeaseStates.of(seen, EXPIRY + 1)).isEqualTo(new LeaseState.Vacant(NAME, 3, null, Set.of()));
    }

    @Test
    void vacantAbsentAndCorruptLeasesAreShownAsSuch() {
        assertThat(LeaseStates.of(foreign(vacant(OTHER, Z), Z), Z))
                .isEqualTo(new LeaseState.Vacant(NAME, 3, null, Set.of()));
        assertThat(LeaseStates.of(new ObservedLease.Nothing(NAME), Z)).isEqualTo(new LeaseState.Absent(NAME));
        assertThat(LeaseStates.of(new ObservedLease.Unusable(NAME, "billing#nightly", "token", "missing"), Z))
                .isEqualTo(new LeaseState.Corrupt(NAME, "billing#nightly", "token", "missing"));
    }

    private static LeaseState heldState(LeaseStatus status, Instant latest) {
        return new LeaseState.Held(tenure("h", 3), status, latest, SINCE, "nightly run", false, Set.of());
    }

    private static LeaseState sessionState(LeaseStatus status, @Nullable Instant latest) {
        return new LeaseState.Held(tenure("h", 3), status, latest, SINCE, "nightly run", true, Set.of());
    }
}
