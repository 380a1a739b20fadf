package dev.leasehold.engine.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.internal.rules.HoldBasis;
import dev.leasehold.engine.internal.time.StampClock;
import dev.leasehold.engine.internal.time.Validity;
import dev.leasehold.engine.world.TestClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Until when a tenure is valid. */
class ValidityTrackerTest {

    private static final long SECOND = 1_000_000_000;
    private static final Tenure TENURE = new Tenure("billing", "nightly", "h", 1);

    private final TestClock source = new TestClock(TestClock.Z);
    private final StampClock clock = new StampClock(source);
    private final ValidityTracker validities = new ValidityTracker(clock);

    @Test
    @DisplayName("HA-11, SE-20: a suspend that stops the monotonic source ends it by the wall")
    void wallAloneEndsIt() {
        validities.begin(TENURE, sixtySeconds());

        source.stepWall(60 * SECOND);

        assertThat(validities.isValid(TENURE)).isFalse();
    }

    @Test
    void unknownTenureIsNotHeld() {
        validities.begin(TENURE, sixtySeconds());

        assertThat(validities.isValid(new Tenure("billing", "nightly", "h", 2))).isFalse();
        assertThat(validities.remainingNanos(new Tenure("billing", "nightly", "h2", 1)))
                .isZero();
    }

    @Test
    void laterValidityProlongsAndShorterOneDoesNotShorten() {
        validities.begin(TENURE, sixtySeconds());

        validities.begin(TENURE, term(SECOND));
        assertThat(validities.remainingNanos(TENURE)).isEqualTo(60 * SECOND);
        validities.begin(TENURE, term(90 * SECOND));

        assertThat(validities.remainingNanos(TENURE)).isEqualTo(90 * SECOND);
    }

    @Test
    @DisplayName(
            "What was decided before all validities ended, and is granted later, is told of as lost, and never valid")
    void whatWasDecidedBeforeAllEndedIsLost() {
        List<Reason> losses = new ArrayList<>();
        validities.listener((tenure, reason) -> losses.add(reason));
        validities.decides();
        validities.endAll(Reason.CLOCK_DOCUMENT_LOST);

        validities.begin(TENURE, sixtySeconds());

        assertThat(validities.isValid(TENURE)).isFalse();
        assertThat(validities.cutShortBy(TENURE)).isEqualTo(Reason.CLOCK_DOCUMENT_LOST);
        assertThat(losses).containsExactly(Reason.CLOCK_DOCUMENT_LOST);
    }

    @Test
    void whatIsDecidedAfterAllEndedIsValid() {
        validities.endAll(Reason.CLOCK_DOCUMENT_LOST);
        validities.decides();

        validities.begin(TENURE, sixtySeconds());

        assertThat(validities.isValid(TENURE)).isTrue();
    }

    @Test
    void givenUpIsGivenUpForGood() {
        validities.begin(TENURE, sixtySeconds());

        validities.end(TENURE);
        assertThat(validities.isValid(TENURE)).isFalse();
        validities.begin(TENURE, sixtySeconds());

        assertThat(validities.isValid(TENURE)).isFalse();
        assertThat(validities.get(TENURE)).isNull();
    }

    @Test
    void forgettingWhatWasGivenUpDoesNotBringToLightWhatWasFormedMeanwhile() {
        validities.begin(TENURE, sixtySeconds());
        validities.end(TENURE);
        validities.begin(TENURE, sixtySeconds());

        validities.forget(TENURE);

        assertThat(validities.isValid(TENURE)).isFalse();
    }

    @Test
    void givenUpIsKnownAsSuchUntilTheTenureIsOver() {
        assertThat(validities.isEnded(TENURE)).isFalse();

        validities.end(TENURE);
        assertThat(validities.isEnded(TENURE)).isTrue();
        validities.forget(TENURE);

        assertThat(validities.isEnded(TENURE)).isFalse();
    }

    @Test
    void givingOneTenureUpLeavesOthersAlone() {
        Tenure other = new Tenure("billing", "other", "h", 1);
        validities.begin(TENURE, sixtySeconds());
        validities.begin(other, sixtySeconds());

        validities.end(TENURE);

        assertThat(validities.isValid(other)).isTrue();
    }

    @Test
    void closingEndsAllForGood() {
        validities.begin(TENURE, sixtySeconds());

        validities.close();
        assertThat(validities.isValid(TENURE)).isFalse();
        validities.begin(TENURE, sixtySeconds());

        assertThat(validities.isValid(TENURE)).isFalse();
    }

    @Test
    void sweepingKeepsEveryValidityThatHolds() {
        for (int token = 1; token <= 1022; token++) {
            validities.begin(new Tenure("billing", "short", "h", token), term(1));
        }
        validities.begin(TENURE, sixtySeconds());
        source.advance(SECOND);

        validities.begin(new Tenure("billing", "next", "h", 1), sixtySeconds());

        assertThat(validities.isValid(TENURE)).isTrue();
        assertThat(validities.isValid(new Tenure("billing", "next", "h", 1))).isTrue();
        assertThat(validities.get(new Tenure("billing", "short", "h", 1)))
                .as("swept away")
                .isNull();
    }

    @Test
    void sweepingKeepsTheReasonOfWhatTimeOfDayHasEnded() {
        validities.begin(TENURE, sixtySeconds());
        source.stepWall(60 * SECOND);
        for (int token = 1; token <= 1023; token++) {
            validities.begin(new Tenure("billing", "short", "h", token), sixtySeconds());
        }
        assertThat(validities.cutShortByWallNanos(TENURE)).isEqualTo(60 * SECOND);
        assertThat(validities.isValid(TENURE)).isFalse();
    }

    @Test
    void whatACallerGivesUpStaysSoUntilItIsAnsweredWhateverElseIsForgotten() {
        validities.callerReleases(TENURE);
        validities.end(TENURE);
        validities.forget(TENURE);
        validities.begin(TENURE, sixtySeconds());
        assertThat(validities.isValid(TENURE)).isFalse();

        validities.callerAnswered(TENURE);
        assertThat(validities.isValid(TENURE)).isFalse();
    }

    @Test
    @DisplayName(
            "HA-17: what finds the end of a validity that a caller has released finds that out, also when the caller is answered")
    void whyAValidityIsOverThatACallerReleasedIsKnown() {
        validities.begin(TENURE, sixtySeconds());

        validities.callerReleases(TENURE);
        assertThat(validities.cutShortBy(TENURE)).isEqualTo(Reason.TAKEN_OVER);
        validities.callerAnswered(TENURE);
        assertThat(validities.cutShortBy(TENURE)).isEqualTo(Reason.TAKEN_OVER);
    }

    @Test
    @DisplayName("What a session keeps and a caller gave up in vain is valid again when it is granted again")
    void tenureOfASessionIsValidAgainWhenItIsGrantedAgain() {
        validities.acknowledged(Validity.from(clock.nowNanos(), clock.wallNanos(), 30 * SECOND));
        validities.begin(TENURE, new HoldBasis.Session());
        validities.callerReleases(TENURE);
        validities.callerAnswered(TENURE);
        assertThat(validities.isValid(TENURE)).isFalse();

        validities.begin(TENURE, new HoldBasis.Session());

        assertThat(validities.isValid(TENURE)).isTrue();
        assertThat(validities.cutShortBy(TENURE)).isNull();
    }

    @Test
    @DisplayName(
            "T2: a term whose outcome was unknown for long is bounded by the tightest stamp of all that were sent meanwhile")
    void tightestStampOfALongUnknownOutcomeCounts() {
        HoldBasis unknown = sixtySeconds();
        source.stepMonotonic(10 * SECOND);
        validities.issueStamp(clock.nowNanos(), clock.wallNanos());
        source.stepWall(10 * SECOND);
        for (int stamp = 0; stamp < 1000; stamp++) {
            source.advance(1);
            validities.issueStamp(clock.nowNanos(), clock.wallNanos());
        }
        validities.begin(TENURE, unknown);

        source.stepWall(40 * SECOND - 1001);
        assertThat(validities.remainingNanos(TENURE)).isEqualTo(1);
        source.stepWall(1);
        assertThat(validities.isValid(TENURE)).isFalse();
    }

    @Test
    @DisplayName("T2: stamps of before a round began bound nothing that is granted in it")
    void stampsOfBeforeBoundNothing() {
        source.stepMonotonic(10 * SECOND);
        validities.issueStamp(clock.nowNanos(), clock.wallNanos());
        validities.forgetStamps();
        validities.begin(TENURE, sixtySeconds());

        source.stepWall(60 * SECOND - 1);
        assertThat(validities.remainingNanos(TENURE)).isEqualTo(1);
    }

    @Test
    @DisplayName("HA-17: what finds the end of a validity that the database has ended finds that it was told why")
    void endsAreToldBeforeTheyAreSeen() {
        List<Tenure> told = new ArrayList<>();
        List<Tenure> keptBySession = new ArrayList<>(List.of(TENURE, new Tenure("billing", "other", "h", 1)));
        validities.listener((tenure, reason) -> {
            assertThat(validities.isValid(tenure)).as("seen before it was told").isTrue();
            told.add(tenure);
        });
        validities.acknowledged(Validity.from(clock.nowNanos(), clock.wallNanos(), 30 * SECOND));
        keptBySession.forEach(tenure -> validities.begin(tenure, new HoldBasis.Session()));
        Tenure term = new Tenure("billing", "term", "h", 1);
        validities.begin(term, sixtySeconds());

        validities.lost(term);
        validities.evicted();

        assertThat(told).startsWith(term).hasSize(3).containsAll(keptBySession);
        assertThat(told).noneMatch(validities::isValid);
        assertThat(validities.cutShortBy(term)).isEqualTo(Reason.TAKEN_OVER);
        assertThat(keptBySession).extracting(validities::cutShortBy).containsOnly(Reason.EVICTED);
    }

    @Test
    @DisplayName(
            "HA-17: what was ended under one tenure of a session ends no other, and what time ends is cut short by nothing")
    void endOfOneTenureOfASessionIsItsOwn() {
        Tenure other = new Tenure("billing", "other", "h", 1);
        validities.acknowledged(Validity.from(clock.nowNanos(), clock.wallNanos(), 30 * SECOND));
        validities.begin(TENURE, new HoldBasis.Session());
        validities.begin(other, new HoldBasis.Session());

        validities.lost(TENURE);

        assertThat(validities.isValid(other)).isTrue();
        assertThat(validities.cutShortBy(other)).isNull();
        source.advance(30 * SECOND);
        assertThat(validities.isValid(other)).isFalse();
        assertThat(validities.cutShortBy(other)).isNull();
        assertThat(validities.cutShortBy(TENURE)).isEqualTo(Reason.TAKEN_OVER);
    }

    @Test
    @DisplayName(
            "A session whose end another thread reports may be granted a lease at the same instant: that is over too")
    void endReportedDuringAGrant() {
        validities.listener((tenure, reason) -> {});
        AtomicBoolean granting = new AtomicBoolean(true);
        CompletableFuture<Void> reporting = CompletableFuture.runAsync(() -> {
            while (granting.get()) {
                validities.evicted();
            }
        });
        try {
            for (int i = 0; i < 500_000; i++) {
                validities.acknowledged(Validity.from(clock.nowNanos(), clock.wallNanos(), 30 * SECOND));
                validities.begin(TENURE, new HoldBasis.Session());
            }
        } finally {
            granting.set(false);
            reporting.join();
        }
        validities.evicted();

        assertThat(validities.isValid(TENURE)).isFalse();
    }

    private HoldBasis sixtySeconds() {
        return term(60 * SECOND);
    }

    private HoldBasis term(long durationNanos) {
        return new HoldBasis.Term(Validity.from(clock.nowNanos(), clock.wallNanos(), durationNanos));
    }
}
