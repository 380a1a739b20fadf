package dev.leasehold.engine;

import com.mongodb.client.MongoClient;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one namespace, for one process.
 *
 * <p>A lease has at most one holder at a time. To <em>acquire</em> one gives a {@link Lease}, which keeps itself held until
 * it is closed or lost; most callers need nothing else. To <em>claim</em> one gives a {@link Tenure}, with a term that nobody
 * prolongs but its holder; {@link #extend}, {@link #release}, {@link #isHeld(Tenure)} and {@link #assertion(Tenure)} go with that.
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
 * answer is there, it throws, and what was acquired all the same is given up in the background. What its owner has through another engine
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
     * Acquires a lease at once, or says who holds it, for an owner of its own. See {@link #tryAcquire(LeaseRequest)}.
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
     * <p>It is acquired if nobody holds it, if the tenure of the one who held it has certainly run out, or if the request's owner
     * holds it through this engine already. From then on it keeps itself held until it is closed or lost. A lease that is
     * pinned is not acquired.
     *
     * <p>Blocks for at most the operation budget.
     *
     * @param request which lease, for whom, and how it is to be kept
     * @return {@link Acquisition.Acquired} or {@link Acquisition.NotAcquired}
     * @throws InterruptedException if the thread was interrupted; no lease is left behind: if it was acquired all the same, it
     *     is given up in the background, unless its owner has it, with a term, through another engine as well
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
     * Acquires a lease for an owner of its own, and waits for it while others hold it. See {@link #tryAcquire(LeaseRequest, Duration)}.
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
    <T extends @Nullable Object, X extends Exception> WhileHeld<T> runWhileHeld(LeaseRequest request, LeaseTask<T, X> task)
            throws InterruptedException, X;

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
    LeaseOperator operator();

    /**
     * Claims a lease that nobody holds.
     *
     * <p>After a yes the lease is held under the returned tenure until at least {@code duration} after the start of this
     * call, on this engine's clock, unless it is released or an operator ends it. A claim never extends and never takes over: it is
     * refused while anybody holds the lease, the same holder included, and also past the expiry; and while the lease is pinned.
     *
     * <p>Blocks for at most the operation budget.
     *
     * @param name the lease: 1 to 512 bytes of UTF-8 without control characters
     * @param holder who is to hold it, under the same rule
     * @param duration the term, 1 ms to 36,500 days
     * @return {@link Granted} with the new tenure, or {@link Refusal}
     * @throws InterruptedException if the thread was interrupted before anything could take effect
     */
    default LeaseAnswer claim(String name, String holder, Duration duration) throws InterruptedException {
        return claim(name, holder, duration, null);
    }

    /**
     * Claims a lease that nobody holds, and says what for. See {@link #claim(String, String, Duration)}.
     *
     * @param name the lease
     * @param holder who is to hold it
     * @param duration the term, 1 ms to 36,500 days
     * @param comment up to 512 characters for people (code points, none of them a control character, so no line breaks), shown in listings
     *     and refusals; null for none
     * @return {@link Granted} with the new tenure, or {@link Refusal}
     * @throws InterruptedException if the thread was interrupted before anything could take effect
     */
    LeaseAnswer claim(String name, String holder, Duration duration, @Nullable String comment)
            throws InterruptedException;

    /**
     * Ends a tenure that has certainly expired and begins the next one, in one write.
     *
     * <p>It is refused until this engine knows that the clock of the lease's last writer has passed the expiry that it
     * wrote. The first look at a lease starts that wait, so an engine that never read the lease is refused first;
     * {@link LeaseState.Held#latestExpiry()} of the refusal says when it may succeed. The token grows by one, for the
     * same holder too. A lease that the session of another engine keeps is taken when that session is certainly over. A pinned
     * lease is not taken.
     *
     * <p>Blocks for at most the operation budget.
     *
     * @param name the lease
     * @param holder who is to hold it
     * @param duration the term, 1 ms to 36,500 days
     * @return {@link Granted} with the new tenure, or {@link Refusal}
     * @throws InterruptedException if the thread was interrupted before anything could take effect
     */
    default LeaseAnswer takeOver(String name, String holder, Duration duration) throws InterruptedException {
        return takeOver(name, holder, duration, null);
    }

    /**
     * Ends a tenure that has certainly expired and begins the next one, and says what for. See {@link
     * #takeOver(String, String, Duration)}.
     *
     * @param name the lease
     * @param holder who is to hold it
     * @param duration the term, 1 ms to 36,500 days
     * @param comment up to 512 characters for people, none of them a control character; null for none
     * @return {@link Granted} with the new tenure, or {@link Refusal}
     * @throws InterruptedException if the thread was interrupted before anything could take effect
     */
    LeaseAnswer takeOver(String name, String holder, Duration duration, @Nullable String comment)
            throws InterruptedException;

    /**
     * Holds on to a lease under the same token.
     *
     * <p>After a yes the lease is held until at least {@code duration} after the start of this call, on this engine's
     * clock. It extends <em>to</em> that instant, not by so much, and never shortens. A lease past its expiry that nobody
     * took can be extended. It may have been written by another engine, which thereby is no longer its writer. A lease that a
     * session keeps has no term, and the extend is refused.
     *
     * <p>Needs no write if this very engine wrote the lease last and its term is long enough already. Blocks for at most the
     * operation budget.
     *
     * @param tenure as a claim or take-over returned it
     * @param duration the term from now on, 1 ms to 36,500 days
     * @return {@link Granted} with the same tenure, or {@link Refusal} if the lease is no longer held under it
     * @throws InterruptedException if the thread was interrupted before anything could take effect
     */
    LeaseAnswer extend(Tenure tenure, Duration duration) throws InterruptedException;

    /**
     * Gives a lease up.
     *
     * <p>{@link #isHeld} of this engine answers false from the start of this call on, for good, however the call ends. A
     * late or repeated release is harmless: it is refused, and changes nothing. Another engine that relies on the lease is not
     * told, unless through a {@link Lease}; that is the caller's duty. A lease that the session of another engine keeps is not
     * released.
     *
     * <p>Blocks for at most the operation budget.
     *
     * @param tenure as a claim or take-over returned it
     * @return {@link Granted} with the tenure that this call ended, or {@link Refusal} if the lease was not held under it
     * @throws InterruptedException if the thread was interrupted before anything could take effect; the lease then runs
     *     out by itself
     */
    LeaseAnswer release(Tenure tenure) throws InterruptedException;

    /**
     * Ends a tenure that has certainly expired, and leaves the lease vacant. Under the same conditions as {@link
     * #takeOver(String, String, Duration)}.
     *
     * <p>Blocks for at most the operation budget.
     *
     * @param name the lease
     * @return {@link Granted} with the tenure that this call ended, or {@link Refusal}
     * @throws InterruptedException if the thread was interrupted before anything could take effect
     */
    LeaseAnswer expire(String name) throws InterruptedException;

    /**
     * Whether this process may believe that it holds the lease.
     *
     * <p>True only while less time than the granted duration has passed since the attempt that landed was decided, by monotonic time and by
     * time of day. That attempt may have come late in the call, after others that failed. A machine that was suspended therefore stops
     * believing when it wakes up. While it is true, no other holder believes the same, as long as clock rates keep within the drift and
     * nobody ends the tenure: an operator by an order, or anybody who has it by {@link #release}.
     *
     * <p>Never blocks, does no I/O, asks nobody. It tells about operations of this engine alone.
     *
     * @param tenure as a claim or take-over returned it
     * @return whether the belief holds now
     */
    boolean isHeld(Tenure tenure);

    /**
     * How long {@link #isHeld} stays true from now on, if nothing else happens.
     *
     * <p>Never blocks, does no I/O.
     *
     * @param tenure as a claim or take-over returned it
     * @return zero when the belief does not hold
     */
    Duration remaining(Tenure tenure);

    /**
     * The assertion of a tenure, for a transaction of one's own in a session of the client that this engine was built with: it commits only
     * if the lease is still held under this tenure. Never blocks, does no I/O; the value may be kept and used by any thread, also after
     * this engine was closed. It asserts on the lease document, also for a lease that has gate stripes; {@link Lease#assertion()} spreads
     * over those.
     *
     * @param tenure as a claim or take-over returned it
     * @return what to put into the transaction
     */
    LeaseAssertion assertion(Tenure tenure);

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
     * <p>Leases that were claimed by {@link #claim} or {@link #takeOver} are not released: their terms run out by themselves.
     * Blocks for at most the close budget; the rest is done in the background. An interrupt ends the wait, also one that came
     * before, and the thread keeps its interrupt flag. A second call only waits for the same. The client stays open, and must not be
     * closed before all is done.
     */
    @Override
    void close();
}
