package dev.leasehold.engine.internal.operations;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.Tenures;
import dev.leasehold.engine.internal.commit.Operations;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.partition.PartitionRouter;
import dev.leasehold.engine.internal.rules.HandOver;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.session.ValidityTracker;
import dev.leasehold.engine.internal.settings.Arguments;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The operations on term leases for callers that manage their tenures themselves. */
public final class TenureOperations implements Tenures {

    private final PartitionRouter router;
    private final Operations operations;
    private final Consumer<Tenure> onRelease;
    private final @Nullable HandOver handOver;
    private final Function<Tenure, LeaseAssertion> assertions;

    /** @param onRelease gets each tenure whose release was submitted, since a handle may keep it */
    public TenureOperations(
            PartitionRouter router,
            Operations operations,
            Consumer<Tenure> onRelease,
            Function<Tenure, LeaseAssertion> assertions,
            boolean waitQueue) {
        this.handOver = waitQueue ? HandOver.TO_KNOWN_WAITERS : null;
        this.router = router;
        this.operations = operations;
        this.onRelease = onRelease;
        this.assertions = assertions;
    }

    @Override
    public LeaseResult claim(String name, String holder, Duration duration, @Nullable String comment)
            throws InterruptedException {
        return call(new Request.Claim(
                LeaseNames.checkName(name), LeaseNames.checkHolder(holder), termNanos(duration), checked(comment)));
    }

    @Override
    public LeaseResult takeOver(String name, String holder, Duration duration, @Nullable String comment)
            throws InterruptedException {
        return call(new Request.TakeOver(
                LeaseNames.checkName(name), LeaseNames.checkHolder(holder), termNanos(duration), checked(comment)));
    }

    private static @Nullable String checked(@Nullable String comment) {
        return comment == null ? null : LeaseNames.checkComment(comment);
    }

    private LeaseResult call(Request request) throws InterruptedException {
        return operations.call(request).toAnswer();
    }

    @Override
    public LeaseResult extend(Tenure tenure, Duration duration) throws InterruptedException {
        check(tenure);
        return call(new Request.Extend(tenure, termNanos(duration)));
    }

    private long termNanos(Duration duration) {
        return Arguments.termNanos("duration", duration, router.clock().nowNanos());
    }

    @Override
    public LeaseResult release(Tenure tenure) throws InterruptedException {
        ValidityTracker validities = validityOf(tenure);
        operations.checkOpen();
        validities.callerReleases(tenure);
        PendingOperation release = operations.submit(new Request.Release(tenure, null, false, handOver));
        onRelease.accept(tenure);
        LeaseResult result = operations.await(release).toAnswer();
        // The tenure is certainly over, by this call or before it. If the call above throws, its validity stays ended
        // for good.
        validities.callerAnswered(tenure);
        return result;
    }

    @Override
    public LeaseResult expire(String name) throws InterruptedException {
        return call(new Request.Expire(LeaseNames.checkName(name)));
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
        check(tenure);
        return assertions.apply(tenure);
    }

    private ValidityTracker validityOf(Tenure tenure) {
        check(tenure);
        return router.validities(tenure);
    }

    /** Refuses a tenure of another namespace or partition. */
    void check(Tenure tenure) {
        Arguments.given("tenure", tenure, "it must be one that a claim returned");
        String partition = router.idOf(tenure.name());
        if (!tenure.namespace().equals(partition)) {
            boolean misplaced = LeaseIds.namespaceOf(tenure.namespace()).equals(router.namespace());
            throw new IllegalArgumentException("tenure of namespace '" + tenure.namespace()
                    + "' is refused: this engine works on namespace '" + router.namespace() + "'"
                    + (misplaced
                            ? ", whose lease " + LeaseNames.quote(tenure.name()) + " lies in '" + partition + "'"
                            : ""));
        }
    }
}
