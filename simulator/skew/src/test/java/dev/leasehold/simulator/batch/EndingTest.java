package dev.leasehold.simulator.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.check.Coverage;
import dev.leasehold.simulator.check.Promise;
import dev.leasehold.simulator.check.Verdict;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.report.Statistics;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EndingTest {

    private static Failure broken(Promise promise) {
        return new Failure.Broken(0, MadeUp.plan(1), MadeUp.violation(promise));
    }

    @ParameterizedTest
    @EnumSource(
            value = Promise.class,
            names = {"G7", "LIM"})
    void livenessAndLimitsHaveAnExitCodeOfTheirOwn(Promise promise) {
        assertThat(Ending.of(broken(promise)).exitCode()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = Promise.class,
            names = {"G7", "LIM"},
            mode = EnumSource.Mode.EXCLUDE)
    void everyOtherPromiseIsAMatterOfSafety(Promise promise) {
        assertThat(Ending.of(broken(promise)).exitCode()).isEqualTo(1);
    }

    @Test
    void theWorstFailureCounts() {
        assertThat(Ending.of(List.of(broken(Promise.G7), broken(Promise.G1), broken(Promise.LIM)), List.of("A")))
                .isEqualTo(Ending.UNSAFE);
    }

    @Test
    void aHistoryThatDoesNotRepeatProvesNothing() {
        Failure unrepeatable = new Failure.Unrepeatable(1, MadeUp.plan(1), "event 3 differs");
        assertThat(Ending.of(List.of(broken(Promise.G1), unrepeatable), List.of()))
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
                .isEqualTo(Coverage.required("tight"));
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
