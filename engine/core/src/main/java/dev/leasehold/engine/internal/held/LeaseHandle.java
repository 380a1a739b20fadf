package dev.leasehold.engine.internal.held;

import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.HeldTask;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.commit.ReleaseOutcome;
import dev.leasehold.engine.internal.eventloop.LeaseContext;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.rules.WaitQueue.QueueView;
import dev.leasehold.engine.internal.runtime.LogContext;
import dev.leasehold.engine.internal.settings.Arguments;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One handle of a held lease. Handles of the same tenure share the {@link HeldLease}; closing the last one releases it.
 *
 * <p>Open; then closed, or closed after loss if the tenure was lost first. Losses are reported unless the handle is closed.
 */
public final class LeaseHandle implements Lease {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseHandle.class);

    /** Whatever the URI says: a commit that a fail-over can undo must not count as made under a lease. */
    private static final TransactionOptions LASTING = TransactionOptions.builder()
            .writeConcern(WriteConcern.MAJORITY)
            .readPreference(ReadPreference.primary())
            .build();

    private enum State {
        OPEN,
        /** Closed while the tenure was held: later losses are not reported. */
        CLOSED,
        /** Closed after the tenure was lost: the loss is still reported. */
        CLOSED_AFTER_LOSS
    }

    private final HeldLease heldLease;
    private final @Nullable Long notBeforeNanos;
    private final @Nullable Long endNanos;
    private final HeldLeases heldLeases;
    private final LeaseContext context;
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    /** Completes after the close: with what has become of the tenure. */
    private final CompletableFuture<ReleaseOutcome> released = new CompletableFuture<>();
    /** Event loop only. */
    private final List<Consumer<LeaseLoss>> listeners = new ArrayList<>();

    /** The threads that run a transaction which asserts the tenure. One that waited there for its end would wait for itself. */
    private final Set<Thread> asserting = ConcurrentHashMap.newKeySet();

    private volatile Consumer<QueueView> onView = view -> {};
    /** Event loop only. */
    private boolean delivered = true;

    /** The id of the thread that blocked for it, so that the thread can be collected; 0 for none. */
    private long acquirer;

    /**
     * @param notBeforeNanos the instant before which its caller does not want the lease to be taken again; null for none
     * @param endNanos the instant from which on its caller does not want to hold the lease; null for none
     */
    LeaseHandle(
            HeldLease heldLease,
            @Nullable Long notBeforeNanos,
            @Nullable Long endNanos,
            HeldLeases heldLeases,
            LeaseContext context) {
        this.heldLease = heldLease;
        this.notBeforeNanos = notBeforeNanos;
        this.endNanos = endNanos;
        this.heldLeases = heldLeases;
        this.context = context;
    }

    public void acquiredBy(@Nullable Thread thread) {
        acquirer = thread == null ? 0 : thread.getId();
    }

    /** Whether it is open and that thread acquired it by a blocking call. */
    boolean isOpenFor(Thread thread) {
        return acquirer == thread.getId() && state.get() == State.OPEN;
    }

    @Override
    public Tenure tenure() {
        return heldLease.tenure();
    }

    @Override
    public @Nullable String comment() {
        return heldLease.request().comment();
    }

    @Override
    public void updatePayload(String payload) throws InterruptedException {
        LeaseNames.checkPayload(payload);
        requireHeld();
        if (isAsserting()) {
            throw new IllegalStateException(LogContext.of(tenure())
                    + ": updatePayload inside of a transaction that asserts the lease would wait for its own end:"
                    + " call it before or after");
        }
        Refusal refusal = context.operations()
                .call(new Request.UpdatePayload(tenure(), payload.isEmpty() ? null : payload))
                .refusal();
        if (refusal != null) {
            throw new LeaseNotHeldException(tenure(), refusal.message());
        }
    }

    @Override
    public boolean isHeld() {
        return remainingNanos() > 0;
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(remainingNanos());
    }

    @Override
    public void requireHeld() {
        if (!isHeld()) {
            LeaseLoss loss = heldLease.loss();
            LeaseNotHeldException notHeld = new LeaseNotHeldException(tenure(), reasonNotHeld(loss));
            if (loss != null) {
                notHeld.initCause(loss.cause());
            }
            throw notHeld;
        }
    }

    private String reasonNotHeld(@Nullable LeaseLoss loss) {
        if (loss != null) {
            return "it was lost: " + loss.message();
        }
        return state.get() == State.OPEN ? "its time is over on this engine's clock" : "this handle of it was closed";
    }

    private long remainingNanos() {
        return state.get() == State.OPEN ? heldLease.remainingNanos() : 0;
    }

    @Override
    public LeaseAssertion assertion() {
        return heldLease.assertion();
    }

    @Override
    public <T extends @Nullable Object> T inTransaction(
            ClientSession session, Function<? super ClientSession, ? extends T> body) {
        Arguments.given("session", session, "it must be one of the client that the engine was built with");
        Arguments.given("body", body, "it must say what the transaction does");
        if (session.hasActiveTransaction()) {
            // The driver would refuse it too, but abort the open one first; later commands of the caller would run
            // outside any.
            throw new IllegalStateException(LogContext.of(tenure())
                    + ": inTransaction begins a transaction of its own, and the session has one open: check"
                    + " the assertion in that");
        }
        try {
            return whileAsserting(lease -> inTransactionOf(session, body));
        } catch (RuntimeException | Error e) {
            endAbandoned(session);
            throw e;
        }
    }

    /** Runs a task that begins and ends a transaction which asserts the tenure. */
    public <T extends @Nullable Object, X extends Exception> T whileAsserting(HeldTask<T, X> task) throws X {
        boolean isOuter = asserting.add(Thread.currentThread());
        try {
            return task.run(this);
        } finally {
            if (isOuter) {
                asserting.remove(Thread.currentThread());
            }
        }
    }

    private boolean isAsserting() {
        return asserting.contains(Thread.currentThread());
    }

    private <T extends @Nullable Object> T inTransactionOf(
            ClientSession session, Function<? super ClientSession, ? extends T> body) {
        LeaseAssertion assertion = assertion();
        return session.withTransaction(
                () -> {
                    assertion.check(session);
                    long number = session.getServerSession().getTransactionNumber();
                    T result = body.apply(session);
                    if (session.hasActiveTransaction()
                            && session.getServerSession().getTransactionNumber() != number) {
                        // The driver would commit it, whether or not the lease is held.
                        throw new IllegalStateException(LogContext.of(tenure())
                                + ": the body has ended the transaction and begun another one, which does not assert"
                                + " the lease and is aborted");
                    }
                    return result;
                },
                LASTING);
    }

    @Override
    public void endAbandoned(ClientSession session) {
        try {
            LostAbort.end(context, assertion().abandoned(session));
        } catch (RuntimeException e) {
            // The caller has a failure to tell already. The body has closed the session, or the callbacks have ended.
            LOG.debug("{}: what a failed transaction may have left open cannot be ended", LogContext.of(tenure()), e);
        }
    }

    @Override
    public void onLost(Consumer<? super LeaseLoss> callback) {
        onLost(callback, context.callbacks());
    }

    /** The same, on the given executor. */
    public void onLost(Consumer<? super LeaseLoss> callback, Executor executor) {
        Arguments.given("callback", callback, "it must take a LeaseLoss");
        Consumer<LeaseLoss> once = once(callback, executor);
        context.loop().post(() -> {
            LeaseLoss loss = heldLease.loss();
            if (loss == null) {
                listeners.add(once);
            } else {
                notifyLost(once, loss);
            }
        });
        LeaseLoss loss = heldLease.loss();
        if (context.loop().isOver() && loss != null) {
            notifyLost(once, loss);
        }
    }

    /** Runs the callback at most once, on the executor. Nothing that it throws stops the rest of the loss handling. */
    private static Consumer<LeaseLoss> once(Consumer<? super LeaseLoss> callback, Executor executor) {
        AtomicBoolean notified = new AtomicBoolean();
        return loss -> {
            if (!notified.compareAndSet(false, true)) {
                return;
            }
            try {
                executor.execute(() -> call(callback, loss));
            } catch (RuntimeException e) {
                LOG.error("{}: the callback for its loss could not be run", LogContext.of(loss.tenure()), e);
            }
        };
    }

    private static void call(Consumer<? super LeaseLoss> callback, LeaseLoss loss) {
        try {
            callback.accept(loss);
        } catch (Throwable e) {
            // Languages without checked exceptions may throw any Throwable.
            LOG.warn("{}: the callback for its loss has thrown", LogContext.of(loss.tenure()), e);
        }
    }

    /** The tenure was lost. Event loop only. */
    void lost(LeaseLoss loss) {
        listeners.forEach(listener -> notifyLost(listener, loss));
    }

    private void notifyLost(Consumer<LeaseLoss> listener, LeaseLoss loss) {
        if (state.get() != State.CLOSED) {
            listener.accept(loss);
        }
    }

    @Override
    public CompletionStage<Boolean> closeAsync() {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        closeSoon();
        released.thenAccept(outcome -> {
            boolean over = outcome.isOver();
            try {
                context.callbacks().execute(() -> result.complete(over));
            } catch (RuntimeException | Error e) {
                // On this thread rather than never.
                result.complete(over);
            }
        });
        return result;
    }

    @Override
    public void close() {
        if (!closeSoon() || isAsserting()) {
            return;
        }
        if (!context.runtime()
                .awaitUnlessInterrupted(released, context.settings().closeBudgetNanos())) {
            LOG.warn("{}: it is not released yet; the release goes on in the background", LogContext.of(tenure()));
        }
    }

    /** Closes without waiting; false if it was closed before. */
    public boolean closeSoon() {
        if (!state.compareAndSet(State.OPEN, heldLease.loss() == null ? State.CLOSED : State.CLOSED_AFTER_LOSS)) {
            return false;
        }
        // Validity ends at once, also while the partition's thread waits for the database: then on the loop's own
        // thread.
        context.postFor(
                tenure().name(),
                () -> heldLeases
                        .close(this)
                        .whenComplete((outcome, failure) ->
                                released.complete(failure == null ? outcome : ReleaseOutcome.NOT_RELEASED)));
        if (context.loop().isOver()) {
            released.complete(ReleaseOutcome.NOT_RELEASED);
        }
        return true;
    }

    /** Its release prefers a waiter of this instance. Any thread, before the close. */
    public void prefer(String instance) {
        context.loop().post(() -> heldLease.prefer(instance));
    }

    /** Runs on the event loop when a read shows the queue, and that a release may grant the lease to a waiter. Any thread. */
    public void onView(Consumer<QueueView> listener) {
        onView = listener;
    }

    void viewed(QueueView view) {
        onView.accept(view);
    }

    /** Whether a release may grant the lease, as just read, to a waiter: not while it is pinned, or to be kept free. Any thread. */
    public boolean mayHandOver(LeaseState state) {
        return heldLease.mayHandOver(state);
    }

    /** Completes after the close, on a thread that must not block. */
    public CompletableFuture<ReleaseOutcome> released() {
        return released;
    }

    /** Closes it because its caller cancelled before the delivery. Event loop only. */
    public void closeUndelivered() {
        delivered = false;
        closeSoon();
    }

    boolean wasDelivered() {
        return delivered;
    }

    HeldLease heldLease() {
        return heldLease;
    }

    /** The instant before which its caller does not want the lease to be taken again; null for none. */
    @Nullable Long notBeforeNanos() {
        return notBeforeNanos;
    }

    /** The instant from which on its caller does not want to hold the lease; null for none. */
    @Nullable Long endNanos() {
        return endNanos;
    }

    @Override
    public String toString() {
        return "Lease[" + LogContext.of(tenure()) + "]";
    }
}
