package dev.leasehold.engine.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.byhand.HandClock;
import dev.leasehold.engine.protocol.Hold;
import dev.leasehold.engine.time.Belief;
import dev.leasehold.engine.time.StampClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What callers may believe, and for how long. */
class BeliefsTest {

    private static final long SECOND = 1_000_000_000;
    private static final long HOUR = 3600 * SECOND;
    private static final Tenure TENURE = new Tenure("billing", "nightly", "h", 1);

    private final HandClock source = new HandClock(HandClock.Z);
    private final StampClock clock = new StampClock(source);
    private final Beliefs beliefs = new Beliefs(clock);

    @Test
    @DisplayName("HA-10: held up to the last nanosecond, and not at the end itself")
    void beliefEndsAtItsEnd() {
        beliefs.form(TENURE, sixtySeconds());

        source.advance(60 * SECOND - 1);
        assertThat(beliefs.holds(TENURE)).isTrue();
        assertThat(beliefs.remainingNanos(TENURE)).isEqualTo(1);
        source.advance(1);
        assertThat(beliefs.holds(TENURE)).isFalse();
        assertThat(beliefs.remainingNanos(TENURE)).isZero();
    }

    @Test
    @DisplayName("HA-11, SE-20: a suspend that stops the monotonic source ends it by the wall")
    void wallAloneEndsIt() {
        beliefs.form(TENURE, sixtySeconds());

        source.stepWall(60 * SECOND);

        assertThat(beliefs.holds(TENURE)).isFalse();
    }

    @Test
    @DisplayName("HA-12: a wall that goes back does not prolong it")
    void monotonicAloneEndsIt() {
        beliefs.form(TENURE, sixtySeconds());

        source.stepWall(-HOUR);
        source.stepMonotonic(60 * SECOND);

        assertThat(beliefs.holds(TENURE)).isFalse();
    }

    @Test
    void unknownTenureIsNotHeld() {
        beliefs.form(TENURE, sixtySeconds());

        assertThat(beliefs.holds(new Tenure("billing", "nightly", "h", 2))).isFalse();
        assertThat(beliefs.remainingNanos(new Tenure("billing", "nightly", "h2", 1)))
                .isZero();
    }

    @Test
    void laterBeliefProlongsAndShorterOneDoesNotShorten() {
        beliefs.form(TENURE, sixtySeconds());

        beliefs.form(TENURE, term(SECOND));
        assertThat(beliefs.remainingNanos(TENURE)).isEqualTo(60 * SECOND);
        beliefs.form(TENURE, term(90 * SECOND));

        assertThat(beliefs.remainingNanos(TENURE)).isEqualTo(90 * SECOND);
    }

    @Test
    void givenUpIsGivenUpForGood() {
        beliefs.form(TENURE, sixtySeconds());

        beliefs.giveUp(TENURE);
        assertThat(beliefs.holds(TENURE)).isFalse();
        beliefs.form(TENURE, sixtySeconds());

        assertThat(beliefs.holds(TENURE)).isFalse();
        assertThat(beliefs.get(TENURE)).isNull();
    }

    @Test
    void forgettingWhatWasGivenUpDoesNotBringToLightWhatWasFormedMeanwhile() {
        beliefs.form(TENURE, sixtySeconds());
        beliefs.giveUp(TENURE);
        beliefs.form(TENURE, sixtySeconds());

        beliefs.forget(TENURE);

        assertThat(beliefs.holds(TENURE)).isFalse();
    }

    @Test
    void givenUpIsKnownAsSuchUntilTheTenureIsOver() {
        assertThat(beliefs.isGivenUp(TENURE)).isFalse();

        beliefs.giveUp(TENURE);
        assertThat(beliefs.isGivenUp(TENURE)).isTrue();
        beliefs.forget(TENURE);

        assertThat(beliefs.isGivenUp(TENURE)).isFalse();
    }

    @Test
    void givingOneTenureUpLeavesOthersAlone() {
        Tenure other = new Tenure("billing", "other", "h", 1);
        beliefs.form(TENURE, sixtySeconds());
        beliefs.form(other, sixtySeconds());

        beliefs.giveUp(TENURE);

        assertThat(beliefs.holds(other)).isTrue();
    }

    @Test
    void closingEndsAllForGood() {
        beliefs.form(TENURE, sixtySeconds());

        beliefs.close();
        assertThat(beliefs.holds(TENURE)).isFalse();
        beliefs.form(TENURE, sixtySeconds());

        assertThat(beliefs.holds(TENURE)).isFalse();
    }

    @Test
    void sweepingKeepsEveryBeliefThatHolds() {
        for (int token = 1; token <= 1022; token++) {
            beliefs.form(new Tenure("billing", "short", "h", token), term(1));
        }
        beliefs.form(TENURE, sixtySeconds());
        source.advance(SECOND);

        beliefs.form(new Tenure("billing", "next", "h", 1), sixtySeconds());

        assertThat(beliefs.holds(TENURE)).isTrue();
        assertThat(beliefs.holds(new Tenure("billing", "next", "h", 1))).isTrue();
        assertThat(beliefs.get(new Tenure("billing", "short", "h", 1)))
                .as("swept away")
                .isNull();
    }

    @Test
    void sweepingKeepsTheReasonOfWhatTimeOfDayHasEnded() {
        beliefs.form(TENURE, sixtySeconds());
        source.stepWall(60 * SECOND);
        for (int token = 1; token <= 1023; token++) {
            beliefs.form(new Tenure("billing", "short", "h", token), sixtySeconds());
        }
        assertThat(beliefs.cutShortByWallNanos(TENURE)).isEqualTo(60 * SECOND);
        assertThat(beliefs.holds(TENURE)).isFalse();
    }

    @Test
    void whatACallerGivesUpStaysSoUntilItIsAnsweredWhateverElseIsForgotten() {
        beliefs.callerGivesUp(TENURE);
        beliefs.giveUp(TENURE);
        beliefs.forget(TENURE);
        beliefs.form(TENURE, sixtySeconds());
        assertThat(beliefs.holds(TENURE)).isFalse();

        beliefs.callerIsAnswered(TENURE);
        assertThat(beliefs.holds(TENURE)).isFalse();
    }

    @Test
    @DisplayName(
            "HA-17: whoever finds the end of a belief that a caller has given up finds that out, also when the caller is answered")
    void whyABeliefIsOverThatACallerGaveUpIsKnown() {
        beliefs.form(TENURE, sixtySeconds());

        beliefs.callerGivesUp(TENURE);
        assertThat(beliefs.cutShortBy(TENURE)).isEqualTo(Reason.TAKEN_OVER);
        beliefs.callerIsAnswered(TENURE);
        assertThat(beliefs.cutShortBy(TENURE)).isEqualTo(Reason.TAKEN_OVER);
    }

    @Test
    @DisplayName("What a session keeps and a caller gave up in vain is believed in again when it is granted again")
    void tenureOfASessionIsBelievedInAgainWhenItIsGrantedAgain() {
        beliefs.acknowledged(Belief.from(clock.nowNanos(), clock.wallNanos(), 30 * SECOND));
        beliefs.form(TENURE, new Hold.Session());
        beliefs.callerGivesUp(TENURE);
        beliefs.callerIsAnswered(TENURE);
        assertThat(beliefs.holds(TENURE)).isFalse();

        beliefs.form(TENURE, new Hold.Session());

        assertThat(beliefs.holds(TENURE)).isTrue();
        assertThat(beliefs.cutShortBy(TENURE)).isNull();
    }

    @Test
    @DisplayName(
            "T2: a term whose outcome was in doubt for long is bounded by the tightest stamp of all that were sent meanwhile")
    void tightestStampOfALongDoubtCounts() {
        Hold doubted = sixtySeconds();
        source.stepMonotonic(10 * SECOND);
        beliefs.stamped(clock.nowNanos(), clock.wallNanos());
        source.stepWall(10 * SECOND);
        for (int stamp = 0; stamp < 1000; stamp++) {
            source.advance(1);
            beliefs.stamped(clock.nowNanos(), clock.wallNanos());
        }
        beliefs.form(TENURE, doubted);

        source.stepWall(40 * SECOND - 1001);
        assertThat(beliefs.remainingNanos(TENURE)).isEqualTo(1);
        source.stepWall(1);
        assertThat(beliefs.holds(TENURE)).isFalse();
    }

    @Test
    @DisplayName("T2: stamps of before a round began bound nothing that is granted in it")
    void stampsOfBeforeBoundNothing() {
        source.stepMonotonic(10 * SECOND);
        beliefs.stamped(clock.nowNanos(), clock.wallNanos());
        beliefs.forgetStamps();
        beliefs.form(TENURE, sixtySeconds());

        source.stepWall(60 * SECOND - 1);
        assertThat(beliefs.remainingNanos(TENURE)).isEqualTo(1);
    }

    @Test
    @DisplayName("HA-17: whoever finds the end of a belief that the database has ended finds that it was told why")
    void endsAreToldBeforeTheyAreSeen() {
        List<Tenure> told = new ArrayList<>();
        List<Tenure> keptBySession = new ArrayList<>(List.of(TENURE, new Tenure("billing", "other", "h", 1)));
        beliefs.tell((tenure, reason) -> {
            assertThat(beliefs.holds(tenure)).as("seen before it was told").isTrue();
            told.add(tenure);
        });
        beliefs.acknowledged(Belief.from(clock.nowNanos(), clock.wallNanos(), 30 * SECOND));
        keptBySession.forEach(tenure -> beliefs.form(tenure, new Hold.Session()));
        Tenure term = new Tenure("billing", "term", "h", 1);
        beliefs.form(term, sixtySeconds());

        beliefs.lost(term);
        beliefs.evicted();

        assertThat(told).startsWith(term).hasSize(3).containsAll(keptBySession);
        assertThat(told).noneMatch(beliefs::holds);
        assertThat(beliefs.cutShortBy(term)).isEqualTo(Reason.TAKEN_OVER);
        assertThat(keptBySession).extracting(beliefs::cutShortBy).containsOnly(Reason.EVICTED);
    }

    @Test
    @DisplayName(
            "HA-17: what was ended under one tenure of a session ends no other, and what time ends is cut short by nothing")
    void endOfOneTenureOfASessionIsItsOwn() {
        Tenure other = new Tenure("billing", "other", "h", 1);
        beliefs.acknowledged(Belief.from(clock.nowNanos(), clock.wallNanos(), 30 * SECOND));
        beliefs.form(TENURE, new Hold.Session());
        beliefs.form(other, new Hold.Session());

        beliefs.lost(TENURE);

        assertThat(beliefs.holds(other)).isTrue();
        assertThat(beliefs.cutShortBy(other)).isNull();
        source.advance(30 * SECOND);
        assertThat(beliefs.holds(other)).isFalse();
        assertThat(beliefs.cutShortBy(other)).isNull();
        assertThat(beliefs.cutShortBy(TENURE)).isEqualTo(Reason.TAKEN_OVER);
    }

    private Hold sixtySeconds() {
        return term(60 * SECOND);
    }

    private Hold term(long durationNanos) {
        return new Hold.Term(Belief.from(clock.nowNanos(), clock.wallNanos(), durationNanos));
    }
}
