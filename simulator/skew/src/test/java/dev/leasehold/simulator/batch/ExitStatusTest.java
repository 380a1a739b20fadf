package dev.leasehold.simulator.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.checker.Guarantee;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExitStatusTest {

    private static Failure broken(Guarantee guarantee) {
        return Failure.broken(0, MadeUp.plan(1), MadeUp.violation(guarantee));
    }

    @ParameterizedTest
    @EnumSource(
            value = Guarantee.class,
            names = {"G7", "LIM"})
    void livenessAndLimitsHaveAnExitCodeOfTheirOwn(Guarantee guarantee) {
        assertThat(broken(guarantee).status().code()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = Guarantee.class,
            names = {"G7", "LIM"},
            mode = EnumSource.Mode.EXCLUDE)
    void everyOtherInvariantIsAMatterOfSafety(Guarantee guarantee) {
        assertThat(broken(guarantee).status().code()).isEqualTo(1);
    }

    @Test
    void theWorstFailureCounts() {
        assertThat(ExitStatus.of(
                        List.of(broken(Guarantee.G7), broken(Guarantee.G1), broken(Guarantee.LIM)), List.of("A")))
                .isEqualTo(ExitStatus.UNSAFE);
    }

    @Test
    void aHistoryThatDoesNotRepeatProvesNothing() {
        Failure unrepeatable = Failure.unrepeatable(1, MadeUp.plan(1), "event 3 differs");
        assertThat(ExitStatus.of(List.of(broken(Guarantee.G1), unrepeatable), List.of()))
                .isEqualTo(ExitStatus.NOT_DETERMINISTIC);
        assertThat(ExitStatus.NOT_DETERMINISTIC.code()).isEqualTo(4);
    }

    @Test
    void aCrashHasAnExitCodeOfItsOwn() {
        assertThat(Failure.crashed(1, MadeUp.plan(1), new IllegalStateException())
                        .status()
                        .code())
                .isEqualTo(5);
    }

    @Test
    void aBatchThatWasBlindIsNoProof() {
        assertThat(ExitStatus.of(List.of(), List.of("TAKEN_OVER")).code()).isEqualTo(3);
        assertThat(ExitStatus.of(List.of(), List.of()).code()).isZero();
    }
}
