package dev.leasehold.engine;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one namespace, for one process.
 *
 * <p>A lease has at most one holder at a time. To <em>acquire</em> one gives a {@link Lease}, which keeps itself held until
 * it is closed or lost; most callers need nothing else. To <em>claim</em> one gives a {@link dev.leasehold.assertions.Tenure}, with a
 * term that nobody prolongs but its holder: see {@link #tenures()}.
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
 * answer is there, it throws, and what was acquired all the same is given up in the background. What its holder has through another engine
 * as well, with a term, is left to that engine and its term. Where the interrupt comes as late as the answer, the answer may be
 * returned, and the thread keeps its interrupt flag.
 *
 * <p><b>Errors.</b> Bad arguments are {@link IllegalArgumentException}s, thrown before anything is sent. A no is a value,
 * {@link Refusal}. Beyond these, operations throw
 * <ul>
 *   <li>{@link LeaseUnavailableException}, {@link LeaseContentionException}, {@link LeaseStoreException}, {@link
 *       CorruptDocumentException}, {@link ClockAnomalyException}, {@link LeaseEngineClosedException}: not carried out, and
 *       it never will be. What an acquisition had on its way when the engine was closed is given up by the close;
 *   <li>{@link LeaseOutcomeUnknownException}: it may or may not have been carried out.
 * </ul>
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
     * Acquires a lease at once, or says who holds it, for an holder of its own. See {@link #tryAcquire(LeaseRequest)}.
     *
     * @param name the lease: 1 to 512 bytes of UTF-8 without control characters
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
     * holds it through this engine already. From then on it keeps itself held until it is closed or lost. A lease that is
     * pinned is not acquired.
     *
     * <p>Blocks for at most the operation budget.
     *
     * @param request which lease, for whom, and how it is to be kept
     * @return {@link Acquisition.Acquired} or {@link Acquisition.NotAcquired}
     * @throws InterruptedException if the thread was interrupted; no lease is left behind: if it was acquired all the same, it
     *     is given up in the background, unless its holder has it, with a term, through another engine as well
     * @throws LeaseOutcomeUnknownException if it may have been acquired. It is not held by the caller; if it turns out that it was
     *     acquired, the engine gives it up. So there is nothing to resolve; ask again
     */
    default Acquisition tryAcquire(LeaseRequest request) throws InterruptedException {
        return tryAcquire(request, Duration.ZERO);
    }

    /**
     * Acquires a lease, and waits for it while others hold it.
     *
     * <p>The wait is woken when the lease is given up, anywhere (within some 5 s where the engine cannot watch for changes), and at the
     * instant at which the tenure of a holder who died has certainly run out. Among those who wait in one process, who came first is served
     * first; between processes there is no order.
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
     * Acquires a lease for an holder of its own, and waits for it while others hold it. See {@link #tryAcquire(LeaseRequest, Duration)}.
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
     * Acquires a lease at once, or says who holds it, without blocking. See {@link #tryAcquire(LeaseRequest)}.
     *
     * @param request which lease, for whom, and how it is to be kept
     * @return completes with what {@link #tryAcquire(LeaseRequest)} returns or throws, on a thread for callbacks; bad arguments are thrown
     *     by the call itself. If it is cancelled,
     *     as a {@link java.util.concurrent.CompletableFuture}, no lease is left behind
     */
    default CompletionStage<Acquisition> tryAcquireAsync(LeaseRequest request) {
        return tryAcquireAsync(request, Duration.ZERO);
    }

    /**
     * Acquires a lease, and waits for it without a thread while others hold it. Never blocks, does no I/O. See {@link
     * #tryAcquire(LeaseRequest, Duration)}.
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
     * Acquires a lease, and waits for it without a thread while others hold it. Never blocks, does no I/O. See {@link
     * #acquire(LeaseRequest, Duration)}.
     *
     * <p>A stage that was made from the one returned does not pass its end on: where that alone is cancelled, the lease may be acquired
     * with nobody to close it.
     *
     * @param request which lease, for whom, and how it is to be kept
     * @param wait how long to wait while others hold it, zero to 36,500 days
     * @return completes with the lease, or with what {@link #acquire(LeaseRequest, Duration)} throws, on a thread for callbacks; bad
     *     arguments are thrown by the call itself. If it is cancelled, as a {@link java.util.concurrent.CompletableFuture}, no lease is
     *     left behind
     */
    CompletionStage<Lease> acquireAsync(LeaseRequest request, Duration wait);

    /**
     * Runs a task if the lease can be acquired at once, and gives it up when the task has ended.
     *
     * <p>The task gets the lease, and should ask it now and then whether it is still held. Blocks for as long as the task runs, and
     * besides for at most the operation budget and the close budget.
     *
     * @param request which lease, for whom, and how it is to be kept
     * @param task runs while the lease is held, on the caller's thread
     * @param <T> what the task returns
     * @param <X> what the task may throw
     * @return whether it ran, with its result
     * @throws InterruptedException if the thread was interrupted before the task began, or the task throws it
     * @throws LeaseOutcomeUnknownException if the lease may have been acquired. The task did not run; if it turns out that it was
     *     acquired, the engine gives it up
     * @throws X what the task throws; the lease is given up before that
     */
    <T extends @Nullable Object, X extends Exception> RunResult<T> runWhileHeld(
            LeaseRequest request, HeldTask<T, X> task) throws InterruptedException, X;

    /**
     * How this engine is. Never blocks, does no I/O.
     *
     * @return a value of the moment
     */
    EngineHealth health();

    /**
     * What people do to leases who are not their holders.
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
     * Reads leases, and remembers what was seen, which starts or tightens the wait for their expiry.
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
     * Ends the beliefs of this engine, tells the holders of leases, refuses what is still waiting, reads too, gives up every lease
     * that was acquired, and gives its driver sessions back. An operation whose commit is in doubt ends as unknown.
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
