package dev.leasehold.simulator.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.simulator.estimate.Circumstances.Kind;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.PlanRules;
import dev.leasehold.simulator.run.EngineRunner;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class EstimatorTest {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    private static Circumstances circumstances(long sessionNanos, long termNanos, int clients) {
        return new Circumstances(
                sessionNanos,
                sessionNanos / 3,
                termNanos,
                1_000,
                new Span(MILLI, 5 * MILLI),
                new Span(MILLI, 3 * MILLI),
                clients,
                60,
                new Span(5 * MILLI, 20 * MILLI));
    }

    private static Estimate estimate(long seed) {
        try (EngineRunner runner = new EngineRunner()) {
            return new Estimator(runner, circumstances(20 * SECOND, 30 * SECOND, 3), seed, 4, played -> {}).estimate();
        }
    }

    @Test
    void whoDiesIdleIsReplacedWithinTheComputedBoundAndNotBeforeItsLeaseIsOver() {
        List<TakeOvers> idle = new ArrayList<>(estimate(1).takeOvers());
        idle.removeIf(line -> line.scenario() != Scenario.DIES);
        assertThat(idle).hasSize(2).allSatisfy(line -> {
            Circumstances circumstances = circumstances(20 * SECOND, 30 * SECOND, 3);
            assertThat(line.never()).isZero();
            assertThat(line.delays().size()).isEqualTo(4);
            assertThat(line.delays().maxNanos()).isLessThanOrEqualTo(line.ruleNanos());
            assertThat(line.delays().quantileNanos(0.01))
                    .isGreaterThan(
                            circumstances.lengthNanos(line.kind()) - circumstances.renewalNanos(line.kind()) - SECOND);
        });
    }

    @Test
    void aLiveHoldersTransactionsAreNotRefused() {
        assertThat(estimate(2).gates())
                .filteredOn(line -> line.scenario() == Scenario.WORKS)
                .hasSize(2)
                .allSatisfy(line -> {
                    assertThat(line.shares().transactions()).isGreaterThan(100);
                    assertThat(line.shares().refused()).isZero();
                });
    }

    @Test
    void whoGoesOnForAHolderThatWasReplacedIsRefused() {
        assertThat(estimate(2).gates())
                .filteredOn(line -> line.scenario() == Scenario.STALLS)
                .hasSize(2)
                .allSatisfy(line -> {
                    assertThat(line.shares().refused()).isPositive();
                    assertThat(line.shares().refused()).isLessThan(line.shares().transactions() / 2);
                    assertThat(line.shares().runsAgain())
                            .isLessThan(line.shares().refused());
                });
    }

    @Test
    void theSameSeedMakesTheSameEstimate() {
        assertThat(EstimateText.of(estimate(3))).isEqualTo(EstimateText.of(estimate(3)));
    }

    @Test
    void everyHistoryIsCounted() {
        List<Integer> played = new ArrayList<>();
        try (EngineRunner runner = new EngineRunner()) {
            new Estimator(runner, circumstances(SECOND, SECOND, 2), 1, 1, played::add).estimate();
        }
        assertThat(played).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(Estimator.total(1)).isEqualTo(8);
    }

    @Property(tries = 300)
    void everyPlanIsValid(
            @ForAll long seed,
            @ForAll Kind kind,
            @ForAll Scenario scenario,
            @ForAll @LongRange(min = 500, max = 600_000) long sessionMillis,
            @ForAll @LongRange(min = 500, max = 600_000) long termMillis,
            @ForAll @IntRange(min = 2, max = 50) int clients) {
        Circumstances circumstances = new Circumstances(
                sessionMillis * MILLI,
                sessionMillis * MILLI / 3,
                termMillis * MILLI,
                200_000,
                new Span(0, 25 * MILLI),
                new Span(0, 50 * MILLI),
                clients,
                6,
                new Span(0, 500 * MILLI));
        Plan plan = new PlanDraw(circumstances, kind, scenario, seed).plan();
        PlanRules.check(plan);
        assertThat(plan.machines()).hasSize(clients + 2);
    }

    @Test
    void whatNoEngineAcceptsIsRefused() {
        assertThatThrownBy(() -> circumstances(SECOND / 10, SECOND, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("session 100 ms is refused: 500 ms to 600 s are possible");
        assertThatThrownBy(() -> circumstances(SECOND, SECOND, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("number of clients 1 is refused: 2 to 50 are possible");
    }
}
