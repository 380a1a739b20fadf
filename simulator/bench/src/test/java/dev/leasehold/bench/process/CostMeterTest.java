package dev.leasehold.bench.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.bench.adapters.Turn;
import dev.leasehold.bench.measure.ProcessCost;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CostMeterTest {

    @Test
    void aTurnInWhichAThreadSleepsHasAWaitWhereTheSystemTellsThem() throws Exception {
        ProcessCost cost = CostMeter.during(Turn.from(System.nanoTime(), Duration.ZERO, Duration.ofMillis(20)));

        assertThat(cost.processorNanos()).isNotNegative();
        assertThat(cost.threadWaits()).isNotZero();
    }
}
