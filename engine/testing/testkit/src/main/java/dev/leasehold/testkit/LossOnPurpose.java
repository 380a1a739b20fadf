package dev.leasehold.testkit;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.LeaseRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Brings about what makes an engine lose a lease. */
final class LossOnPurpose {

    private static final Duration STEP = Duration.ofMillis(100);
    private static final Duration UNTIL_IT_LISTENS = Duration.ofSeconds(3);
    private static final int STEPS_MAX = 10_000;
    private static final String RIVAL = "rival";

    private final TestLeases leases;
    private final TestMachine holder;
    private final Lease lease;
    private final CompletableFuture<LeaseLoss> told = new CompletableFuture<>();

    LossOnPurpose(TestLeases leases, TestMachine holder, Lease lease) {
        this.leases = leases;
        this.holder = holder;
        this.lease = lease;
    }

    void happen(Reason reason) {
        // Callbacks are called in the order of their coming: once this one was, all others were.
        lease.onLost(told::complete);
        switch (reason) {
            case TAKEN_OVER -> order();
            case CLOSED -> holder.engine().close();
            case NOT_RENEWED -> disconnect();
            case EXPIRED -> holder.pause(lease.remaining().plus(STEP));
            case CLOCK_ANOMALY -> holder.stepWall(lease.remaining().multipliedBy(2));
            case EVICTED -> evict();
            case LEASE_DOCUMENT_LOST -> leases.deleteLease(lease.name());
            case CLOCK_DOCUMENT_LOST -> deleteClock();
            case HELD_TOO_LONG ->
                throw new IllegalArgumentException("reason HELD_TOO_LONG is refused: acquire the lease with atMost, and"
                        + " advance the clock by that time");
            case ENGINE_FAILED -> holder.failEngine();
        }
        awaitLoss(reason);
        if (reason == Reason.CLOCK_DOCUMENT_LOST) {
            leases.makeClocksAnew();
        }
    }

    private void order() {
        try {
            holder.engine().admin().forceExpire(lease.name(), "the test has ordered it");
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private void disconnect() {
        holder.disconnect();
        for (int step = 0; lease.isHeld() && step < STEPS_MAX; step++) {
            leases.advance(lease.remaining());
        }
        holder.reconnect();
    }

    /** Once its engine listens for changes, it hears of that at once. */
    private void deleteClock() {
        leases.advance(UNTIL_IT_LISTENS);
        leases.deleteClocks();
    }

    private void evict() {
        Duration past = Duration.ofNanos(holder.sessionNanos()).multipliedBy(2).plus(STEP);
        holder.freeze(past, () -> takeElsewhere(past));
    }

    private void takeElsewhere(Duration within) {
        try {
            Acquisition taken = leases.machine(RIVAL)
                    .engine()
                    .tryAcquire(LeaseRequest.of(lease.name()).waitAtMost(within));
            if (taken instanceof Acquisition.Acquired acquired) {
                acquired.lease().close();
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private void awaitLoss(Reason reason) {
        for (int step = 0; lease.isHeld() && step < STEPS_MAX; step++) {
            leases.advance(STEP);
        }
        if (lease.isHeld()) {
            throw new IllegalArgumentException("this lease cannot be lost as " + reason + ": it is held yet");
        }
        Reason lost = awaitCallbacks().reason();
        if (lost != reason) {
            throw new IllegalArgumentException("this lease cannot be lost as " + reason + ": it was lost as " + lost);
        }
    }

    /**
     * In real time: the threads of an executor need that, and a step of the test's clock for each look would move it at random. If nothing
     * comes of it, a callback may wait for the clock on the thread that the next ones need.
     */
    private LeaseLoss awaitCallbacks() {
        for (int second = 0; second < WorldAccess.REAL_SECONDS_MAX; second++) {
            try {
                return told.get(1, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                leases.advanceForWaits(told::isDone);
            } catch (InterruptedException e) {
                throw interrupted(e);
            } catch (ExecutionException e) {
                throw new IllegalStateException("a future that is only completed has failed", e);
            }
        }
        throw new IllegalStateException("the lease is not held any more, but no callback was told of a loss within "
                + WorldAccess.REAL_SECONDS_MAX + " s of real time: the code under test has closed it"
                + " first, or the threads of the callbackExecutor are blocked");
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while a lease was to be lost", e);
    }
}
