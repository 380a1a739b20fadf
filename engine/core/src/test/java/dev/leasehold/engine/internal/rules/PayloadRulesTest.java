package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Fixture.ME;
import static dev.leasehold.engine.internal.rules.Fixture.NAME;
import static dev.leasehold.engine.internal.rules.Fixture.NAMESPACE;
import static dev.leasehold.engine.internal.rules.Fixture.SECOND;
import static dev.leasehold.engine.internal.rules.Fixture.SINCE;
import static dev.leasehold.engine.internal.rules.Fixture.STALLED;
import static dev.leasehold.engine.internal.rules.Fixture.Z;
import static dev.leasehold.engine.internal.rules.Fixture.at;
import static dev.leasehold.engine.internal.rules.Fixture.published;
import static dev.leasehold.engine.internal.rules.Fixture.tenure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.internal.rules.ObservedLease.Lease;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseWrite;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** When the payload of a lease may be changed, what that writes, and how long it is there. */
class PayloadRulesTest {

    private static final long BOUND = Z + 60 * SECOND;
    private static final Tenure HELD = tenure("h", 3);
    private static final String OLD = "10.0.0.6:80";
    private static final String NEW = "10.0.0.7:80";

    @ParameterizedTest(name = "{0}, {1} the bound: {2}")
    @DisplayName(
            "The holder may change the payload until its term is over, or as long as this engine's session keeps the lease")
    @CsvSource({
        "own held, before, Replace",
        "own held, at, Replace",
        "own held, after, HELD_PAST_EXPIRY",
        "foreign held, at, Replace",
        "foreign held, after, HELD_PAST_EXPIRY",
        "pinned foreign held, at, Replace",
        "own session, before, Replace",
        "own session, after, Replace",
        "pinned own session, at, Replace",
        "foreign session, at, SESSION_LEASE",
        "foreign session, after, SESSION_LEASE",
        "orphaned session, at, VACANT",
        "own vacant, at, VACANT",
        "own kept free, at, VACANT",
        "absent, at, NO_SUCH_LEASE"
    })
    void isChangedOnlyWhileHeld(String lease, String now, String then) {
        ObservedLease observed = Fixture.observed(lease, BOUND);

        assertThat(inShort(decide(new Request.UpdatePayload(HELD, NEW), observed, at(Fixture.instant(now, BOUND)))))
                .isEqualTo(then);
    }

    @ParameterizedTest
    @CsvSource({"h, 2", "h, 4", "h2, 3"})
    void anotherTenureMayNotChangeIt(String holder, long token) {
        Request update = new Request.UpdatePayload(tenure(holder, token), NEW);

        assertThat(inShort(decide(update, Fixture.lease("own held", BOUND), at(Z))))
                .isEqualTo("NOT_THAT_TENURE");
    }

    @ParameterizedTest(name = "{0} with {1} stripes, expiry {2} ns after the bound, payload {3}")
    @DisplayName(
            "Only the payload changes: not the tenure, its stripes or its time, which goes over to the clock of the writer")
    @CsvSource({
        "own held, 0, 0, new, OnOwnEntry",
        "foreign held, 0, 1, new, OnOwnEntry",
        "own session, 0, , new, OnTheLeaseAlone",
        "own session, 4, , new, OnOwnEntry",
        "own held, 4, 0, , OnOwnEntry",
        "own session, 0, , , OnTheLeaseAlone"
    })
    void changesNothingElse(
            String lease, int stripes, @Nullable Long afterNanos, @Nullable String payload, String dependency) {
        Lease observed = published(Fixture.lease(lease, BOUND), stripes, OLD);
        Long expiryNanos = afterNanos == null ? null : (Long) (BOUND + afterNanos);

        Decision.Write write = written(new Request.UpdatePayload(HELD, payload), observed);

        assertThat(write.write())
                .isEqualTo(new LeaseWrite.Replace(
                        observed.document().guard(),
                        new LeaseDocument(
                                NAMESPACE,
                                NAME,
                                "h",
                                3,
                                ME,
                                Z + 2,
                                expiryNanos,
                                7,
                                "nightly run",
                                SINCE,
                                Set.of(),
                                stripes,
                                payload),
                        false));
        assertThat(write.tenure()).isEqualTo(HELD);
        assertThat(write.basis()).as("no validity follows from it").isNull();
        assertThat(write.dependency().getClass().getSimpleName()).isEqualTo(dependency);
    }

    @ParameterizedTest(name = "{0}: {2}")
    @DisplayName("A payload is there from the first write of its tenure to the last one before its end")
    @MethodSource("tenures")
    void lastsAsLongAsItsTenure(Request request, ObservedLease observed, @Nullable String payload) {
        LeaseWrite write = written(request, observed).write();

        assertThat(
                        write instanceof LeaseWrite.Insert first
                                ? first.document()
                                : ((LeaseWrite.Replace) write).document())
                .extracting(LeaseDocument::payload)
                .isEqualTo(payload);
    }

    private static Stream<Arguments> tenures() {
        Request publishing = new Request.Acquire(NAME, "h2", null, null, 0, false, 0, 0, 0, NEW, 0, null);
        Lease held = published(Fixture.lease("own held", BOUND), 0, OLD);
        Lease overdue = published(Fixture.lease("own held", Z - 1), 0, OLD);
        return Stream.of(
                Arguments.of(publishing, new ObservedLease.Nothing(NAME), NEW),
                Arguments.of(publishing, Fixture.lease("own vacant", BOUND), NEW),
                Arguments.of(publishing, overdue, NEW),
                Arguments.of(new Request.TakeOver(NAME, "h2", SECOND, null), overdue, null),
                Arguments.of(new Request.Extend(HELD, 90 * SECOND), held, OLD),
                Arguments.of(new Request.Release(HELD), held, null),
                Arguments.of(new Request.Expire(NAME), overdue, null),
                Arguments.of(new Request.ForceExpire(NAME, "it hangs"), held, null));
    }

    @Test
    void isShownWithTheTenure() {
        LeaseState state = published(Fixture.lease("own held", BOUND), 0, OLD).stateAt(Z);

        assertThat(((LeaseState.Held) state).payload()).isEqualTo(OLD);
    }

    @Test
    void refusalSaysThatThePayloadWasToChange() {
        Request update = new Request.UpdatePayload(HELD, NEW);
        Decision.Refused refused = (Decision.Refused) decide(update, Fixture.lease("own vacant", BOUND), at(Z));

        assertThat(refused.refusal().operation())
                .isEqualTo("payload update of lease 'nightly' by 'h' under token 3 in namespace 'billing'");
        assertThat(update.kind()).isEqualTo("update-payload");
    }

    private static Decision.Write written(Request request, ObservedLease observed) {
        Decision decision = decide(request, observed, STALLED);
        assertThat(decision).isInstanceOf(Decision.Write.class);
        return (Decision.Write) decision;
    }

    private static Decision decide(Request request, ObservedLease observed, DecisionContext at) {
        return LeaseRules.decide(request, observed, at, LocalKnowledge.NOTHING);
    }

    private static String inShort(Decision decision) {
        return decision instanceof Decision.Refused refused
                ? refused.refusal().reason().name()
                : ((Decision.Write) decision).write().getClass().getSimpleName();
    }
}
