package dev.leasehold.engine.internal.election;

import com.mongodb.client.ClientSession;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaderElection;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.internal.commit.ReleaseOutcome;
import dev.leasehold.engine.internal.eventloop.EventLoop.Timer;
import dev.leasehold.engine.internal.eventloop.LeaseContext;
import dev.leasehold.engine.internal.held.LeaseHandle;
import dev.leasehold.engine.internal.lease.LeaseManager;
import dev.leasehold.engine.internal.rules.WaitQueue.QueueView;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.settings.Arguments;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Campaigns for one lease repeatedly. All state belongs to its own thread, which runs the callbacks too: events that occur while a
 * callback blocks are handled after it.
 *
 * <table>
 *   <caption>Transitions</caption>
 *   <tr><th>from</th><th>event</th><th>to</th></tr>
 *   <tr><td>pausing</td><td>the pause ends</td><td>campaigning</td></tr>
 *   <tr><td>campaigning</td><td>granted</td><td>leading</td></tr>
 *   <tr><td>campaigning</td><td>failed</td><td>pausing</td></tr>
 *   <tr><td>leading</td><td>lost, or stepped down for a waiter</td><td>campaigning</td></tr>
 *   <tr><td>leading</td><td>lost soon, as the lead before</td><td>pausing</td></tr>
 *   <tr><td>leading</td><td>stepped down, and none was granted the lease</td><td>pausing</td></tr>
 *   <tr><td>any</td><td>the election or the engine is closed</td><td>over, after the release of the lease</td></tr>
 * </table>
 */
final class LeaderElector implements LeaderElection {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElector.class);

    /** If none was granted the lease: by then other waiters have seen it free, even without a change stream. */
    private static final long PAUSE_AFTER_STEP_DOWN_NANOS = 10_000_000_000L;

    /** A lead that is lost within this is a short one. */
    private static final long SHORT_LEAD_NANOS = 10_000_000_000L;

    private final LeaseRequest request;
    private final LeaseManager leaseManager;
    /** The electors of the engine that have not ended. */
    private final Set<LeaderElector> electors;

    private final LeaseContext context;
    private final EngineThread thread;
    private final Consumer<? super Lease> granted;
    private final Consumer<? super LeaseLoss> lost;
    private final boolean yielding;
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private volatile boolean closed;
    private volatile @Nullable LeaderLease lease;
    /** The elector's thread while it runs a callback; null otherwise. */
    private volatile @Nullable Thread inCallback;

    /** The next campaign has yet to begin. */
    private boolean pausing = true;

    private @Nullable CompletableFuture<LeaseHandle> campaign;
    private int failures;
    private long ledFromNanos;
    /** How many leads in a row were short. */
    private int shortLeads;

    private LeaderElector(Builder builder) {
        this.request = builder.request;
        this.leaseManager = builder.leaseManager;
        this.electors = builder.electors;
        this.context = leaseManager.context();
        this.granted = builder.granted;
        this.lost = builder.lost;
        this.yielding = builder.yielding;
        this.thread = context.runtime()
                .startThread("leasehold-" + context.settings().namespace() + "-election-"
                        + LeaseNames.visible(request.name()));
    }

    static final class Builder implements LeaderElection.Builder {

        private final LeaseRequest request;
        private final LeaseManager leaseManager;
        private final Set<LeaderElector> electors;
        private Consumer<? super Lease> granted = lease -> {};
        private Consumer<? super LeaseLoss> lost = loss -> {};
        private boolean yielding;

        Builder(LeaseRequest request, LeaseManager leaseManager, Set<LeaderElector> electors) {
            this.request = request;
            this.leaseManager = leaseManager;
            this.electors = electors;
        }

        @Override
        public LeaderElection.Builder onGranted(Consumer<? super Lease> callback) {
            granted = Arguments.given("callback", callback, "it must take a Lease");
            return this;
        }

        @Override
        public LeaderElection.Builder onLost(Consumer<? super LeaseLoss> callback) {
            lost = Arguments.given("callback", callback, "it must take a LeaseLoss");
            return this;
        }

        @Override
        public LeaderElection.Builder yieldToHigherPriority() {
            leaseManager.requireWaitQueue("yieldToHigherPriority");
            yielding = true;
            return this;
        }

        @Override
        public LeaderElection start() {
            leaseManager.checkElection(request);
            LeaderElector elector = new LeaderElector(this);
            electors.add(elector);
            elector.thread.execute(elector::campaign);
            return elector;
        }
    }

    @Override
    public boolean isLeader() {
        return lease().isPresent();
    }

    @Override
    public Optional<Lease> lease() {
        return Optional.<Lease>ofNullable(lease).filter(Lease::isHeld);
    }

    // ---- on the elector's thread ----

    private void campaign() {
        if (isToEnd()) {
            finish();
            return;
        }
        pausing = false;
        try {
            campaign = leaseManager.acquire(request, thread::execute);
        } catch (RuntimeException | Error e) {
            failed(e);
            return;
        }
        campaign.whenComplete((acquired, failure) -> thread.execute(() -> {
            if (acquired == null) {
                failed(failure);
            } else {
                lead(acquired);
            }
        }));
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
        ledFromNanos = context.nowNanos();
        if (closed) {
            // Granted after the close: the callback does not run.
            acquired.close();
            finish();
            return;
        }
        LeaderLease leading = new LeaderLease(acquired);
        lease = leading;
        if (closed) {
            // The close may have come just before, and have seen no lease.
            leading.releaseInTime();
        }
        // This thread runs the granted callback next, so the loss is handled after it.
        acquired.onLost(loss -> end(leading, loss), thread::execute);
        if (yielding) {
            acquired.onView(leading::yieldTo);
        }
        if (!returnsNormally("granted", () -> granted.accept(leading))) {
            leading.close();
        }
    }

    /** The leadership has ended. Only the first call for a lease has an effect. */
    private void end(LeaderLease ended, LeaseLoss loss) {
        if (lease != ended) {
            return;
        }
        returnsNormally("lost", () -> lost.accept(loss));
        lease = null;
        try {
            ended.release();
        } finally {
            if (isToEnd()) {
                finish();
            } else if (ended.steppedDown && !ended.wasHandedOver()) {
                pause(PAUSE_AFTER_STEP_DOWN_NANOS);
            } else {
                campaignAgain(ended.steppedDown);
            }
        }
    }

    /** At once, unless one lead after the other is lost as soon as it was granted, by whatever ends them. */
    private void campaignAgain(boolean handedOver) {
        boolean isShort = !handedOver && context.nowNanos() - ledFromNanos < SHORT_LEAD_NANOS;
        shortLeads = isShort ? shortLeads + 1 : 0;
        if (shortLeads > 1) {
            pause(context.backoffNanos(shortLeads - 1));
        } else {
            campaign();
        }
    }

    private void pause(long nanos) {
        pausing = true;
        thread.executeAfter(nanos, this::campaign);
    }

    private boolean isToEnd() {
        return closed || leaseManager.isClosed();
    }

    private void finish() {
        pausing = false;
        electors.remove(this);
        thread.stop();
        over.complete(null);
    }

    /** Whether the callback has returned without throwing. */
    private boolean returnsNormally(String which, Runnable callback) {
        inCallback = Thread.currentThread();
        try {
            callback.run();
            return true;
        } catch (Throwable e) {
            // Languages without checked exceptions may throw any Throwable.
            LOG.warn("{}: its {} callback has thrown", this, which, e);
            return false;
        } finally {
            inCallback = null;
        }
    }

    private void log(@Nullable Throwable failure) {
        if (!(failure instanceof LeaseException)) {
            LOG.error("{}: unexpected failure of a campaign, which is repeated", this, failure);
        } else if (LeaseContext.isWarned(failures)) {
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

    private static LeaseLoss closedLoss(Lease lease, String message) {
        return new LeaseLoss(lease.tenure(), LeaseLoss.Reason.CLOSED, message, null);
    }

    /** The engine is closed. Outside a pause, the failed campaign or the loss ends the election. */
    void engineClosed() {
        thread.execute(() -> {
            if (pausing) {
                finish();
            }
        });
    }

    @Override
    public CompletionStage<Boolean> stepDownTo(String instance) {
        LeaseNames.checkInstance(instance);
        leaseManager.requireWaitQueue("stepDownTo");
        LeaderLease leading = lease;
        if (leading == null || !leading.isHeld()) {
            return CompletableFuture.completedFuture(false);
        }
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        leaseManager
                .read(request.name())
                .thenCompose(polled -> polled.queue(request.name()).hasInstance(instance)
                                && leading.lease.mayHandOver(polled.states().get(0))
                        ? leading.closeFor(instance)
                        : CompletableFuture.completedFuture(false))
                .whenCompleteAsync(
                        (granted, failure) -> {
                            if (failure == null) {
                                result.complete(granted);
                            } else {
                                result.completeExceptionally(
                                        failure instanceof CompletionException wrapped ? wrapped.getCause() : failure);
                            }
                        },
                        context.callbacks());
        return result;
    }

    @Override
    public void close() {
        closed = true;
        LeaderLease leading = lease;
        if (leading != null) {
            leading.releaseInTime();
        }
        thread.execute(this::endNow);
        if (Thread.currentThread() != inCallback) {
            awaitEnd();
        }
    }

    private void endNow() {
        LeaderLease leading = lease;
        if (pausing) {
            finish();
        } else if (campaign != null) {
            // A lease that was granted meanwhile is released.
            campaign.cancel(false);
        }
        if (leading != null) {
            end(leading, closedLoss(leading, "the leader election was closed"));
        }
    }

    private void awaitEnd() {
        if (!context.runtime().awaitUnlessInterrupted(over, context.settings().closeBudgetNanos())) {
            LOG.warn("{}: closing goes on in the background; a lease that it holds is released now", this);
            LeaderLease leading = lease;
            if (leading != null) {
                leading.release();
            }
        }
    }

    @Override
    public String toString() {
        return "LeaderElection[namespace=" + context.settings().namespace() + ", lease="
                + LeaseNames.visible(request.name()) + "]";
    }

    /**
     * The lease as the callbacks of an election see it. For them it ends with the leadership, while it is still held in the database: the lost
     * callback runs before the release.
     */
    private final class LeaderLease implements Lease {

        private final LeaseHandle lease;
        /** Completes after the release: with whether that has certainly ended the tenure. */
        private final CompletableFuture<Boolean> released = new CompletableFuture<>();

        private volatile boolean steppedDown;
        /** The instance that the release prefers: the first that was asked for; null for none. */
        private final AtomicReference<@Nullable String> successor = new AtomicReference<>();
        /** Releases it although a callback still runs. Event loop only. */
        private @Nullable Timer overdue;

        LeaderLease(LeaseHandle lease) {
            this.lease = lease;
        }

        @Override
        public Tenure tenure() {
            return lease.tenure();
        }

        @Override
        public @Nullable String comment() {
            return lease.comment();
        }

        @Override
        public void updatePayload(String payload) throws InterruptedException {
            requireHeld();
            lease.updatePayload(payload);
        }

        private boolean isOver() {
            return steppedDown || closed;
        }

        @Override
        public boolean isHeld() {
            return !isOver() && lease.isHeld();
        }

        @Override
        public void requireHeld() {
            if (isOver()) {
                throw new LeaseNotHeldException(
                        tenure(), steppedDown ? "its leader has stepped down" : "the leader election was closed");
            }
            lease.requireHeld();
        }

        @Override
        public Duration remaining() {
            return isOver() ? Duration.ZERO : lease.remaining();
        }

        @Override
        public LeaseAssertion assertion() {
            return lease.assertion();
        }

        @Override
        public <T extends @Nullable Object> T inTransaction(
                ClientSession session, Function<? super ClientSession, ? extends T> body) {
            return lease.inTransaction(session, body);
        }

        @Override
        public void endAbandoned(ClientSession session) {
            lease.endAbandoned(session);
        }

        @Override
        public void onLost(Consumer<? super LeaseLoss> callback) {
            lease.onLost(callback);
        }

        @Override
        public void close() {
            steppedDown = true;
            releaseInTime();
            LeaseLoss loss = closedLoss(this, "the leader has stepped down");
            thread.execute(() -> end(this, loss));
        }

        @Override
        public CompletionStage<Boolean> closeAsync() {
            close();
            return released.copy();
        }

        /** Steps down for an instance. Completes with whether that was granted the lease, on a thread that must not block. */
        CompletableFuture<Boolean> closeFor(String instance) {
            String first = successor.compareAndExchange(null, instance);
            if (first != null && !first.equals(instance)) {
                return CompletableFuture.completedFuture(false);
            }
            lease.prefer(instance);
            close();
            return lease.released().thenApply(outcome -> outcome == ReleaseOutcome.GRANTED_AS_ASKED);
        }

        /** Steps down if another process with a higher priority waits. Event loop only. */
        private void yieldTo(QueueView view) {
            Integer highest = view.highestPriority();
            if (highest != null && highest > request.priority() && !isOver()) {
                LOG.info("{}: steps down, since a process with the priority {} waits", LeaderElector.this, highest);
                close();
            }
        }

        /** Whether its release has begun the next tenure. */
        private boolean wasHandedOver() {
            return lease.released().getNow(ReleaseOutcome.NOT_RELEASED).isHandOver();
        }

        /**
         * Its lead is over. Releases it when the close budget is, however long a callback blocks: on the thread of the callbacks, or of
         * a caller that may be interrupted, the release would come too late. Does not block.
         */
        void releaseInTime() {
            context.loop().post(() -> {
                if (overdue == null) {
                    overdue = context.after(context.settings().closeBudgetNanos(), () -> {
                        if (lease.isHeld()) {
                            LOG.warn(
                                    "{}: a callback still runs; the lease is released all the same",
                                    LeaderElector.this);
                        }
                        lease.closeAsync().thenAccept(released::complete);
                    });
                }
            });
        }

        /** Releases it. Blocks for at most the close budget. */
        void release() {
            context.loop().post(() -> context.loop().cancel(overdue));
            lease.close();
            lease.closeAsync().thenAccept(released::complete);
        }

        @Override
        public String toString() {
            return lease.toString();
        }
    }
}
