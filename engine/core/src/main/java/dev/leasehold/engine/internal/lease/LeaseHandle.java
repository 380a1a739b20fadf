package dev.leasehold.engine.internal.lease;

import com.mongodb.client.ClientSession;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.internal.rules.LogContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One handle of a tenure, as its caller has it. */
final class LeaseHandle implements Lease {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseHandle.class);

    private enum State {
        OPEN,
        /** Its caller has given up what was held, and is to hear of nothing that befell it later. */
        CLOSED,
        /** The tenure was lost before its caller closed it, who may not have been told yet. */
        CLOSED_AFTER_LOSS
    }

    private final HeldLease heldLease;
    private final HeldLeases heldLeases;
    private final LeaseContext context;
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    /** Complete once it was closed: whether that has certainly ended the tenure. */
    private final CompletableFuture<Boolean> given = new CompletableFuture<>();
    /** Of the agenda's thread alone. */
    private final List<LossCallback> listeners = new ArrayList<>();
    /** Of the agenda's thread alone. */
    private boolean delivered = true;

    /** The thread that blocked for it, by its number, which does not keep it from being collected; 0 for none. */
    private long acquirer;

    LeaseHandle(HeldLease heldLease, HeldLeases heldLeases, LeaseContext context) {
        this.heldLease = heldLease;
        this.heldLeases = heldLeases;
        this.context = context;
    }

    void acquiredBy(@Nullable Thread thread) {
        acquirer = thread == null ? 0 : thread.getId();
    }

    /** Whether it is open, and that thread has acquired it by a call that blocked. */
    boolean isOpenFor(Thread thread) {
        return acquirer == thread.getId() && state.get() == State.OPEN;
    }

    @Override
    public Tenure tenure() {
        return heldLease.tenure();
    }

    @Override
    public @Nullable String comment() {
        return heldLease.spec().comment();
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
        if (session == null) {
            throw new IllegalArgumentException(
                    "session null is refused: it must be one of the client that the engine was built with");
        }
        if (body == null) {
            throw new IllegalArgumentException("body null is refused: it must say what the transaction does");
        }
        if (session.hasActiveTransaction()) {
            // The driver would refuse it too, but end the open one first, and what its owner then sends would be in
            // none.
            throw new IllegalStateException(
                    LogContext.of(tenure())
                            + ": inTransaction begins a transaction of its own, and the session has one open: check the assertion in that");
        }
        LeaseAssertion assertion = assertion();
        return session.withTransaction(() -> {
            assertion.check(session);
            return body.apply(session);
        });
    }

    @Override
    public void onLost(Consumer<? super LeaseLoss> callback) {
        onLost(callback, context.callbacks());
    }

    /** The same on an executor of the caller's choice. */
    void onLost(Consumer<? super LeaseLoss> callback, Executor executor) {
        if (callback == null) {
            throw new IllegalArgumentException("callback null is refused: it must take a LeaseLoss");
        }
        LossCallback listener = new LossCallback(callback, executor);
        context.loop().post(() -> listen(listener));
        LeaseLoss loss = heldLease.loss();
        if (context.loop().isOver() && loss != null && listensForLoss()) {
            listener.notifyLost(loss);
        }
    }

    private void listen(LossCallback listener) {
        LeaseLoss loss = heldLease.loss();
        if (!listensForLoss()) {
            return;
        }
        if (loss == null) {
            listeners.add(listener);
        } else {
            listener.notifyLost(loss);
        }
    }

    /** On the agenda's thread: the tenure was lost. */
    void lost(LeaseLoss loss) {
        if (listensForLoss()) {
            listeners.forEach(listener -> listener.notifyLost(loss));
        }
    }

    private boolean listensForLoss() {
        return state.get() != State.CLOSED;
    }

    @Override
    public CompletionStage<Boolean> closeAsync() {
        CompletableFuture<Boolean> told = new CompletableFuture<>();
        closeSoon();
        given.whenComplete((over, failure) -> notifyLost(told, over));
        return told;
    }

    private void notifyLost(CompletableFuture<Boolean> told, boolean over) {
        try {
            context.callbacks().execute(() -> told.complete(over));
        } catch (RuntimeException | Error e) {
            // Here and now rather than never.
            told.complete(over);
        }
    }

    @Override
    public void close() {
        if (!closeSoon()) {
            return;
        }
        try {
            if (!context.runtime().await(given, context.settings().closeBudgetNanos())) {
                LOG.warn("{}: it is not given up yet, which goes on in the background", LogContext.of(tenure()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes without waiting, unless it was closed before: then the answer is false. */
    boolean closeSoon() {
        if (!state.compareAndSet(State.OPEN, heldLease.loss() == null ? State.CLOSED : State.CLOSED_AFTER_LOSS)) {
            return false;
        }
        // On the loop's own thread: validity ends at once, also while the partition's thread waits for the database.
        context.loop()
                .post(() -> heldLeases
                        .close(this)
                        .whenComplete((over, failure) -> given.complete(failure == null && over)));
        if (context.loop().isOver()) {
            given.complete(false);
        }
        return true;
    }

    /** Closes it for a caller who went before it was delivered. On the agenda's thread. */
    void closeUndelivered() {
        delivered = false;
        closeSoon();
    }

    boolean wasDelivered() {
        return delivered;
    }

    HeldLease heldLease() {
        return heldLease;
    }

    @Override
    public String toString() {
        return "Lease[" + LogContext.of(tenure()) + "]";
    }
}
