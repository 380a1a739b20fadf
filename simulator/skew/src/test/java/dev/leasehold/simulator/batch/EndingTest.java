package dev.leasehold.simulator.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.report.Statistics;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EndingTest {

    private static Failure broken(Guarantee guarantee) {
        return new Failure.Broken(0, MadeUp.plan(1), MadeUp.violation(guarantee));
    }

    @ParameterizedTest
    @EnumSource(
            value = Guarantee.class,
            names = {"G7", "LIM"})
    void livenessAndLimitsHaveAnExitCodeOfTheirOwn(Guarantee guarantee) {
        assertThat(Ending.of(broken(guarantee)).exitCode()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = Guarantee.class,
            names = {"G7", "LIM"},
            mode = EnumSource.Mode.EXCLUDE)
    void everyOtherPromiseIsAMatterOfSafety(Guarantee guarantee) {
        assertThat(Ending.of(broken(guarantee)).exitCode()).isEqualTo(1);
    }

    @Test
    void theWorstFailureCounts() {
        assertThat(Ending.of(List.of(broken(Guarantee.G7), broken(Guarantee.G1), broken(Guarantee.LIM)), List.of("A")))
                .isEqualTo(Ending.UNSAFE);
    }

    @Test
    void aHistoryThatDoesNotRepeatProvesNothing() {
        Failure unrepeatable = new Failure.Unrepeatable(1, MadeUp.plan(1), "event 3 differs");
        assertThat(Ending.of(List.of(broken(Guarantee.G1), unrepeatable), List.of()))
                .isEqualTo(Ending.NOT_DETERMINISTIC);
        assertThat(Ending.NOT_DETERMINISTIC.exitCode()).isEqualTo(4);
    }

    @Test
    void aCrashHasAnExitCodeOfItsOwn() {
        assertThat(Ending.of(new Failure.Crashed(1, MadeUp.plan(1), new IllegalStateException()))
                        .exitCode())
                .isEqualTo(5);
    }

    @Test
    void aBatchThatWasBlindIsNoProof() {
        assertThat(Ending.of(List.of(), List.of("TAKEN_OVER")).exitCode()).isEqualTo(3);
        assertThat(Ending.of(List.of(), List.of()).exitCode()).isZero();
    }

    @Test
    void aLargeBatchMustHaveReachedWhatItsProfileAsksFor() {
        assertThat(Expectations.missing("tight", statistics(Expectations.HISTORIES_MIN)))
                .isEqualTo(Expectations.required("tight"));
    }

    @Test
    void aSmallBatchMayHaveReachedNothing() {
        assertThat(Expectations.missing("tight", statistics(Expectations.HISTORIES_MIN - 1)))
                .isEmpty();
    }

    private static Statistics statistics(long histories) {
        Statistics statistics = new Statistics();
        Verdict verdict = new Verdict(List.of(), 0, new TreeMap<>());
        History history = new History(MadeUp.plan(1), List.of(), List.of(), 1);
        for (long i = 0; i < histories; i++) {
            statistics.add(history, verdict);
        }
        return statistics;
    }
}
