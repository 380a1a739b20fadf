package dev.leasehold.engine.client;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.Tenures;
import dev.leasehold.engine.commit.Beliefs;
import dev.leasehold.engine.commit.PendingOperation;
import dev.leasehold.engine.protocol.Request;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The operations on leases with a term, for callers who keep their tenures themselves. */
final class TenureOperations implements Tenures {

    private final Partitions partitions;
    private final Calls calls;
    private final Function<Tenure, LeaseAssertion> assertions;

    TenureOperations(Partitions partitions, Calls calls, Function<Tenure, LeaseAssertion> assertions) {
        this.partitions = partitions;
        this.calls = calls;
        this.assertions = assertions;
    }

    @Override
    public LeaseResult claim(String name, String holder, Duration duration, @Nullable String comment)
            throws InterruptedException {
        return calls.answer(begin(name, holder, duration, comment, Request.Claim::new));
    }

    @Override
    public LeaseResult takeOver(String name, String holder, Duration duration, @Nullable String comment)
            throws InterruptedException {
        return calls.answer(begin(name, holder, duration, comment, Request.TakeOver::new));
    }

    /** One of the ways to begin a tenure. */
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
        Arguments.tenure(tenure, partitions);
        return calls.answer(new Request.Extend(tenure, termNanos(duration)));
    }

    private long termNanos(Duration duration) {
        return Arguments.termNanos(duration, partitions.clock().nowNanos());
    }

    @Override
    public LeaseResult release(Tenure tenure) throws InterruptedException {
        Beliefs beliefs = beliefsOf(tenure);
        calls.checkOpen();
        beliefs.callerGivesUp(tenure);
        PendingOperation release = calls.submit(new Request.Release(tenure));
        beliefs.callerHasAsked(tenure);
        LeaseResult answer = calls.await(release).toAnswer();
        // Certainly over, by this call or before it. Had it thrown, the belief would stay given up for good.
        beliefs.callerIsAnswered(tenure);
        return answer;
    }

    @Override
    public LeaseResult expire(String name) throws InterruptedException {
        return calls.answer(new Request.Expire(LeaseNames.checkName(name)));
    }

    @Override
    public boolean isHeld(Tenure tenure) {
        return beliefsOf(tenure).holds(tenure);
    }

    @Override
    public Duration remaining(Tenure tenure) {
        return Duration.ofNanos(beliefsOf(tenure).remainingNanos(tenure));
    }

    @Override
    public LeaseAssertion assertion(Tenure tenure) {
        return assertions.apply(Arguments.tenure(tenure, partitions));
    }

    private Beliefs beliefsOf(Tenure tenure) {
        return partitions.of(Arguments.tenure(tenure, partitions)).beliefs();
    }
}
