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
class ObservedLeaseStateTest {

    private static final long EXPIRY = Z + 60 * SECOND;
    private static final Instant LATEST = Instant.parse("2073-03-03T09:41:00.000000005Z");

    @Test
    void heldLeaseIsActiveUpToItsBoundAndExpiredAfterIt() {
        ObservedLease lease = own(held(ME, Z, EXPIRY), EXPIRY);

        assertThat(lease.stateAt(EXPIRY)).isEqualTo(heldState(LeaseStatus.ACTIVE, LATEST));
        assertThat(lease.stateAt(EXPIRY + 1)).isEqualTo(heldState(LeaseStatus.EXPIRED, LATEST));
    }

    @Test
    void latestExpiryIsTheBoundOnTheReadersClockNotTheStoredOne() {
        assertThat(foreign(held(OTHER, Z, 17L), EXPIRY).stateAt(Z)).isEqualTo(heldState(LeaseStatus.ACTIVE, LATEST));
    }

    @Test
    @DisplayName("SE-2: a session lease lasts as long as its session, whose end is shown")
    void sessionLeaseIsShownAsSuchWithTheEndOfItsSession() {
        assertThat(keptBySession(EXPIRY).stateAt(EXPIRY)).isEqualTo(sessionState(LeaseStatus.ACTIVE, LATEST));
        assertThat(keptBySession(EXPIRY).stateAt(EXPIRY + 1)).isEqualTo(sessionState(LeaseStatus.EXPIRED, LATEST));
    }

    @Test
    void ownSessionLeaseStaysActiveSinceThisEngineNeverEndsIt() {
        ObservedLease own = own(held(ME, Z, null), EXPIRY);

        assertThat(own.stateAt(EXPIRY + 1)).isEqualTo(sessionState(LeaseStatus.ACTIVE, LATEST));
    }

    @Test
    void sessionLeaseWithoutAKnownEndHasNoLatestExpiry() {
        assertThat(keptBySession(ExpiryBound.NEVER).stateAt(Long.MAX_VALUE))
                .isEqualTo(sessionState(LeaseStatus.ACTIVE, null));
    }

    @Test
    void orphanedSessionLeaseIsShownAsVacantWithoutItsHoldersComment() {
        assertThat(orphaned().stateAt(Z)).isEqualTo(new LeaseState.Vacant(NAME, 3, null, Set.of()));
    }

    @Test
    void pinsAreShownWhetherHeldVacantOrOrphaned() {
        assertThat(pinned(own(held(ME, Z, EXPIRY), EXPIRY)).stateAt(Z))
                .isInstanceOfSatisfying(
                        LeaseState.Held.class, held -> assertThat(held.pins()).isEqualTo(PINS));
        assertThat(pinned(own(vacant(ME, Z), Z)).stateAt(Z)).isEqualTo(new LeaseState.Vacant(NAME, 3, null, PINS));
        assertThat(pinned(orphaned()).stateAt(Z)).isEqualTo(new LeaseState.Vacant(NAME, 3, null, PINS));
    }

    @Test
    void vacantLeaseShowsWhyItWasEnded() {
        LeaseDocument ended =
                new LeaseDocument(NAMESPACE, NAME, null, 4, OTHER, Z, null, 7, "it hangs", SINCE, Set.of(), 0, null);

        assertThat(foreign(ended, Z).stateAt(Z)).isEqualTo(new LeaseState.Vacant(NAME, 4, "it hangs", Set.of()));
    }

    @Test
    void keptFreeLeaseShowsUntilWhenAndIsPlainlyVacantAfterIt() {
        ObservedLease seen = Fixture.lease("foreign kept free", EXPIRY);

        assertThat(seen.stateAt(EXPIRY))
                .isEqualTo(new LeaseState.Vacant(NAME, 3, null, Set.of(), LocalInstant.of(EXPIRY)));
        assertThat(seen.stateAt(EXPIRY + 1)).isEqualTo(new LeaseState.Vacant(NAME, 3, null, Set.of()));
    }

    @Test
    void vacantAbsentAndCorruptLeasesAreShownAsSuch() {
        assertThat(foreign(vacant(OTHER, Z), Z).stateAt(Z)).isEqualTo(new LeaseState.Vacant(NAME, 3, null, Set.of()));
        assertThat(new ObservedLease.Nothing(NAME).stateAt(Z)).isEqualTo(new LeaseState.Absent(NAME));
        assertThat(new ObservedLease.Unusable(NAME, "billing#nightly", "token", "missing").stateAt(Z))
                .isEqualTo(new LeaseState.Corrupt(NAME, "billing#nightly", "token", "missing"));
    }

    private static LeaseState heldState(LeaseStatus status, Instant latest) {
        return new LeaseState.Held(tenure("h", 3), status, latest, SINCE, "nightly run", false, Set.of());
    }

    private static LeaseState sessionState(LeaseStatus status, @Nullable Instant latest) {
        return new LeaseState.Held(tenure("h", 3), status, latest, SINCE, "nightly run", true, Set.of());
    }
}
