package dev.leasehold.engine;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one namespace, for one process. Start one with {@link #builder}, and keep it for as long as the process lives.
 *
 * <pre>{@code
 * try (Lease lease = engine.acquire("nightly-invoices")) { // waits until it is held
 *     lease.requireHeld(); // before each step that must not be taken without it
 * }
 * }</pre>
 *
 * <table>
 * <caption>Which call</caption>
 * <tr><td>{@link #acquire(String)}, {@link #acquire(String, Duration)}</td><td>wait for the lease</td></tr>
 * <tr><td>{@link #tryAcquire(String)}</td><td>take it now, or learn who holds it</td></tr>
 * <tr><td>{@link #runWhileHeld(String, HeldTask)}</td><td>run a task if the lease is free</td></tr>
 * <tr><td>{@link #elect(String)}</td><td>lead whenever no other process does</td></tr>
 * <tr><td>{@link #tenures()}</td><td>hold leases without a {@link Lease}: the caller extends and releases them itself</td></tr>
 * <tr><td>{@link #admin()}</td><td>inspect, pin and end the leases of others</td></tr>
 * </table>
 *
 * <p>A lease has at most one holder at a time. A {@link Lease} keeps itself held until it is closed or lost.
 *
 * <p><b>Clocks.</b> Every duration is counted on this engine's own clock: time of day when the engine was built, plus monotonic time since.
 * A term begins at the start of the call that asked for it at the earliest. Another engine takes a lease only when the clock of the engine
 * that keeps it has certainly passed the end of its term, or of its session, whatever the two clocks' rates are within the configured
 * drift.
 *
 * <p><b>Blocking.</b> Operations that say so block for at most the operation budget. They may be called by any number of
 * platform or virtual threads; no lock is held while waiting. Concurrent operations share transactions.
 *
 * <p><b>Interruption.</b> An interrupted operation throws {@link InterruptedException} as long as nothing was sent that
 * could take effect: it was not carried out and never will be, so no lease is left behind. Once its commit was sent, its
 * outcome is waited for and returned, and the thread keeps its interrupt flag. An acquisition does not wait then: interrupted before its
 * answer is there, it throws, and what was acquired all the same is released in the background. Where the interrupt comes as late as the answer, the answer may be
 * returned, and the thread keeps its interrupt flag.
 *
 * <p><b>Errors.</b> Bad arguments are {@link IllegalArgumentException}s, thrown before anything is sent. A no is a value,
 * {@link Refusal}. Everything else is a {@link LeaseException}, whose subtypes say what to conclude: the operation was not carried out and
 * never will be; or, after {@link LeaseOutcomeUnknownException} alone, it may have been. What an acquisition had on its way when the
 * engine was closed is released by the close.
 *
 * <p>Made to be used, not to be implemented: methods may be added in any version.
 */
public interface LeaseEngine extends AutoCloseable {

    /**
     * Starts the settings of an engine.
     *
     * @param client the application's client; it is never closed, and must be closed after the engine
     * @return a builder with every setting at its default
     */
    static LeaseEngineBuilder builder(MongoClient client) {
        return new LeaseEngineBuilder(client);
    }

    /**
     * The namespace that this engine works on.
     *
     * @return as configured
     */
    String namespace();

    /**
     * Acquires a lease, and waits for it for as long as it takes. See {@link #acquire(LeaseRequest)}.
     *
     * @param name the lease: 1 to 512 bytes of UTF-8, not blank, without control characters
     * @return the lease, to be closed by the caller
     * @throws InterruptedException if the thread was interrupted; no lease is left behind
     */
    default Lease acquire(String name) throws InterruptedException {
        return acquire(LeaseRequest.of(name));
    }

    /**
     * Acquires a lease, and waits for it for as long as it takes: until it is held, the thread is interrupted or the engine is closed.
     * See {@link #tryAcquire(LeaseRequest, Duration)} for what wakes the wait.
     *
     * <p>An outage of the database is waited out. So is an acquisition of unknown outcome: it is made again.
     *
     * @param request which lease, for whom, and how it is to be kept
     * @return the lease, to be closed by the caller
     * @throws InterruptedException if the thread was interrupted; no lease is left behind
     * @throws LeaseStoreException if the database refuses it
     * @throws CorruptDocumentException if a document that it needs is damaged
     * @throws LeaseEngineClosedException if the engine is closed, before the call or during it
     */
    Lease acquire(LeaseRequest request) throws InterruptedException;

    /**
     * Acquires a lease, and waits for it while others hold it. See {@link #tryAcquire(LeaseRequest, Duration)}.
     *
     * @param name the lease
     * @param wait how long to wait while others hold it, zero to 36,500 days
     * @return the lease, to be closed by the caller
     * @throws LeaseRefusedException if it was not acquired until then; it says who holds the lease
     * @throws InterruptedException if the thread was interrupted; no lease is left behind
     */
    default Lease acquire(String name, Duration wait) throws InterruptedException {
        return acquire(LeaseRequest.of(name), wait);
    }

    /**
     * Acquires a lease, and waits for it while others hold it. See {@link #tryAcquire(LeaseRequest, Duration)}.
     *
     * @param request which lease, for whom, and how it is to be kept
     * @param wait how long to wait while others hold it, zero to 36,500 days
     * @return the lease, to be closed by the caller
     * @throws LeaseRefusedException if it was not acquired until then; it says who holds the lease
     * @throws InterruptedException if the thread was interrupted; no lease is left behind
     */
    default Lease acquire(LeaseRequest request, Duration wait) throws InterruptedException {
        return tryAcquire(request, wait).orElseThrow();
    }

    /**
     * Acquires a lease at once, or says who holds it. See {@link #tryAcquire(LeaseRequest)}.
     *
     * @param name the lease: 1 to 512 bytes of UTF-8, not blank, without control characters
     * @return {@link Acquisition.Acquired} or {@link Acquisition.NotAcquired}
     * @throws InterruptedException if the thread was interrupted; no lease is left behind
     */
    default Acquisition tryAcquire(String name) throws InterruptedException {
        return tryAcquire(LeaseRequest.of(name));
    }

    /**
     * Acquires a lease at once, or says who holds it.
     *
     * <p>It is acquired if nobody holds it, if the tenure of the one who held it has certainly run out, or if the request's holder
     * holds it through this engine already (or, with {@link LeaseRequest#supersede}, through another). From then on it keeps itself held until it is closed or lost. A lease that is
     * pinned is not acquired.
     *
     * <p>Blocks for at most the operation budget.
     *
     * @param request which lease, for whom, and how it is to be kept
     * @return {@link Acquisition.Acquired} or {@link Acquisition.NotAcquired}
     * @throws InterruptedException if the thread was interrupted; no lease is left behind: if it was acquired all the same, it
     *     is released in the background
     * @throws LeaseOutcomeUnknownException if it may have been acquired. Treat that as not acquired, and ask again: if the write landed,
     *     the engine releases it
     */
    default Acquisition tryAcquire(LeaseRequest request) throws InterruptedException {
        return tryAcquire(request, Duration.ZERO);
    }

    /**
     * Acquires a lease, and waits for it while others hold it.
     *
     * <p>The wait is woken when the lease is released, anywhere (within some 5 s where the engine cannot watch for changes), and at the
     * instant at which the tenure of a holder that died has certainly run out. Within one process, waiters are served in the order in which
     * they came; between processes there is no order.
     *
     * <p>Blocks for at most {@code wait} and the operation budget.
     *
     * @param request which lease, for whom, and how it is to be kept
     * @param wait how long to wait while others hold it, zero to 36,500 days; the first attempt is made in any case
     * @return {@link Acquisition.Acquired}; or {@link Acquisition.NotAcquired} when the wait is over, with how the lease stood at the
     *     last look
     * @throws InterruptedException if the thread was interrupted; no lease is left behind
     * @throws LeaseOutcomeUnknownException as of {@link #tryAcquire(LeaseRequest)}
     * @throws LeaseUnavailableException if the database could not be reached until the wait was over; an outage that ends before that
     *     is waited out, and so is contention
     */
    Acquisition tryAcquire(LeaseRequest request, Duration wait) throws InterruptedException;

    /**
     * Acquires a lease at once, or says who holds it, without blocking. See {@link #tryAcquireAsync(LeaseRequest, Duration)}.
     *
     * @param name the lease: 1 to 512 bytes of UTF-8, not blank, without control characters
     * @return completes with what {@link #tryAcquire(String)} returns or throws
     */
    default CompletionStage<Acquisition> tryAcquireAsync(String name) {
        return tryAcquireAsync(LeaseRequest.of(name));
    }

    /**
     * Acquires a lease at once, or says who holds it, without blocking. See {@link #tryAcquireAsync(LeaseRequest, Duration)}.
     *
     * @param request which lease, for whom, and how it is to be kept
     * @return completes with what {@link #tryAcquire(LeaseRequest)} returns or throws
     */
    default CompletionStage<Acquisition> tryAcquireAsync(LeaseRequest request) {
        return tryAcquireAsync(request, Duration.ZERO);
    }

    /**
     * Acquires a lease, and waits for it without a thread while others hold it. Never blocks, does no I/O.
     *
     * <p>A stage that was made from the one returned does not pass its end on: where that alone is cancelled, the lease may be acquired
     * with nobody to close it.
     *
     * @param request which lease, for whom, and how it is to be kept
     * @param wait how long to wait while others hold it, zero to 36,500 days
     * @return completes with what {@link #tryAcquire(LeaseRequest, Duration)} returns or throws, on a thread for callbacks; bad arguments
     *     are thrown by the call itself. If it is cancelled, as a {@link java.util.concurrent.CompletableFuture}, no lease is left behind
     */
    CompletionStage<Acquisition> tryAcquireAsync(LeaseRequest request, Duration wait);

    /**
     * Acquires a lease, and waits for it without a thread while others hold it. See {@link #tryAcquireAsync(LeaseRequest, Duration)}.
     *
     * @param request which lease, for whom, and how it is to be kept
     * @param wait how long to wait while others hold it, zero to 36,500 days
     * @return completes with the lease, or with what {@link #acquire(LeaseRequest, Duration)} throws
     */
    CompletionStage<Lease> acquireAsync(LeaseRequest request, Duration wait);

    /**
     * Runs a task if the lease can be acquired at once, and releases it after the task. See {@link #runWhileHeld(LeaseRequest, Duration,
     * HeldTask)}.
     *
     * @param name the lease: 1 to 512 bytes of UTF-8, not blank, without control characters
     * @param task runs while the lease is held, on the caller's thread
     * @param <T> what the task returns
     * @param <X> what the task may throw
     * @return whether it ran, with its result
     * @throws InterruptedException if the thread was interrupted before the task began, or the task throws it
     * @throws X what the task throws; the lease is released before that
     */
    default <T extends @Nullable Object, X extends Exception> RunResult<T> runWhileHeld(
            String name, HeldTask<T, X> task) throws InterruptedException, X {
        return runWhileHeld(LeaseRequest.of(name), task);
    }

    /**
     * Runs a task that has no use for the lease itself, if the lease can be acquired at once, and releases it after the task. See {@link
     * #runWhileHeld(LeaseRequest, Duration, HeldTask)}.
     *
     * @param name the lease: 1 to 512 bytes of UTF-8, not blank, without control characters
     * @param task runs while the lease is held, on the caller's thread
     * @return whether it ran
     * @throws InterruptedException if the thread was interrupted before the task began
     */
    default RunResult<@Nullable Void> runWhileHeld(String name, Runnable task) throws InterruptedException {
        return runWhileHeld(LeaseRequest.of(name), task);
    }

    /**
     * Runs a task if the lease can be acquired at once, and releases it after the task. See {@link #runWhileHeld(LeaseRequest, Duration,
     * HeldTask)}.
     *
     * @param request which lease, for whom, and how it is to be kept
     * @param task runs while the lease is held, on the caller's thread
     * @param <T> what the task returns
     * @param <X> what the task may throw
     * @return whether it ran, with its result
     * @throws InterruptedException if the thread was interrupted before the task began, or the task throws it
     * @throws X what the task throws; the lease is released before that
     */
    default <T extends @Nullable Object, X extends Exception> RunResult<T> runWhileHeld(
            LeaseRequest request, HeldTask<T, X> task) throws InterruptedException, X {
        return runWhileHeld(request, Duration.ZERO, task);
    }

    /**
     * Runs a task that has no use for the lease itself, if the lease can be acquired at once, and releases it after the task. See {@link
     * #runWhileHeld(LeaseRequest, Duration, HeldTask)}.
     *
     * @param request which lease, for whom, and how it is to be kept
     * @param task runs while the lease is held, on the caller's thread
     * @return whether it ran
     * @throws InterruptedException if the thread was interrupted before the task began
     */
    default RunResult<@Nullable Void> runWhileHeld(LeaseRequest request, Runnable task) throws InterruptedException {
        return runWhileHeld(request, Duration.ZERO, task);
    }

    /**
     * Waits for the lease, runs a task, and releases the lease after it. The task is skipped if the lease was not acquired in time.
     *
     * <p>The task gets the lease, and should ask it now and then whether it is still held: nothing stops a task whose lease was lost.
     * Blocks for as long as the task runs, and besides for at most {@code wait}, the operation budget and the close budget.
     *
     * @param request which lease, for whom, and how it is to be kept
     * @param wait how long to wait while others hold it, zero to 36,500 days
     * @param task runs while the lease is held, on the caller's thread
     * @param <T> what the task returns
     * @param <X> what the task may throw
     * @return whether it ran, with its result
     * @throws InterruptedException if the thread was interrupted before the task began, or the task throws it
     * @throws LeaseOutcomeUnknownException if the lease may have been acquired. The task did not run; if the write landed, the engine
     *     releases the lease
     * @throws X what the task throws; the lease is released before that
     */
    <T extends @Nullable Object, X extends Exception> RunResult<T> runWhileHeld(
            LeaseRequest request, Duration wait, HeldTask<T, X> task) throws InterruptedException, X;

    /**
     * Waits for the lease, runs a task that has no use for the lease itself, and releases the lease after it. See {@link
     * #runWhileHeld(LeaseRequest, Duration, HeldTask)}.
     *
     * @param request which lease, for whom, and how it is to be kept
     * @param wait how long to wait while others hold it, zero to 36,500 days
     * @param task runs while the lease is held, on the caller's thread
     * @return whether it ran
     * @throws InterruptedException if the thread was interrupted before the task began
     */
    default RunResult<@Nullable Void> runWhileHeld(LeaseRequest request, Duration wait, Runnable task)
            throws InterruptedException {
        if (task == null) {
            throw new IllegalArgumentException("task null is refused: it must say what to do while the lease is held");
        }
        return runWhileHeld(request, wait, lease -> {
            task.run();
            return null;
        });
    }

    /**
     * Begins a leader election of a holder of its own. See {@link #elect(LeaseRequest)}.
     *
     * @param name the lease: 1 to 512 bytes of UTF-8, not blank, without control characters
     * @return to be given callbacks, and then started
     */
    default LeaderElection.Builder elect(String name) {
        return elect(LeaseRequest.of(name));
    }

    /**
     * Begins a leader election: one that campaigns for the lease, tells callbacks when this process is to lead and when no longer, and
     * campaigns again after every loss, until it is closed.
     *
     * @param request which lease, for whom, and how it is to be kept. Of two elections with one holder in one engine both are granted
     * @return to be given callbacks, and then started
     */
    LeaderElection.Builder elect(LeaseRequest request);

    /**
     * How this engine is. Never blocks, does no I/O.
     *
     * @return a value of the moment
     */
    EngineHealth health();

    /**
     * What operators do to leases that others hold.
     *
     * @return always the same, usable for as long as the engine is
     */
    LeaseAdmin admin();

    /**
     * The operations on tenures that the caller keeps itself: claim, extend, release, take over.
     *
     * @return always the same, usable for as long as the engine is
     */
    Tenures tenures();

    /**
     * Reads leases. What was seen is remembered, and may let this engine know the expiry of others' leases sooner.
     *
     * <p>More than a thousand are read in parts, and so are those of several partitions; each part blocks for at most the operation
     * budget.
     *
     * @param names the leases
     * @return one state for each different name, absent ones too, in the order given
     * @throws InterruptedException if the thread was interrupted
     */
    List<LeaseState> refresh(Collection<String> names) throws InterruptedException;

    /**
     * Lists the leases of the namespace that have a document, corrupt ones too, in the order of their names, and remembers
     * what was seen like {@link #refresh}.
     *
     * <p>It is read in parts; each part is a moment of its own, and blocks for at most the operation budget. It is never a part
     * of the leases: if one partition of the namespace cannot be read, that is thrown.
     *
     * @return an unmodifiable list
     * @throws InterruptedException if the thread was interrupted
     */
    List<LeaseState> leases() throws InterruptedException;

    /**
     * Removes the documents of leases that nobody has held for longer than the retention, and the entries of writers that were
     * silent for an hour, or for the length of their session if they had one. To be called now and then, by any engine of the
     * namespace: without it the clock document grows with the engines that died, and transactions get slower.
     *
     * <p>What cannot be proved to be old yet stays: an engine counts from when it first looked. Tokens go on growing, also
     * across removal.
     *
     * <p>Blocks while it goes through the leases, for at most the operation budget a part. If that fails in one partition of the
     * namespace the others are cleared all the same, and then it is thrown.
     *
     * @return what was done
     * @throws InterruptedException if the thread was interrupted; what was begun until then may still be done
     */
    Housekeeping housekeeping() throws InterruptedException;

    /**
     * Closes the engine: no lease of it is held any more, their holders are told, whatever waits is refused, reads too, and every lease
     * that was acquired is released. An operation whose outcome is unknown stays unknown.
     *
     * <p>Leases that were claimed by {@link Tenures#claim} or {@link Tenures#takeOver} are not released: their terms run out by themselves.
     * Blocks for at most the close budget; the rest is done in the background. An interrupt ends the wait, also one that came
     * before, and the thread keeps its interrupt flag. A second call only waits for the same. The client stays open, and must not be
     * closed before all is done.
     */
    @Override
    void close();

    /**
     * Ends the engine as {@link #close()} does, but releases no lease: what is held stays with its holder until its session or term has
     * run out, as if the process had died. For a process that ends while others rely on what it holds, or while work under a lease may
     * still be running. Leases that were closed before are given up as always.
     *
     * <p>Blocks for at most the close budget; the rest is done in the background. After a {@link #close()} this only waits for the same.
     */
    void closeWithoutRelease();
}
