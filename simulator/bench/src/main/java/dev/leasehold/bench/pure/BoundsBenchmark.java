package dev.leasehold.bench.pure;

import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.Observation;
import dev.leasehold.engine.internal.time.Validity;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** From when on a lease is certainly over for others, and until when its holder may believe. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BoundsBenchmark {

    private final Drift drift = new Drift(1_000);
    private final Validity validity = new Validity(Long.MAX_VALUE / 2, Long.MAX_VALUE / 2, 1);
    // No constants: the compiler would compute the answers beforehand.
    private long nowNanos = 1_767_225_600_000_000_000L;
    private long termNanos = 30_000_000_001L;

    /** Made by the harness. */
    public BoundsBenchmark() {}

    /** The bound of a term that another engine wrote. */
    @Benchmark
    public long safeAfter() {
        nowNanos++;
        return new Observation(nowNanos - 1, nowNanos, nowNanos).safeAfterNanos(nowNanos + termNanos, drift);
    }

    /** What a holder asks before each step. */
    @Benchmark
    public boolean validity() {
        nowNanos++;
        return validity.holdsAt(nowNanos, nowNanos);
    }
}
