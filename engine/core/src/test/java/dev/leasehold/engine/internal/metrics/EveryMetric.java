package dev.leasehold.engine.internal.metrics;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.internal.metrics.EngineEvent.ClockSurveyed;
import dev.leasehold.engine.internal.metrics.EngineEvent.OperationEnded;
import dev.leasehold.engine.internal.metrics.EngineEvent.TenureLost;
import dev.leasehold.engine.internal.metrics.EngineEvent.TransactionTried;
import dev.leasehold.engine.internal.metrics.EngineEvent.WritersRead;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.engine.internal.store.WriterEntry;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.stream.Stream;

/** Has every metric registered, with every value that a tag can have. */
final class EveryMetric {

    private static final Tenure TENURE = new Tenure("billing", "nightly", "h", 3);

    private EveryMetric() {}

    static void in(MeterRegistry registry) {
        MicrometerMetrics meters = new MicrometerMetrics(registry, "billing", false);
        for (OperationOutcome outcome : OperationOutcome.values()) {
            meters.record(new OperationEnded("extend", "nightly", outcome, null, 1));
            kinds().forEach(kind -> meters.record(new OperationEnded(kind, "nightly", outcome, LeaseStatus.ACTIVE, 1)));
        }
        for (LeaseStatus status : LeaseStatus.values()) {
            meters.record(new OperationEnded("extend", "nightly", OperationOutcome.GRANTED, status, 1));
        }
        WriterEntry other = new WriterEntry.Sound("b#1", 17, null, null, null);
        WritersRead read = new WritersRead("billing", "a#1", List.of(other), 20);
        meters.record(read);
        meters.record(new ClockSurveyed(read, 100));
        meters.registerGauges(() -> 1, () -> 2, () -> 3);
        meters.record(new TransactionTried(Verdict.APPLIED, 1));
        meters.record(new TenureLost(LeaseLoss.Reason.EXPIRED));
    }

    private static Stream<String> kinds() {
        return requests().map(Request::kind);
    }

    /** One of each kind. */
    static Stream<Request> requests() {
        return Stream.of(
                new Request.Acquire("nightly", "h", null, null),
                new Request.Claim("nightly", "h", 1L, null),
                new Request.TakeOver("nightly", "h", 1L, null),
                new Request.Extend(TENURE, 1),
                new Request.UpdatePayload(TENURE, null),
                new Request.Release(TENURE),
                new Request.Expire("nightly"),
                new Request.Remove("nightly"),
                new Request.ForceExpire("nightly", "it hangs"),
                new Request.Pin("nightly", "ops", true),
                new Request.Pin("nightly", "ops", false));
    }
}
