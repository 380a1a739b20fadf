package dev.leasehold.bench.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class CostMeterTest {

    @Test
    @EnabledOnOs(OS.LINUX)
    @Timeout(60)
    void aThreadThatSleepsHasAWait() throws Exception {
        CostMeter meter = new CostMeter();

        // On a busy machine a sleep may be over before the thread has left its processor.
        while (meter.cost().threadWaits() <= 0) {
            Thread.sleep(1);
        }

        assertThat(meter.cost().processorNanos()).isNotNegative();
    }
}
