package dev.leasehold.engine.internal.metrics;

import dev.leasehold.engine.world.Thrown;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.cumulative.CumulativeCounter;
import io.micrometer.core.instrument.cumulative.CumulativeDistributionSummary;
import io.micrometer.core.instrument.cumulative.CumulativeTimer;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** After {@link #breakDown} every meter throws at every use, and none can be made or removed. */
public final class FailingRegistry extends SimpleMeterRegistry {

    private @Nullable Throwable broken;
    private int failures;

    void breakDown(Throwable thrown) {
        broken = thrown;
    }

    /** How often something was thrown. */
    int failures() {
        return failures;
    }

    private void throwIfBroken() {
        if (broken != null) {
            failures++;
            Thrown.asItIs(broken);
        }
    }

    @Override
    protected Counter newCounter(Meter.Id id) {
        throwIfBroken();
        return new CumulativeCounter(id) {
            @Override
            public void increment(double amount) {
                throwIfBroken();
                super.increment(amount);
            }
        };
    }

    @Override
    protected Timer newTimer(Meter.Id id, DistributionStatisticConfig statistics, PauseDetector pauses) {
        throwIfBroken();
        return new CumulativeTimer(id, clock, statistics, pauses, getBaseTimeUnit(), false) {
            @Override
            protected void recordNonNegative(long amount, TimeUnit unit) {
                throwIfBroken();
                super.recordNonNegative(amount, unit);
            }
        };
    }

    @Override
    protected DistributionSummary newDistributionSummary(
            Meter.Id id, DistributionStatisticConfig statistics, double scale) {
        throwIfBroken();
        return new CumulativeDistributionSummary(id, clock, statistics, scale, false) {
            @Override
            protected void recordNonNegative(double amount) {
                throwIfBroken();
                super.recordNonNegative(amount);
            }
        };
    }

    @Override
    protected <T> Gauge newGauge(Meter.Id id, T observed, ToDoubleFunction<T> value) {
        throwIfBroken();
        return super.newGauge(id, observed, value);
    }

    @Override
    public Meter remove(Meter.Id mappedId) {
        throwIfBroken();
        return super.remove(mappedId);
    }
}
