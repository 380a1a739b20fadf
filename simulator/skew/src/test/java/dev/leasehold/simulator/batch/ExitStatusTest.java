package dev.leasehold.simulator.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.check.Promise;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExitStatusTest {

    private static Failure broken(Promise promise) {
        return new Failure.Broken(0, MadeUp.plan(1), MadeUp.violation(promise));
    }

    @ParameterizedTest
    @EnumSource(
            value = Promise.class,
            names = {"G7", "LIM"})
    void livenessAndLimitsHaveAnExitCodeOfTheirOwn(Promise promise) {
        assertThat(broken(promise).status().code()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = Promise.class,
            names = {"G7", "LIM"},
            mode = EnumSource.Mode.EXCLUDE)
    void everyOtherPromiseIsAMatterOfSafety(Promise promise) {
        assertThat(broken(promise).status().code()).isEqualTo(1);
    }

    @Test
    void theWorstFailureCounts() {
        assertThat(ExitStatus.of(List.of(broken(Promise.G7), broken(Promise.G1), broken(Promise.LIM)), List.of("A")))
                .isEqualTo(ExitStatus.UNSAFE);
    }

    @Test
    void aHistoryThatDoesNotRepeatProvesNothing() {
        Failure unrepeatable = new Failure.Unrepeatable(1, MadeUp.plan(1), "event 3 differs");
        assertThat(ExitStatus.of(List.of(broken(Promise.G1), unrepeatable), List.of()))
                .isEqualTo(ExitStatus.NOT_DETERMINISTIC);
        assertThat(ExitStatus.NOT_DETERMINISTIC.code()).isEqualTo(4);
    }

    @Test
    void aCrashHasAnExitCodeOfItsOwn() {
        assertThat(new Failure.Crashed(1, MadeUp.plan(1), new IllegalStateException())
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
