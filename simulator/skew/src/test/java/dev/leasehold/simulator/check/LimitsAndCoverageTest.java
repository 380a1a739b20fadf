package dev.leasehold.simulator.check;

import static dev.leasehold.simulator.check.Paper.S;
import static dev.leasehold.simulator.check.Promise.LIM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Limits of the world, and the states that are counted. */
class LimitsAndCoverageTest {

    private final Paper paper = new Paper();

    @Test
    void aWorldThatRunsInCirclesIsAViolation() {
        paper.tell(new Event.Exceeded(S, "more than 200000 steps in a second"));

        assertThat(paper.broken()).containsExactly(LIM);
    }

    @Test
    void anEngineThatBreaksIsAViolation() {
        paper.tell(new Event.Broken(S, 1, "a step: NullPointerException"));

        assertThat(paper.verdict().violations())
                .singleElement()
                .satisfies(violation -> assertThat(violation.sentence()).contains("m1", "NullPointerException"));
    }

    @Test
    void whoEndsWhatHasNotRestedForASecondIsHasty() {
        paper.at(S).beats(1);
        paper.tell(rescued(S, S)).tell(new Event.Reached(S, 0, Marks.RESCUED));
        assertThat(paper.broken()).isEmpty();

        paper.tell(rescued(S, S - 1));
        assertThat(paper.broken()).containsExactly(LIM);
    }

    @Test
    void whatThoseLeftOpenWhoseSessionIsOverNeedNotRest() {
        paper.at(S).beats(1);
        paper.at(11 * S + 1).tell(rescued(11 * S + 1, 0));
        assertThat(paper.broken()).isEmpty();

        paper.beats(1).at(12 * S + 1).beats(1);
        paper.tell(rescued(12 * S + 1, 0));
        assertThat(paper.broken()).containsExactly(LIM);
    }

    @Test
    void norWhatThoseLeftOpenOfWhoseLastSignsOfLifeNoMajorityHadHeard() {
        paper.at(S).beats(1).lag();
        paper.at(11 * S + 1).beats(1).at(12 * S).beats(1).at(13 * S).beats(1);
        paper.tell(rescued(13 * S, 0));
        assertThat(paper.broken()).isEmpty();

        paper.majority(2).at(14 * S).tell(rescued(14 * S, 0));
        assertThat(paper.broken()).containsExactly(LIM);
    }

    private static Event rescued(long atNanos, long restedNanos) {
        return new Event.Reached(atNanos, 0, Marks.RESCUED, new Event.Rest("m1#1i0n0", restedNanos));
    }

    @Test
    void theMapOfWritersIsBounded() {
        Findings findings = new Findings(paper.history().plan().setting());
        limits(findings).entries(96, 3, S);
        assertThat(findings.violations()).isEmpty();

        limits(findings).entries(97, 3, S);
        assertThat(findings.violations()).hasSize(1);
    }

    private LimitPromise limits(Findings findings) {
        return new LimitPromise(findings, new Trial(paper.history()).database());
    }

    @Test
    void violationsComeInTheOrderOfTheirInstants() {
        paper.at(S).claims(0, "a", 1, 10 * S);
        paper.at(2 * S).claims(1, "b", 1, 10 * S);
        paper.at(3 * S).tell(new Event.Broken(3 * S, 1, "end"));

        assertThat(paper.verdict().violations())
                .isSortedAccordingTo((one, other) -> Long.compare(one.atNanos(), other.atNanos()));
        assertThat(paper.verdict().first()).isNotNull();
    }

    @Test
    void aHistoryThatContradictsItselfIsNotJudged() {
        paper.tell(new Event.Lost(S, 0, 7, new HeldTenure(Paper.LEASE, "a", 1), "TIME_IS_OVER"));

        assertThatThrownBy(paper::verdict)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("engine 7 of machine 0");
    }

    // ---- coverage ----

    @Test
    void contentionIsCountedWhenItIsWonAndLost() {
        int loser = paper.at(S).call(1, Kind.CLAIM, "b", null, S);
        paper.claims(0, "a", 1, S);
        paper.at(2 * S).no(loser, "HELD", Paper.heldBy("a", 1));

        assertThat(paper.verdict().reached())
                .containsEntry("CONTENTION_WON", 1L)
                .containsEntry("CONTENTION_LOST", 1L);
    }

    @Test
    void anExtensionByAnotherEngineIsCounted() {
        HeldTenure a = paper.at(S).claims(0, "a", 1, S);
        paper.extend(1, a, S, paper.stamp(1) + S);

        assertThat(paper.verdict().reached()).containsEntry("EXTENDED_ELSEWHERE", 1L);
    }

    @Test
    void faultsAndMarksAreCountedByTheirNames() {
        paper.fault(0, "PAUSE", S)
                .fault(-1, "LAG", S)
                .fault(-1, "LAG", S)
                .tell(new Event.Reached(S, -1, Marks.CONFLICT));

        assertThat(paper.verdict().reached())
                .containsEntry("PAUSE", 1L)
                .containsEntry("LAG", 2L)
                .containsEntry("CONFLICT", 1L);
    }

    @Test
    void aHeartbeatThatComesAfterTheEndOfItsSessionIsLate() {
        paper.at(S).beats(0).at(11 * S).beats(0);
        assertThat(paper.verdict().reached()).doesNotContainKey("LATE_HEARTBEAT");

        paper.at(21 * S + 1).beats(0);
        assertThat(paper.verdict().reached()).containsEntry("LATE_HEARTBEAT", 1L);
    }

    @Test
    void aCrashDuringACallIsCounted() {
        paper.at(S).call(0, Kind.CLAIM, "a", null, S);
        paper.crash(0);

        assertThat(paper.verdict().reached()).containsEntry("REBOOT_DURING_OPERATION", 1L);
    }

    @Test
    void whatABatchDidNotReachIsMissing() {
        TreeMap<String, Long> reached = new TreeMap<>();
        assertThat(Coverage.missing("calm", reached)).contains("CONTENTION_LOST", "ASSERTION_PASSED");

        Coverage.required("calm").forEach(state -> reached.put(state, 1L));
        assertThat(Coverage.missing("calm", reached)).isEmpty();
    }
}
