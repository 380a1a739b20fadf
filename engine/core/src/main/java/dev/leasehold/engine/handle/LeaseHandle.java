package dev.leasehold.engine.handle;

import com.mongodb.client.ClientSession;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.commit.Subject;
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

    private final Holding holding;
    private final Holdings holdings;
    private final Surroundings around;
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    /** Complete once it was closed: whether that has certainly ended the tenure. */
    private final CompletableFuture<Boolean> given = new CompletableFuture<>();
    /** Of the agenda's thread alone. */
    private final List<LossCallback> listeners = new ArrayList<>();
    /** Of the agenda's thread alone. */
    private boolean delivered = true;

    /** The thread that blocked for it, by its number, which does not keep it from being collected; 0 for none. */
    private long acquirer;

    LeaseHandle(Holding holding, Holdings holdings, Surroundings around) {
        this.holding = holding;
        this.holdings = holdings;
        this.around = around;
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
        return holding.tenure();
    }

    @Override
    public @Nullable String comment() {
        return holding.wish().comment();
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
            LeaseLoss loss = holding.loss();
            LeaseNotHeldException notHeld = new LeaseNotHeldException(tenure(), whyNotHeld(loss));
            if (loss != null) {
                notHeld.initCause(loss.cause());
            }
            throw notHeld;
        }
    }

    private String whyNotHeld(@Nullable LeaseLoss loss) {
        if (loss != null) {
            return "it was lost: " + loss.message();
        }
        return state.get() == State.OPEN ? "its time is over on this engine's clock" : "this handle of it was closed";
    }

    private long remainingNanos() {
        return state.get() == State.OPEN ? holding.remainingNanos() : 0;
    }

    @Override
    public LeaseAssertion assertion() {
        return holding.assertion();
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
                    Subject.of(tenure())
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
        onLost(callback, around.callbacks());
    }

    /** The same on an executor of the caller's choice. */
    void onLost(Consumer<? super LeaseLoss> callback, Executor executor) {
        if (callback == null) {
            throw new IllegalArgumentException("callback null is refused: it must take a LeaseLoss");
        }
        LossCallback listener = new LossCallback(callback, executor);
        around.agenda().post(() -> listen(listener));
        LeaseLoss loss = holding.loss();
        if (around.agenda().isOver() && loss != null && hearsOfLosses()) {
            listener.tell(loss);
        }
    }

    private void listen(LossCallback listener) {
        LeaseLoss loss = holding.loss();
        if (!hearsOfLosses()) {
            return;
        }
        if (loss == null) {
            listeners.add(listener);
        } else {
            listener.tell(loss);
        }
    }

    /** On the agenda's thread: the tenure was lost. */
    void lost(LeaseLoss loss) {
        if (hearsOfLosses()) {
            listeners.forEach(listener -> listener.tell(loss));
        }
    }

    private boolean hearsOfLosses() {
        return state.get() != State.CLOSED;
    }

    @Override
    public CompletionStage<Boolean> closeAsync() {
        CompletableFuture<Boolean> told = new CompletableFuture<>();
        closeSoon();
        given.whenComplete((over, failure) -> tell(told, over));
        return told;
    }

    private void tell(CompletableFuture<Boolean> told, boolean over) {
        try {
            around.callbacks().execute(() -> told.complete(over));
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
            if (!around.runtime().await(given, around.settings().closeBudgetNanos())) {
                LOG.warn("{}: it is not given up yet, which goes on in the background", Subject.of(tenure()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes without waiting, unless it was closed before: then the answer is false. */
    boolean closeSoon() {
        if (!state.compareAndSet(State.OPEN, holding.loss() == null ? State.CLOSED : State.CLOSED_AFTER_LOSS)) {
            return false;
        }
        around.agenda()
                .post(() ->
                        holdings.close(this).whenComplete((over, failure) -> given.complete(failure == null && over)));
        if (around.agenda().isOver()) {
            given.complete(false);
        }
        return true;
    }

    /** Closes it for a caller who went before it was delivered. On the agenda's thread. */
    void takeBack() {
        delivered = false;
        closeSoon();
    }

    boolean wasDelivered() {
        return delivered;
    }

    Holding holding() {
        return holding;
    }

    @Override
    public String toString() {
        return "Lease[" + Subject.of(tenure()) + "]";
    }
}
