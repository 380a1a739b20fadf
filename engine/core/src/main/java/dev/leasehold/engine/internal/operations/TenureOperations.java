package dev.leasehold.engine.internal.operations;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.Tenures;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.session.ValidityTracker;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The operations on term leases for callers that manage their tenures themselves. */
public final class TenureOperations implements Tenures {

    private final PartitionRouter router;
    private final OperationCalls calls;
    private final Function<Tenure, LeaseAssertion> assertions;

    public TenureOperations(PartitionRouter router, OperationCalls calls, Function<Tenure, LeaseAssertion> assertions) {
        this.router = router;
        this.calls = calls;
        this.assertions = assertions;
    }

    @Override
    public LeaseResult claim(String name, String holder, Duration duration, @Nullable String comment)
            throws InterruptedException {
        return calls.call(begin(name, holder, duration, comment, Request.Claim::new));
    }

    @Override
    public LeaseResult takeOver(String name, String holder, Duration duration, @Nullable String comment)
            throws InterruptedException {
        return calls.call(begin(name, holder, duration, comment, Request.TakeOver::new));
    }

    /** Makes a request that begins a tenure. */
    private interface Beginning {
        Request of(String name, String holder, long durationNanos, @Nullable String comment);
    }

    private Request begin(
            String name, String holder, Duration duration, @Nullable String comment, Beginning beginning) {
        LeaseNames.checkName(name);
        LeaseNames.checkHolder(holder);
        long durationNanos = termNanos(duration);
        return beginning.of(name, holder, durationNanos, comment == null ? null : LeaseNames.checkComment(comment));
    }

    @Override
    public LeaseResult extend(Tenure tenure, Duration duration) throws InterruptedException {
        Arguments.tenure(tenure, router);
        return calls.call(new Request.Extend(tenure, termNanos(duration)));
    }

    private long termNanos(Duration duration) {
        return Arguments.termNanos(duration, router.clock().nowNanos());
    }

    @Override
    public LeaseResult release(Tenure tenure) throws InterruptedException {
        ValidityTracker validities = validityOf(tenure);
        calls.checkOpen();
        validities.callerReleases(tenure);
        PendingOperation release = calls.submit(new Request.Release(tenure));
        validities.callerSubmitted(tenure);
        LeaseResult result = calls.await(release).toAnswer();
        // The tenure is certainly over, by this call or before it. If the call above throws, its validity stays ended
        // for good.
        validities.callerAnswered(tenure);
        return result;
    }

    @Override
    public LeaseResult expire(String name) throws InterruptedException {
        return calls.call(new Request.Expire(LeaseNames.checkName(name)));
    }

    @Override
    public boolean isHeld(Tenure tenure) {
        return validityOf(tenure).isValid(tenure);
    }

    @Override
    public Duration remaining(Tenure tenure) {
        return Duration.ofNanos(validityOf(tenure).remainingNanos(tenure));
    }

    @Override
    public LeaseAssertion assertion(Tenure tenure) {
        return assertions.apply(Arguments.tenure(tenure, router));
    }

    private ValidityTracker validityOf(Tenure tenure) {
        return router.of(Arguments.tenure(tenure, router)).validities();
    }
}
