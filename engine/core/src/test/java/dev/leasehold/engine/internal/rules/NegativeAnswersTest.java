package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Fixture.ME;
import static dev.leasehold.engine.internal.rules.Fixture.NAME;
import static dev.leasehold.engine.internal.rules.Fixture.OTHER;
import static dev.leasehold.engine.internal.rules.Fixture.SECOND;
import static dev.leasehold.engine.internal.rules.Fixture.Z;
import static dev.leasehold.engine.internal.rules.Fixture.at;
import static dev.leasehold.engine.internal.rules.Fixture.foreign;
import static dev.leasehold.engine.internal.rules.Fixture.held;
import static dev.leasehold.engine.internal.rules.Fixture.keptBySession;
import static dev.leasehold.engine.internal.rules.Fixture.own;
import static dev.leasehold.engine.internal.rules.Fixture.tenure;
import static dev.leasehold.engine.internal.rules.Fixture.vacant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.time.ExpiryBound;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a no says: what was asked, of which lease, and how that lease stands. */
class NegativeAnswersTest {

    private static final long BOUND = Z + 60 * SECOND;

    @ParameterizedTest
    @MethodSource("requestsInWords")
    void noSaysWhatWasAskedAndWhere(Request request, String words) {
        Refusal refusal = refusal(request, request instanceof Request.Claim ? overdue() : vacantSinceZ(), Z);

        assertThat(refusal.operation()).isEqualTo(words + " in namespace 'billing'");
        assertThat(request.name()).isEqualTo(NAME);
    }

    private static Stream<Arguments> requestsInWords() {
        return Stream.of(
                Arguments.of(new Request.Claim(NAME, "h2", SECOND, null), "claim of lease 'nightly' for 'h2'"),
                Arguments.of(new Request.TakeOver(NAME, "h2", SECOND, null), "take-over of lease 'nightly' for 'h2'"),
                Arguments.of(
                        new Request.Extend(tenure("h", 3), SECOND), "extend of lease 'nightly' for 'h' under token 3"),
                Arguments.of(new Request.Release(tenure("h", 3)), "release of lease 'nightly' by 'h' under token 3"),
                Arguments.of(new Request.Expire(NAME), "expire of lease 'nightly'"),
                Arguments.of(new Request.Remove(NAME), "removal of lease 'nightly'"),
                Arguments.of(new Request.ForceExpire(NAME, "it hangs"), "forced expiry of lease 'nightly'"));
    }

    @Test
    void noShowsTheLeaseAtTheInstantOfTheDecision() {
        Request claim = new Request.Claim(NAME, "h2", SECOND, null);

        assertThat(refusal(claim, overdue(), BOUND).state()).isEqualTo(overdue().stateAt(BOUND));
        assertThat(refusal(claim, overdue(), BOUND + 1).state())
                .isEqualTo(overdue().stateAt(BOUND + 1))
                .isNotEqualTo(overdue().stateAt(BOUND));
    }

    @Test
    @DisplayName(
            "HA-2, HA-8: an acquisition that is refused shows the holder of the lease, and until when at the latest")
    void acquisitionThatIsRefusedShowsTheHolder() {
        Refusal refusal = refusal(new Request.Acquire(NAME, "h2", null, null), keptBySession(BOUND), Z);

        assertThat(refusal.operation()).isEqualTo("acquisition of lease 'nightly' for 'h2' in namespace 'billing'");
        assertThat(refusal.state()).isEqualTo(keptBySession(BOUND).stateAt(Z));
    }

    @Test
    void pinIsRefusedWhereThereIsNoDocument() {
        ObservedLease nothing = new ObservedLease.Nothing(NAME);

        assertThat(refusal(new Request.Pin(NAME, "ops", true), nothing, Z).operation())
                .isEqualTo("pinning of lease 'nightly' by 'ops' in namespace 'billing'");
        assertThat(refusal(new Request.Pin(NAME, "ops", false), nothing, Z).operation())
                .isEqualTo("unpinning of lease 'nightly' by 'ops' in namespace 'billing'");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void kindIsOneWordForMetersAndLogs(Request request, String kind) {
        assertThat(request.kind()).isEqualTo(kind);
    }

    private static Stream<Arguments> kinds() {
        return Stream.of(
                Arguments.of(new Request.Claim(NAME, "h2", SECOND, null), "claim"),
                Arguments.of(new Request.TakeOver(NAME, "h2", SECOND, null), "take-over"),
                Arguments.of(new Request.Extend(tenure("h", 3), SECOND), "extend"),
                Arguments.of(new Request.Release(tenure("h", 3)), "release"),
                Arguments.of(new Request.Expire(NAME), "expire"),
                Arguments.of(new Request.Remove(NAME), "remove"),
                Arguments.of(new Request.Acquire(NAME, "h2", null, null), "acquire"),
                Arguments.of(new Request.ForceExpire(NAME, "it hangs"), "force-expire"),
                Arguments.of(new Request.Pin(NAME, "ops", true), "pin"),
                Arguments.of(new Request.Pin(NAME, "ops", false), "unpin"));
    }

    @Test
    void holderAndTokenAreThoseThatTheRequestNames() {
        Request extend = new Request.Extend(tenure("h", 3), SECOND);
        Request release = new Request.Release(tenure("h", 3));
        Request expire = new Request.Expire(NAME);

        assertThat(extend.holder()).isEqualTo("h");
        assertThat(extend.token()).isEqualTo(3);
        assertThat(release.holder()).isEqualTo("h");
        assertThat(release.token()).isEqualTo(3);
        assertThat(expire.holder()).isNull();
        assertThat(expire.token()).isNull();
    }

    @Test
    void orphanedLeaseIsNotLongVacantAtItsBound() {
        ObservedLease orphaned = new ObservedLease.Lease(held(OTHER, 17, null), false, true, Z, null);

        assertThat(refusal(new Request.Remove(NAME), orphaned, Z).reason()).isEqualTo(Refusal.Reason.NOT_EXPIRED);
    }

    @Test
    void corruptLeaseIsNamedWithItsDocumentTheFieldAndWhatWasFound() {
        ObservedLease corrupt = new ObservedLease.Unusable(NAME, "billing#nightly", "token", "a string");

        Decision decision = LeaseRules.decide(new Request.Expire(NAME), corrupt, at(Z), LocalKnowledge.NOTHING);

        assertThat(decision)
                .isInstanceOfSatisfying(
                        Decision.Impossible.class,
                        impossible -> assertThat(impossible.cause())
                                .isInstanceOf(CorruptDocumentException.class)
                                .hasMessage(new CorruptDocumentException("billing#nightly", "token", "a string")
                                        .getMessage()));
    }

    private static ObservedLease overdue() {
        return foreign(held(OTHER, Z, 17L), BOUND);
    }

    private static ObservedLease vacantSinceZ() {
        return own(vacant(ME, Z), ExpiryBound.NEVER);
    }

    private static Refusal refusal(Request request, ObservedLease observed, long nowNanos) {
        Decision decision = LeaseRules.decide(request, observed, at(nowNanos), LocalKnowledge.NOTHING);
        assertThat(decision).isInstanceOf(Decision.Refused.class);
        return ((Decision.Refused) decision).refusal();
    }
}
