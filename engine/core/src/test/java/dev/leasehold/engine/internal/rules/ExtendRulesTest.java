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
import static dev.leasehold.engine.internal.rules.Fixture.at;
import static dev.leasehold.engine.internal.rules.Fixture.entry;
import static dev.leasehold.engine.internal.rules.Fixture.foreign;
import static dev.leasehold.engine.internal.rules.Fixture.held;
import static dev.leasehold.engine.internal.rules.Fixture.own;
import static dev.leasehold.engine.internal.rules.Fixture.snapshot;
import static dev.leasehold.engine.internal.rules.Fixture.tenure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.ClockAnomalyException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.ExpiryBound;
import dev.leasehold.engine.internal.time.Validity;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** To which instant an extend holds, and when it may be answered without a write. */
class ExtendRulesTest {

    private static final long EXPIRY = Z + 60 * SECOND;
    private static final Validity FULL_VALIDITY = Validity.from(Z, Z, 60 * SECOND);

    @ParameterizedTest(name = "extend to {0} ns after the reader's Z + 1.2 s at {1} ppm ends at Z + {2} ns")
    @DisplayName("RE-2, RE-3, RE-4: another engine's term is carried over, never shortened")
    @CsvSource({
        "10_000_000_000, 0, 61_100_000_001",
        "10_000_000_000, 1000, 61_220_120_122",
        "600_000_000_000, 0, 601_200_000_000",
        "600_000_000_000, 1000, 601_200_000_000",
        "59_900_000_000, 0, 61_100_000_001",
        "59_900_000_000, 1000, 61_220_120_122"
    })
    void foreignTermIsCarriedOver(String durationNanos, long ppm, String offsetNanos) {
        ObservedLease seen = seenByReader(Z, Z + SECOND, Z + 1_100_000_000, new Drift(ppm));

        LeaseDocument written = written(extend(number(durationNanos)), seen, Z + 1_200_000_000, null);

        assertThat(written.expiryNanos()).isEqualTo(Z + number(offsetNanos));
        assertThat(written.writer()).isEqualTo(ME);
        assertThat(written.writtenNanos()).isEqualTo(Z + 1_200_000_000);
        assertThat(written.token()).isEqualTo(3);
    }

    @Test
    @DisplayName("Never again 1, RE-8: a guess about another engine's term never stands in for a write")
    void foreignTermIsNeverLongEnoughByItself() {
        ObservedLease seen = seenByReader(Z, Z + 50 * SECOND, Z + 50 * SECOND, NO_DRIFT);

        LeaseDocument written = written(extend(55 * SECOND), seen, Z + 50 * SECOND, null);

        assertThat(written.expiryNanos()).isEqualTo(Z + 110 * SECOND + 1);
    }

    @Test
    @DisplayName("Never again 1: not even a validity makes another engine's write long enough")
    void foreignTermIsWrittenDespiteAValidity() {
        ObservedLease seen = foreign(held(OTHER, Z, EXPIRY), EXPIRY);

        assertThat(decide(extend(SECOND), seen, at(Z), FULL_VALIDITY)).isInstanceOf(Decision.Write.class);
    }

    @ParameterizedTest(name = "extend to {0} s")
    @DisplayName("OP-9: one's own term that runs long enough is answered without a write, equality included")
    @CsvSource({"1", "60"})
    void ownLongTermNeedsNoWrite(long seconds) {
        assertThat(decide(extend(seconds * SECOND), ownHeld(), at(Z), FULL_VALIDITY))
                .isEqualTo(new Decision.AlreadySo(
                        tenure("h", 3), new HoldBasis.Term(Validity.from(Z, at(Z).wallNanos(), seconds * SECOND)), 0));
    }

    @ParameterizedTest(name = "extend to {0} ns with a validity of {1} s is written to {2} ns")
    @CsvSource({
        "60_000_000_001, 60, 60_000_000_001",
        "60_000_000_001, 120, 60_000_000_001",
        // Never shortened.
        "1_000_000_000, , 60_000_000_000"
    })
    void ownTermIsWrittenWhereItIsTooShortOrWithoutAValidity(String durationNanos, Long valid, String expiryNanos) {
        Validity validity = valid == null ? null : Validity.from(Z, Z, valid * SECOND);

        LeaseDocument written = written(extend(number(durationNanos)), ownHeld(), Z, validity);

        assertThat(written.expiryNanos()).isEqualTo(Z + number(expiryNanos));
    }

    @Test
    void ownTermIsWrittenWhereTheValidityEndsBeforeIt() {
        Validity shorter = new Validity(Z + 30 * SECOND, Z + 60 * SECOND, 60 * SECOND);

        assertThat(decide(extend(30 * SECOND), ownHeld(), at(Z), shorter)).isInstanceOf(Decision.AlreadySo.class);
        assertThat(decide(extend(30 * SECOND + 1), ownHeld(), at(Z), shorter)).isInstanceOf(Decision.Write.class);
    }

    @Test
    void ownTermIsWrittenWhenTheWallHasRunAheadInASuspendAndDoesNotLeaveEnough() {
        DecisionContext enough = new DecisionContext(NAMESPACE, ME, Z, Z, Z + 59 * SECOND, 0);
        DecisionContext tooLittle = new DecisionContext(NAMESPACE, ME, Z, Z, Z + 59 * SECOND + 1, 0);

        assertThat(decide(extend(SECOND), ownHeld(), enough, FULL_VALIDITY)).isInstanceOf(Decision.AlreadySo.class);
        assertThat(decide(extend(SECOND), ownHeld(), tooLittle, FULL_VALIDITY)).isInstanceOf(Decision.Write.class);
    }

    @Test
    void ownTermIsWrittenWhenTheClockWentBackBehindTheWrite() {
        assertThat(decide(extend(SECOND), ownHeld(), at(Z - 1), FULL_VALIDITY)).isInstanceOf(Decision.Write.class);
    }

    @Test
    @DisplayName("SK-1: one's own expiry is kept to the nanosecond, without a margin")
    void ownExpiryIsKeptExactly() {
        LeaseDocument written = written(extend(SECOND), ownHeld(), EXPIRY - 10 * SECOND, null);

        assertThat(written.expiryNanos()).isEqualTo(EXPIRY);
    }

    @ParameterizedTest(name = "tenure ({0}, {1})")
    @DisplayName("OP-8, OP-17, RA-8: only the very tenure may be extended or released")
    @CsvSource({"h2, 3", "h, 2", "h, 4"})
    void otherTenuresAreRefused(String holder, long token) {
        Decision extended = decide(new Request.Extend(tenure(holder, token), SECOND), ownHeld(), at(Z), FULL_VALIDITY);
        Decision released = decide(new Request.Release(tenure(holder, token)), ownHeld(), at(Z), FULL_VALIDITY);

        assertThat(reason(extended)).isEqualTo(Refusal.Reason.NOT_THAT_TENURE);
        assertThat(reason(released)).isEqualTo(Refusal.Reason.NOT_THAT_TENURE);
    }

    static Stream<Named<Decision>> overflows() {
        ObservedLease endless = foreign(held(OTHER, Z, Long.MAX_VALUE), ExpiryBound.NEVER);
        ObservedLease lastToken = own(
                new LeaseDocument(
                        NAMESPACE, NAME, "h", Long.MAX_VALUE, ME, Z, EXPIRY, 7, null, SINCE, Set.of(), 0, null),
                EXPIRY);
        ObservedLease none = new ObservedLease.Nothing(NAME);
        Request claim = new Request.Claim(NAME, "h", HOUR, null);
        DecisionContext late = at(Long.MAX_VALUE - HOUR + 1);
        DecisionContext wallAtItsEnd = new DecisionContext(NAMESPACE, ME, Z, Z, Long.MAX_VALUE - HOUR + 1, 0);
        DecisionContext lastFloor = new DecisionContext(NAMESPACE, ME, Z, Z, Z, Long.MAX_VALUE);
        return Stream.of(
                Named.of("a foreign bound that does not fit", decide(extend(SECOND), endless, at(Z), null)),
                Named.of("an extension past the end of time", decide(extend(HOUR), ownHeld(), late, null)),
                Named.of("a term past the end of time", decide(claim, none, late, null)),
                Named.of("a longer validity past it by wall time", decide(extend(HOUR), ownHeld(), wallAtItsEnd, null)),
                Named.of("a validity past it by wall time", decide(claim, none, wallAtItsEnd, null)),
                Named.of("a token past the end", decide(claim, none, lastFloor, null)),
                Named.of(
                        "a forced end of the last token",
                        decide(new Request.ForceExpire(NAME, "it hangs"), lastToken, at(Z), null)));
    }

    @ParameterizedTest
    @MethodSource("overflows")
    @DisplayName("SK-9: what does not fit is an overflow, found out before anything is written, and no early expiry")
    void whatDoesNotFitIsAnOverflow(Decision decision) {
        assertThat(decision)
                .isInstanceOfSatisfying(
                        Decision.Impossible.class,
                        impossible -> assertThat(impossible.cause())
                                .isInstanceOf(ClockAnomalyException.class)
                                .hasMessageContaining("overflow")
                                .hasMessageContaining(NAME)
                                .hasMessageContaining(NAMESPACE));
    }

    @Test
    @DisplayName("HA-4: what no caller was told of is released only where this engine has written it last")
    void untoldTenureOfAnotherEngineIsNotReleased() {
        Request untold = new Request.Release(tenure("h", 3), null, true, null);

        assertThat(decide(untold, ownHeld(), at(Z), FULL_VALIDITY)).isInstanceOf(Decision.Write.class);
        assertThat(reason(decide(untold, foreign(held(OTHER, Z, EXPIRY), EXPIRY), at(Z), FULL_VALIDITY)))
                .isEqualTo(Refusal.Reason.NOT_THAT_TENURE);
    }

    private static ObservedLease ownHeld() {
        return own(held(ME, Z, EXPIRY), EXPIRY);
    }

    /** Another engine has claimed 60 s at Z; this one reads. */
    private static ObservedLease seenByReader(long writtenNanos, long beganNanos, long endedNanos, Drift drift) {
        LeaseCache cache = new LeaseCache(NAMESPACE, drift, HOUR, 10);
        cache.observe(
                snapshot(held(OTHER, writtenNanos, writtenNanos + 60 * SECOND), entry(OTHER, writtenNanos)),
                ME,
                beganNanos,
                endedNanos);
        return cache.get(NAME);
    }

    private static Request extend(long durationNanos) {
        return new Request.Extend(tenure("h", 3), durationNanos);
    }

    private static Decision decide(
            Request request, ObservedLease seen, DecisionContext at, @Nullable Validity validity) {
        return LeaseRules.decide(request, seen, at, new LocalKnowledge(validity, false, false, null));
    }

    private static LeaseDocument written(
            Request request, ObservedLease seen, long nowNanos, @Nullable Validity validity) {
        Decision decision = decide(request, seen, at(nowNanos), validity);
        assertThat(decision).isInstanceOf(Decision.Write.class);
        return ((LeaseWrite.Replace) ((Decision.Write) decision).write()).document();
    }

    private static Refusal.Reason reason(Decision decision) {
        assertThat(decision).isInstanceOf(Decision.Refused.class);
        return ((Decision.Refused) decision).refusal().reason();
    }

    private static long number(String digits) {
        return Long.parseLong(digits.replace("_", ""));
    }
}
