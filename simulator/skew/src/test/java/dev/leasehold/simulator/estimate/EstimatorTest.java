package dev.leasehold.simulator.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

    private static EstimateSettings settings(long sessionNanos, long termNanos, int clients) {
        return new EstimateSettings(
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
            return new Estimator(runner, settings(20 * SECOND, 30 * SECOND, 3), seed, 4, played -> {}).estimate();
        }
    }

    private static List<Estimate.Line> lines(long seed, HolderCase holder) {
        List<Estimate.Line> lines = estimate(seed).lines().stream()
                .filter(line -> line.holder() == holder)
                .toList();
        assertThat(lines).hasSize(2);
        return lines;
    }

    @Test
    void anIdleHolderIsReplacedWithinTheComputedBoundAndNotBeforeItsLeaseIsOver() {
        EstimateSettings settings = settings(20 * SECOND, 30 * SECOND, 3);
        assertThat(lines(1, HolderCase.DIES)).allSatisfy(line -> {
            assertThat(line.delaysNanos()).hasSize(4);
            assertThat(line.quantileNanos(1)).isLessThanOrEqualTo(settings.boundNanos(line.kind()));
            assertThat(line.quantileNanos(0.01))
                    .isGreaterThan(settings.lengthNanos(line.kind()) - settings.renewalNanos(line.kind()) - SECOND);
        });
    }

    @Test
    void aLiveHoldersTransactionsAreNotRefused() {
        assertThat(lines(2, HolderCase.WORKS)).allSatisfy(line -> {
            assertThat(line.gates()).isGreaterThan(100);
            assertThat(line.refused()).isZero();
        });
    }

    @Test
    void aProcessThatGoesOnForAReplacedHolderIsRefused() {
        assertThat(lines(2, HolderCase.STALLS)).allSatisfy(line -> {
            assertThat(line.refused()).isPositive();
            assertThat(line.refused()).isLessThan(line.gates() / 2);
        });
    }

    @Test
    void theSameSeedMakesTheSameEstimate() {
        assertThat(estimate(3).text()).isEqualTo(estimate(3).text());
    }

    @Test
    void everyHistoryIsCounted() {
        List<Integer> played = new ArrayList<>();
        try (EngineRunner runner = new EngineRunner()) {
            new Estimator(runner, settings(SECOND, SECOND, 2), 1, 1, played::add).estimate();
        }
        assertThat(played).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(Estimator.total(1)).isEqualTo(8);
    }

    @Property(tries = 300)
    void everyPlanIsValid(
            @ForAll long seed,
            @ForAll LeaseKind kind,
            @ForAll HolderCase holder,
            @ForAll @LongRange(min = 500, max = 600_000) long sessionMillis,
            @ForAll @LongRange(min = 500, max = 600_000) long termMillis,
            @ForAll @IntRange(min = 2, max = 50) int clients) {
        EstimateSettings settings = new EstimateSettings(
                sessionMillis * MILLI,
                sessionMillis * MILLI / 3,
                termMillis * MILLI,
                200_000,
                new Span(0, 25 * MILLI),
                new Span(0, 50 * MILLI),
                clients,
                6,
                new Span(0, 500 * MILLI));
        Plan plan = new EstimatePlan(settings, kind, holder, seed).plan();
        PlanRules.check(plan);
        assertThat(plan.machines()).hasSize(clients + 2);
    }

    @Test
    void whatNoEngineAcceptsIsRefused() {
        assertThatThrownBy(() -> settings(SECOND / 10, SECOND, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("session 100 ms is refused: 500 ms to 600 s are possible");
        assertThatThrownBy(() -> settings(SECOND, SECOND, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("number of clients 1 is refused: 2 to 50 are possible");
    }
}
