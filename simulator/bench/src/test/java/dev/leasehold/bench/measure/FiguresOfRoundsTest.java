package dev.leasehold.bench.measure;

import static dev.leasehold.bench.measure.Made.series;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Spreads, ratios, timings and how values are shown. */
class FiguresOfRoundsTest {

    @Test
    void theMedianIsTheOneInTheMiddleWhateverTheOrder() {
        assertThat(Spread.of(List.of(3.0, 1.0, 100.0))).isEqualTo(new Spread(1, 3, 100));
    }

    @Test
    void ofAnEvenNumberTheMedianIsTheMeanOfTheTwoInTheMiddle() {
        assertThat(Spread.of(List.of(4.0, 1.0, 2.0, 100.0))).isEqualTo(new Spread(1, 3, 100));
    }

    @Test
    void aSpreadOfNothingIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Spread.of(List.of()))
                .withMessageContaining("no values");
    }

    @Test
    void ratiosAreTakenRoundByRound() {
        Series above = series("above", Role.OURS, Quantity.P50, 10, 40, 90);
        Series below = series("below", Role.BARE, Quantity.P50, 10, 20, 30);

        assertThat(above.ratioTo(below, Quantity.P50)).isEqualTo(new Spread(1, 2, 3));
    }

    @Test
    void roundsThatAreNotTheSameAreNotCompared() {
        Series three = series("three", Role.OURS, Quantity.P50, 1, 2, 3);
        Series two = series("two", Role.BARE, Quantity.P50, 1, 2);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> three.ratioTo(two, Quantity.P50))
                .withMessageContaining("'three' has 3 rounds and 'two' has 2");
    }

    @Test
    void timingsTellPercentilesAndRate() {
        Histogram latencies = Timings.newHistogram();
        for (int millis = 1; millis <= 100; millis++) {
            latencies.recordValue(millis * 1_000_000L);
        }
        Sample sample = Timings.ofAll(latencies, 2_000_000_000L);

        assertThat(sample.of(Quantity.P50)).isCloseTo(50e6, within(0.1e6));
        assertThat(sample.of(Quantity.P99)).isCloseTo(99e6, within(0.1e6));
        assertThat(sample.of(Quantity.MAX)).isCloseTo(100e6, within(0.1e6));
        assertThat(sample.of(Quantity.RATE)).isEqualTo(50);
        assertThat(sample.operations()).isEqualTo(100);
    }

    @Test
    void theRateIsOfWhatEndedInTime() {
        Histogram latencies = Timings.newHistogram();
        latencies.recordValueWithCount(1_000_000, 100);

        assertThat(new Timings(latencies, 90, 2_000_000_000L, null, null)
                        .sample()
                        .of(Quantity.RATE))
                .isEqualTo(45);
    }

    @Test
    void aSampleSaysNothingOfWhatItHasNot() {
        Sample sample = Timings.ofAll(Timings.newHistogram(), 1);

        assertThat(sample.values()).doesNotContainKeys(Quantity.BYTES, Quantity.PROCESSOR, Quantity.THREAD_WAITS);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sample.of(Quantity.BYTES))
                .withMessageContaining("bytes per lease");
    }

    @Test
    void valuesAreShownInTheUnitThatPeopleRead() {
        assertThat(Unit.TIME.show(6_140_000)).isEqualTo("6.14 ms");
        assertThat(Unit.TIME.show(86_000_000_000.0)).isEqualTo("86.0 s");
        assertThat(Unit.TIME.show(400_000)).isEqualTo("400 µs");
        assertThat(Unit.TIME.show(34)).isEqualTo("34.0 ns");
        assertThat(Unit.RATE.show(7_587)).isEqualTo("7,587/s");
        assertThat(Unit.COUNT.show(0.0001)).isEqualTo("0.000100");
        assertThat(Unit.COUNT.show(0)).isEqualTo("0.00");
    }
}
