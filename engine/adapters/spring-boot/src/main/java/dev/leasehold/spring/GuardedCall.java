package dev.leasehold.spring;

import dev.leasehold.engine.LeaseEngine;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One call of a method with an annotation, before it is known whether it runs. Used by one thread at a time, in this order: an ask, with
 * {@link #take} or {@link #giveBack} for its answer, the method, and {@link #ended}.
 *
 * @param <A> what an ask is answered
 */
interface GuardedCall<A> {

    /** What a call is made in. */
    interface Around {

        /** A call of this thread. */
        Around THREAD = new Around() {
            @Override
            public @Nullable SharedLease lease(LeaseEngine engine, String name) {
                return LeaseHolder.outer(engine, name);
            }

            @Override
            public @Nullable Object attribute(Object key) {
                return null;
            }
        };

        /** The lease of that engine and name under which a call around runs; null for none. */
        @Nullable SharedLease lease(LeaseEngine engine, String name);

        /** An attribute of the subscriber; null for none. */
        @Nullable Object attribute(Object key);
    }

    /** What a call that runs has, from before the method begins until its work has ended. */
    record Hold(SharedLease lease, RunningMethods.Call running) {

        /** Blocks until the lease is free, for at most the engine's close budget. */
        void end() {
            running.close();
            lease.leave();
        }

        CompletableFuture<Boolean> endAsync() {
            running.close();
            return lease.leaveAsync();
        }
    }

    /** Asks, and waits on this thread. Throws no {@link InterruptedException}, which the method need not declare. */
    A ask();

    /** Asks without a thread. Cancelling the future leaves nothing behind. */
    CompletableFuture<? extends A> askAsync();

    /** Begins the call on this thread; null if it is to be skipped. What it throws is the result of the call. Does no I/O. */
    @Nullable Hold take(A answer);

    /** Instead of {@link #take}: there is no need any more. */
    CompletableFuture<?> giveBack(A answer);

    /** Runs the method on this thread. */
    @Nullable Object proceed(Hold hold) throws Throwable;

    /** What the call adds to the attributes of its subscriber. */
    Map<Object, Object> attributes();

    /** After all the rest, once. */
    void ended(@Nullable Throwable failure);
}
