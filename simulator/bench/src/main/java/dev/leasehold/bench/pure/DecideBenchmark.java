package dev.leasehold.bench.pure;

import dev.leasehold.engine.internal.rules.Decision;
import dev.leasehold.engine.internal.rules.DecisionContext;
import dev.leasehold.engine.internal.rules.LeaseRules;
import dev.leasehold.engine.internal.rules.LocalKnowledge;
import dev.leasehold.engine.internal.rules.ObservedLease;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.LeaseDocument;
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

    private final DecisionContext at = new DecisionContext(NAMESPACE, WRITER, NOW_NANOS, NOW_NANOS, NOW_NANOS, 0);
    private final ObservedLease vacant = observed(null, null, NOW_NANOS);
    private final ObservedLease held = observed("other", NOW_NANOS, NOW_NANOS + MINUTE_NANOS);
    private final ObservedLease expired = observed("other", NOW_NANOS - MINUTE_NANOS, NOW_NANOS - 1);

    /** Made by the harness. */
    public DecideBenchmark() {}

    private static ObservedLease observed(@Nullable String holder, @Nullable Long expiryNanos, long safeAfterNanos) {
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
                Set.of(),
                0,
                null);
        return new ObservedLease.Lease(document, false, false, safeAfterNanos, null);
    }

    /** A vacant lease is acquired for the session. */
    @Benchmark
    public Decision acquireVacant() {
        return LeaseRules.decide(new Request.Acquire(NAME, "me", null, null), vacant, at, LocalKnowledge.NOTHING);
    }

    /** A lease that another one holds is refused. */
    @Benchmark
    public Decision refuseHeld() {
        return LeaseRules.decide(new Request.Acquire(NAME, "me", null, null), held, at, LocalKnowledge.NOTHING);
    }

    /** A lease whose term is certainly over is taken. */
    @Benchmark
    public Decision takeExpired() {
        return LeaseRules.decide(
                new Request.TakeOver(NAME, "me", MINUTE_NANOS, null), expired, at, LocalKnowledge.NOTHING);
    }
}
