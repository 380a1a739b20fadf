package dev.leasehold.engine.internal.watch;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.LeaseObservation;
import dev.leasehold.engine.LeaseState;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells one listener the newest state of a lease, if that differs from the one it was told last. At most one call runs at a time; what is
 * seen while it runs is kept until it returns, and only the newest of that.
 */
public final class LeaseObserver implements LeaseObservation {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseObserver.class);

    private final String name;
    private final Consumer<? super LeaseState> listener;
    private final Executor callbacks;
    private final Consumer<LeaseObserver> onClose;
    /** The newest state, from when it is handed to the callback threads until the listener has returned. */
    private final AtomicReference<@Nullable LeaseState> newest = new AtomicReference<>();

    private volatile boolean closed;
    /** Used by the running delivery, which hands it to the next one through {@link #newest}. */
    private @Nullable LeaseState told;

    /** @param onClose is called on the thread that closes this */
    public LeaseObserver(
            String name, Consumer<? super LeaseState> listener, Executor callbacks, Consumer<LeaseObserver> onClose) {
        this.name = name;
        this.listener = listener;
        this.callbacks = callbacks;
        this.onClose = onClose;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void close() {
        closed = true;
        onClose.accept(this);
    }

    /** The lease was seen like that, later than in any state before. Event loop only. */
    public void saw(LeaseState state) {
        if (newest.getAndSet(state) == null) {
            try {
                callbacks.execute(this::deliver);
            } catch (RuntimeException e) {
                // The next read offers the state again.
                newest.set(null);
                LOG.error("lease {}: its observer could not be called", LeaseNames.quote(name), e);
            }
        }
    }

    private void deliver() {
        for (LeaseState state = newest.get(); state != null; state = newest.get()) {
            if (!closed && (told == null || !shown(told).equals(shown(state)))) {
                told = state;
                call(state);
            }
            if (newest.compareAndSet(state, null)) {
                return;
            }
        }
    }

    private void call(LeaseState state) {
        try {
            listener.accept(state);
        } catch (Throwable e) {
            // Languages without checked exceptions may throw any Throwable.
            LOG.warn("lease {}: an observer has thrown, and is told of later changes", LeaseNames.quote(name), e);
        }
    }

    /** What an observer is told the changes of. Renewals move the expiry all the time. */
    private static Object shown(LeaseState state) {
        if (state instanceof LeaseState.Held held) {
            return List.of(
                    held.status(),
                    held.tenure(),
                    Optional.ofNullable(held.comment()),
                    Optional.ofNullable(held.payload()));
        }
        if (state instanceof LeaseState.Vacant vacant) {
            return List.of(vacant.token(), Optional.ofNullable(vacant.comment()));
        }
        return state;
    }
}
