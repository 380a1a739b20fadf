package dev.leasehold.bench.pure;

import dev.leasehold.engine.protocol.Decide;
import dev.leasehold.engine.protocol.Decision;
import dev.leasehold.engine.protocol.Memory;
import dev.leasehold.engine.protocol.Request;
import dev.leasehold.engine.protocol.Sighting;
import dev.leasehold.engine.protocol.Situation;
import dev.leasehold.engine.store.LeaseDocument;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What follows from a request and what was seen. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DecideBenchmark {

    private static final long NOW_NANOS = 1_767_225_600_000_000_000L;
    private static final long MINUTE_NANOS = 60_000_000_000L;
    private static final String NAMESPACE = "billing";
    private static final String NAME = "nightly-invoices";
    private static final String WRITER = "orders-7:1";

    private final Situation at = new Situation(NAMESPACE, WRITER, NOW_NANOS, NOW_NANOS, NOW_NANOS, 0);
    private final Sighting vacant = sighting(null, null, NOW_NANOS);
    private final Sighting held = sighting("other", NOW_NANOS, NOW_NANOS + MINUTE_NANOS);
    private final Sighting expired = sighting("other", NOW_NANOS - MINUTE_NANOS, NOW_NANOS - 1);

    /** Made by the harness. */
    public DecideBenchmark() {}

    private static Sighting sighting(@Nullable String holder, @Nullable Long expiryNanos, long safeAfterNanos) {
        LeaseDocument document = new LeaseDocument(
                NAMESPACE,
                NAME,
                holder,
                3,
                "orders-8:1",
                NOW_NANOS - 2 * MINUTE_NANOS,
                expiryNanos,
                0,
                null,
                Instant.EPOCH,
                Set.of());
        return new Sighting.Lease(document, false, false, safeAfterNanos, null);
    }

    /** A vacant lease is acquired for the session. */
    @Benchmark
    public Decision acquireVacant() {
        return Decide.decide(new Request.Acquire(NAME, "me", null, null), vacant, at, Memory.NOTHING);
    }

    /** A lease that another one holds is refused. */
    @Benchmark
    public Decision refuseHeld() {
        return Decide.decide(new Request.Acquire(NAME, "me", null, null), held, at, Memory.NOTHING);
    }

    /** A lease whose term is certainly over is taken. */
    @Benchmark
    public Decision takeExpired() {
        return Decide.decide(new Request.TakeOver(NAME, "me", MINUTE_NANOS, null), expired, at, Memory.NOTHING);
    }
}
