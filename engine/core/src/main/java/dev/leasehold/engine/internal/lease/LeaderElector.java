package dev.leasehold.engine.internal.lease;

import dev.leasehold.engine.LeaderElection;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.internal.runtime.EngineThread;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Campaigns for one lease again and again. All state belongs to a thread of its own, on which the callbacks run too: what happens
 * while a callback blocks is dealt with after it.
 */
final class LeaderElector implements LeaderElection {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElector.class);

    /** Others that wait for the lease have seen it free by then, also where they cannot watch for changes. */
    private static final long PAUSE_AFTER_STEP_DOWN_NANOS = 10_000_000_000L;

    private enum Phase {
        PAUSING,
        CAMPAIGNING,
        LEADING,
        OVER
    }

    private final LeaseRequest request;
    private final LeaseManager leaseManager;
    private final LeaseContext context;
    private final EngineThread thread;
    private final Consumer<? super Lease> granted;
    private final Consumer<? super LeaseLoss> lost;
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private volatile boolean closed;
    private volatile @Nullable LeaderLease lease;
    /** The thread of this, while it runs a callback. */
    private volatile @Nullable Thread inCallback;

    private Phase phase = Phase.PAUSING;
    private @Nullable CompletableFuture<LeaseHandle> campaign;
    private int failures;

    LeaderElector(
            LeaseRequest request,
            LeaseManager leaseManager,
            LeaseContext context,
            Consumer<? super Lease> granted,
            Consumer<? super LeaseLoss> lost) {
        this.request = request;
        this.leaseManager = leaseManager;
        this.context = context;
        this.granted = granted;
        this.lost = lost;
        this.thread = context.runtime()
                .startThread("leasehold-" + context.settings().namespace() + "-election-" + request.name());
    }

    /** Campaigns as soon as its thread runs. */
    void start() {
        thread.execute(this::campaign);
    }

    @Override
    public boolean isLeader() {
        return lease().isPresent();
    }

    @Override
    public Optional<Lease> lease() {
        return Optional.<Lease>ofNullable(lease).filter(Lease::isHeld);
    }

    // ---- on the thread of this ----

    private void campaign() {
        if (isToEnd()) {
            finish();
            return;
        }
        phase = Phase.CAMPAIGNING;
        try {
            campaign = leaseManager.acquire(request, thread::execute);
        } catch (RuntimeException | Error e) {
            failed(e);
            return;
        }
        campaign.whenComplete((acquired, failure) -> thread.execute(() -> answered(acquired, failure)));
    }

    private void answered(@Nullable LeaseHandle acquired, @Nullable Throwable failure) {
        if (acquired == null) {
            failed(failure);
        } else {
            lead(acquired);
        }
    }

    private void failed(@Nullable Throwable failure) {
        if (isToEnd()) {
            finish();
            return;
        }
        failures++;
        log(failure);
        pause(context.backoffNanos(failures));
    }

    private void lead(LeaseHandle acquired) {
        failures = 0;
        if (closed) {
            // It was granted too late to be told to anybody.
            acquired.close();
            finish();
            return;
        }
        phase = Phase.LEADING;
        LeaderLease leading = new LeaderLease(acquired, () -> closed, this::stepDown);
        lease = leading;
        // This thread is busy with the callback, so that the loss is told after it.
        acquired.onLost(loss -> end(leading, loss), thread::execute);
        if (!runs("granted", () -> granted.accept(leading))) {
            stepDown(leading);
        }
    }

    /** The lead is over. Only the first word of that counts. */
    private void end(LeaderLease ended, LeaseLoss loss) {
        if (lease != ended) {
            return;
        }
        runs("lost", () -> lost.accept(loss));
        lease = null;
        try {
            ended.release();
        } finally {
            if (isToEnd()) {
                finish();
            } else if (ended.isSteppedDown()) {
                pause(PAUSE_AFTER_STEP_DOWN_NANOS);
            } else {
                campaign();
            }
        }
    }

    private void pause(long nanos) {
        phase = Phase.PAUSING;
        thread.executeAfter(nanos, this::campaign);
    }

    private boolean isToEnd() {
        return closed || leaseManager.isClosed();
    }

    private void finish() {
        phase = Phase.OVER;
        leaseManager.forget(this);
        thread.stop();
        over.complete(null);
    }

    /** Whether the callback has returned without throwing. */
    private boolean runs(String which, Runnable callback) {
        inCallback = Thread.currentThread();
        try {
            callback.run();
            return true;
        } catch (Throwable e) {
            // In a language without checked exceptions it may throw any of those too.
            LOG.warn("{}: its {} callback has thrown", this, which, e);
            return false;
        } finally {
            inCallback = null;
        }
    }

    private void log(@Nullable Throwable failure) {
        if (!(failure instanceof LeaseException)) {
            LOG.error("{}: unexpected failure of a campaign, which is repeated", this, failure);
        } else if (LogThrottle.isTold(failures)) {
            LOG.warn(
                    "{}: {} campaigns in a row have failed, and the next one follows: {}",
                    this,
                    failures,
                    failure.getMessage());
        } else {
            LOG.debug("{}: {} campaigns in a row have failed", this, failures, failure);
        }
    }

    // ---- on any thread ----

    private void stepDown(LeaderLease leading) {
        leading.stepDown();
        LeaseLoss loss = closedLoss(leading, "the leader has stepped down");
        thread.execute(() -> end(leading, loss));
    }

    private static LeaseLoss closedLoss(Lease lease, String message) {
        return new LeaseLoss(lease.tenure(), LeaseLoss.Reason.CLOSED, message, null);
    }

    /** The engine is closed. What it waits for or holds it hears of otherwise. */
    void engineClosed() {
        thread.execute(() -> {
            if (phase == Phase.PAUSING) {
                finish();
            }
        });
    }

    @Override
    public void close() {
        closed = true;
        thread.execute(this::endNow);
        if (Thread.currentThread() != inCallback) {
            awaitEnd();
        }
    }

    private void endNow() {
        LeaderLease leading = lease;
        if (phase == Phase.PAUSING) {
            finish();
        } else if (campaign != null) {
            // One that was granted by now is given back.
            campaign.cancel(false);
        }
        if (leading != null) {
            end(leading, closedLoss(leading, "the leader election was closed"));
        }
    }

    private void awaitEnd() {
        try {
            if (!context.runtime().await(over, context.settings().closeBudgetNanos())) {
                LOG.warn("{}: closing goes on in the background; a lease that it holds is released now", this);
                releaseNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void releaseNow() {
        LeaderLease leading = lease;
        if (leading != null) {
            leading.release();
        }
    }

    @Override
    public String toString() {
        return "LeaderElection[namespace=" + context.settings().namespace() + ", lease=" + request.name() + "]";
    }
}
