package dev.leasehold.engine;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Lets one process at a time lead: it campaigns for a lease, and campaigns again after every loss, until it is closed.
 *
 * <pre>{@code
 * LeaderElection election = engine.elect("leader")
 *         .onGranted(lease -> scheduler.start(lease))
 *         .onLost(loss -> scheduler.stop())
 *         .start();
 * ...
 * election.close();
 * }</pre>
 *
 * <p><b>Callbacks.</b> Each granted callback is followed by exactly one lost callback before the next granted one, also when the election
 * or the engine is closed. They run one after the other, never two at once, on a daemon thread that belongs to this election; the
 * {@linkplain LeaseEngineBuilder#callbackExecutor executor for callbacks} is not used. They may block: nothing else is held up.
 *
 * <p>So a lost callback waits for a granted callback that still runs, and this process campaigns again only when both
 * have returned. A granted callback that does the work itself must look at {@link Lease#isHeld()} or call {@link
 * Lease#requireHeld()}, and return soon after the loss. Returning from it while the lease is held ends nothing.
 *
 * <p><b>Stepping down.</b> {@link Lease#close()} of the lease that the granted callback got ends the lead without
 * blocking: {@code isHeld()} is false, the lost callback runs, then the lease is released, at the latest when the
 * {@linkplain LeaseEngineBuilder#closeBudget close budget} is over, even if a callback still runs. If another process
 * waits, it leads next, and this one campaigns again at once. If none is known to wait, this process campaigns again after a pause of up to 10 s, so that
 * another process is likely to lead next. The same happens when the granted callback throws. {@link #stepDownTo} names the next leader.
 *
 * <p><b>Errors.</b> What callbacks throw is logged. Campaigns that fail are logged and repeated, after random pauses of at
 * most 100 ms, which double up to 10 s. So is a campaign after a second lead in a row that was lost within 10 s. Only the
 * end of the engine or of the election ends the campaign.
 *
 * <p>What a leader may rely on is what any holder may: see {@link Lease}. Safe for use by many threads. Made to be used, not to be
 * implemented: methods may be added in any version.
 */
public interface LeaderElection extends AutoCloseable {

    /**
     * Whether this process leads: its campaign was granted, and the lease {@linkplain Lease#isHeld() is held}. It turns
     * true before the granted callback runs, and false before the lost callback runs. Never blocks, does no I/O.
     *
     * @return whether it leads now
     */
    boolean isLeader();

    /**
     * The lease under which this process leads, for its token and its assertion. Never blocks, does no I/O.
     *
     * @return empty if it does not lead now
     */
    Optional<Lease> lease();

    /**
     * Steps down for another process, if that waits for the lead and could lead. Reads the waiters first. If no process of that instance does, or if the
     * lease is {@linkplain LeaseAdmin#pin pinned} or its {@linkplain LeaseRequest#atLeast minimum hold} is not over, so that none could lead, nothing
     * happens, and this process leads on. Else it steps down as by {@link Lease#close()}, and the lease is granted to that process. Of two calls that
     * overlap for different instances one counts. Never blocks.
     *
     * @param instance the {@linkplain LeaseEngineBuilder#instance instance} of the process that is to lead
     * @return completes with true if the lease was granted to that instance; with false if it does not wait, if none could lead, if it was not granted,
     *     or if this process does not lead; with a {@link LeaseException} if the read failed
     * @throws IllegalArgumentException if the instance breaks its rule
     * @throws IllegalStateException if the engine takes no part in the {@linkplain LeaseEngineBuilder#waitQueue wait queue}
     */
    CompletionStage<Boolean> stepDownTo(String instance);

    /**
     * Ends the campaign, and the lead: {@link #isLeader()} is false from the start of the call on, the lost callback runs,
     * with {@link LeaseLoss.Reason#CLOSED}, and then the lease is released, at the latest when the close budget is over,
     * even if a callback still runs, and whatever ends the wait of this call.
     *
     * <p>Blocks for at most the close budget for callbacks, which may then still run, and for at most as long for the
     * release. A call from a callback of this election does not wait: the rest follows when the callback has returned. A
     * second call only waits for the same. Throws nothing. An interrupt ends the wait, and the thread keeps its flag.
     */
    @Override
    void close();

    /** An election that is not started yet. Of use to one thread at a time. */
    interface Builder {

        /**
         * What to do when this process is to lead. Default: nothing.
         *
         * @param callback gets the lease, which it need not close
         * @return this
         */
        Builder onGranted(Consumer<? super Lease> callback);

        /**
         * What to do when this process leads no longer. Default: nothing.
         *
         * @param callback gets what is known about the loss; the reason is {@link LeaseLoss.Reason#CLOSED} if the election or the engine
         *     was closed, and if this process stepped down
         * @return this
         */
        Builder onLost(Consumer<? super LeaseLoss> callback);

        /**
         * Makes this process step down when a process with a higher {@linkplain LeaseRequest#priority(int) priority} waits for the lead, which then
         * leads next. So the process with the highest priority of those that run comes to lead, usually within seconds. While the lease is
         * {@linkplain LeaseAdmin#pin pinned}, or its {@linkplain LeaseRequest#atLeast minimum hold} is not over, none could lead next, so this one
         * leads on until then. If several elections of one engine lead under the same holder, all of them must yield. Default: it leads on.
         *
         * @return this
         * @throws IllegalStateException if the engine takes no part in the {@linkplain LeaseEngineBuilder#waitQueue wait queue}
         */
        Builder yieldToHigherPriority();

        /**
         * Starts the campaign. Never blocks, does no I/O.
         *
         * @return the election, to be closed by the caller; closing the engine ends it too
         * @throws IllegalArgumentException if the request's term or renewal period breaks its rule
         * @throws LeaseEngineClosedException if the engine is closed
         */
        LeaderElection start();
    }
}
