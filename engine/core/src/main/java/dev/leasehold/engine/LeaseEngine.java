package dev.leasehold.engine;

import com.mongodb.client.MongoClient;
import dev.leasehold.assertions.OccurrenceRecord;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one namespace, for one process.
 *
 * <p><b>What is not guaranteed.</b> A lease does not stop its holder: code that does not check its {@link Lease} may go on after
 * the lease was lost, while the next holder works. Only {@linkplain Lease#inTransaction transactions that assert the lease} and
 * {@linkplain Lease#fence(String) fences} refuse the writes of a former holder. The lease of a dead process is not free at once:
 * others wait until it has certainly expired. No order of the waiters is promised. If a
 * clock runs faster or slower than the configured drift allows, two processes can hold one lease; asserted transactions and
 * fences stay correct even then.
 *
 * <p>Start an engine with {@link #builder}, and keep it for as long as the process lives.
 *
 * <pre>{@code
 * try (Lease lease = engine.acquire("nightly-invoices")) { // waits until it is held
 *     lease.requireHeld(); // before each step that must not be taken without it
 * }
 * }</pre>
 *
 * <table>
 * <caption>Which call</caption>
 * <tr><td>{@link #acquire(String)}</td><td>wait for the lease</td></tr>
 * <tr><td>{@link #tryAcquire(String)}</td><td>take it now, or learn which holder has it</td></tr>
 * <tr><td>{@link #runWhileHeld(String, HeldTask)}</td><td>run a task if the lease is free</td></tr>
 * <tr><td>{@link #runOnce(String, String, OnceTask)}</td><td>run a task once per occurrence, such as a night</td></tr>
 * <tr><td>{@link #acquireAsync}, {@link #tryAcquireAsync}</td><td>the same without a waiting thread</td></tr>
 * <tr><td>{@link #elect(String)}</td><td>lead whenever no other process does</td></tr>
 * <tr><td>{@link #observe}</td><td>be told which process leads, without competing</td></tr>
 * <tr><td>{@link #tenures()}</td><td>hold leases without a {@link Lease}: the caller extends and releases them itself</td></tr>
 * <tr><td>{@link #admin()}</td><td>inspect, pin and end the leases of others</td></tr>
 * </table>
 *
 * <p><b>Waits.</b> {@link LeaseRequest#waitAtMost} says how long a call waits while others hold the lease. Without it
 * {@code acquire} and {@code acquireAsync} wait for as long as it takes; {@code tryAcquire}, {@code tryAcquireAsync} and
 * {@code runWhileHeld} do not wait. A wait is woken when the lease is released by any process (within 5 s where the
 * engine cannot watch for changes), and at the instant at which the tenure of a dead holder has certainly run out. The waiters of
 * all processes stand in one {@linkplain LeaseEngineBuilder#waitQueue queue}, usually served by {@linkplain LeaseRequest#priority priority}, and
 * then in the order of their calls. A wait outlasts contention, and an outage of the database that ends before it.
 *
 * <p>A lease has at most one holder at a time. A {@link Lease} keeps itself held until it is closed or lost.
 *
 * <p><b>Clocks.</b> Every duration is counted on this engine's own clock: the wall time when the engine was built, plus
 * monotonic time since. A term begins no earlier than the call that asked for it. Another engine takes a lease only
 * when the clock of the engine that keeps it has certainly passed the end of its term or session, for all clock rates
 * within the configured drift.
 *
 * <p><b>Blocking.</b> Operations that say so block for at most the operation budget. They may be called by any number of
 * platform or virtual threads; no lock is held while waiting. Concurrent operations share transactions.
 *
 * <p><b>Interruption.</b> An interrupted operation throws {@link InterruptedException} if its commit was not sent: it
 * was not carried out and never will be. Once the commit was sent, the operation waits for its outcome and returns it,
 * and the thread keeps its interrupt flag. An interrupted acquisition does not wait: it throws, and what it acquired is
 * released in the background. If the answer is already there, it may return it instead.
 *
 * <p><b>Errors.</b> Bad arguments are {@link IllegalArgumentException}s, thrown before anything is sent. A no is a
 * value, {@link Refusal}. Everything else is a {@link LeaseException}. After a {@link LeaseOutcomeUnknownException} the
 * operation may have been carried out; after any other it was not and never will be. If an acquisition was on its way
 * when the engine was closed, the close releases what it acquired.
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

    /** {@return the namespace that this engine works on} */
    String namespace();

    /**
     * As {@link #acquire(LeaseRequest)}, for a holder of its own and without a limit of the wait.
     *
     * @param name the lease: 1 to 512 bytes of UTF-8, not blank, without control characters
     * @return the lease, to be closed by the caller
     * @throws InterruptedException if the thread was interrupted; no lease is left behind
     */
    default Lease acquire(String name) throws InterruptedException {
        return acquire(LeaseRequest.of(name));
    }

    /**
     * Acquires a lease, and waits for it for as long as it takes: until it is held, the thread is interrupted or the engine is
     * closed. A request with {@link LeaseRequest#waitAtMost} limits the wait.
     *
     * <p>Without a limit the call waits out an outage of the database, and tries again after an unknown outcome. With a limit it
     * blocks for at most that and the operation budget.
     *
     * @param request which lease, for which holder, how it is kept, and how long to wait for it
     * @return the lease, to be closed by the caller
     * @throws LeaseRefusedException if it was not acquired within the limit; the refusal names the holder
     * @throws InterruptedException if the thread was interrupted; no lease is left behind
     * @throws LeaseOutcomeUnknownException as of {@link #tryAcquire(LeaseRequest)}, with a limit only
     * @throws LeaseUnavailableException as of {@link #tryAcquire(LeaseRequest)}, with a limit only
     * @throws LeaseStoreException if the database refuses it
     * @throws CorruptDocumentException if a document that it needs is damaged
     * @throws LeaseEngineClosedException if the engine is closed, before the call or during it
     */
    Lease acquire(LeaseRequest request) throws InterruptedException;

    /**
     * As {@link #tryAcquire(LeaseRequest)}, for a holder of its own and without a wait.
     *
     * @param name the lease
     * @return {@link Acquisition.Acquired} or {@link Acquisition.NotAcquired}
     * @throws InterruptedException if the thread was interrupted; no lease is left behind
     */
    default Acquisition tryAcquire(String name) throws InterruptedException {
        return tryAcquire(LeaseRequest.of(name));
    }

    /**
     * Acquires a lease at once, or returns a refusal that names its holder. A request with {@link LeaseRequest#waitAtMost} waits for
     * the lease for that long before it is refused.
     *
     * <p>It is acquired if it is vacant, if its present tenure has certainly run out, or if the request's holder holds
     * it through this engine already (with {@link LeaseRequest#supersede}: through another one). From then on the
     * engine renews it until it is closed or lost. A pinned lease is not acquired.
     *
     * <p>Blocks for at most the wait of the request, zero if it has none, and the operation budget.
     *
     * @param request which lease, for which holder, how it is kept, and how long to wait for it
     * @return {@link Acquisition.Acquired}; or {@link Acquisition.NotAcquired} when the wait is over, with how the lease stood at the
     *     last look
     * @throws InterruptedException if the thread was interrupted. No lease is left behind: if the write landed, the
     *     engine releases the lease in the background
     * @throws LeaseOutcomeUnknownException if it may have been acquired. Treat that as not acquired, and ask again: if the write landed,
     *     the engine releases it
     * @throws LeaseUnavailableException if the database could not be reached until the wait was over
     */
    Acquisition tryAcquire(LeaseRequest request) throws InterruptedException;

    /**
     * Acquires a lease, and waits for it without a thread: for as long as it takes, or at most for
     * {@link LeaseRequest#waitAtMost}. Never blocks, does no I/O.
     *
     * <p>Cancel the stage that this returns, not one made from it: the engine does not see the end of a later stage,
     * acquires the lease, and no code closes it.
     *
     * @param request which lease, for which holder, how it is kept, and how long to wait for it
     * @return completes with the lease, or with what {@link #acquire(LeaseRequest)} throws, on a callback thread; without a limit
     *     too, it completes with {@link LeaseOutcomeUnknownException} after an unknown outcome. The call itself throws for bad
     *     arguments. After a cancellation, as a {@link java.util.concurrent.CompletableFuture}, no lease is left behind
     */
    CompletionStage<Lease> acquireAsync(LeaseRequest request);

    /**
     * As {@link #acquireAsync}, but without a wait if the request has none, and for callers that treat a refusal as an answer.
     *
     * @param request which lease, for which holder, how it is kept, and how long to wait for it
     * @return completes with what {@link #tryAcquire(LeaseRequest)} returns or throws
     */
    CompletionStage<Acquisition> tryAcquireAsync(LeaseRequest request);

    /**
     * As {@link #runWhileHeld(LeaseRequest, HeldTask)}, for a holder of its own and without a wait.
     *
     * @param name the lease
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
     * As {@link #runWhileHeld(String, HeldTask)}, for a task that has no use for the lease itself.
     *
     * @param name the lease
     * @param task runs while the lease is held, on the caller's thread
     * @return whether it ran
     * @throws InterruptedException if the thread was interrupted before the task began
     */
    default RunResult<@Nullable Void> runWhileHeld(String name, Runnable task) throws InterruptedException {
        return runWhileHeld(LeaseRequest.of(name), task);
    }

    /**
     * Runs a task if the lease can be acquired at once, or within {@link LeaseRequest#waitAtMost}, and releases the lease after it.
     * Otherwise the task is skipped.
     *
     * <p>The task gets the lease and should check it now and then: nothing stops a task whose lease was lost. Blocks
     * for as long as the task runs, and besides for at most the wait of the request, the operation budget and the close budget.
     *
     * @param request which lease, for which holder, how it is kept, and how long to wait for it
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
            LeaseRequest request, HeldTask<T, X> task) throws InterruptedException, X;

    /**
     * As {@link #runWhileHeld(LeaseRequest, HeldTask)}, for a task that has no use for the lease itself.
     *
     * @param request which lease, for which holder, how it is kept, and how long to wait for it
     * @param task runs while the lease is held, on the caller's thread
     * @return whether it ran
     * @throws InterruptedException if the thread was interrupted before the task began
     */
    default RunResult<@Nullable Void> runWhileHeld(LeaseRequest request, Runnable task) throws InterruptedException {
        if (task == null) {
            throw new IllegalArgumentException("task null is refused: it must say what to do while the lease is held");
        }
        return runWhileHeld(request, lease -> {
            task.run();
            return null;
        });
    }

    /**
     * As {@link #runOnce(LeaseRequest, String, OnceTask)}, for a holder of its own.
     *
     * @param name the lease
     * @param occurrence which occurrence of its work
     * @param task does the work, on the caller's thread
     * @param <T> what the task returns
     * @param <X> what the task may throw
     * @return whether it ran, was done before, or was skipped
     * @throws InterruptedException if the thread was interrupted before the task began, or the task throws it
     * @throws X what the task throws; nothing was committed, and the lease is released before that
     */
    default <T extends @Nullable Object, X extends Exception> RunOnceResult<T> runOnce(
            String name, String occurrence, OnceTask<T, X> task) throws InterruptedException, X {
        return runOnce(LeaseRequest.of(name), occurrence, task);
    }

    /**
     * Does one occurrence of the work of a lease: the night of an invoice run, an hour, the number of a batch. Its effects in the database
     * are committed exactly once, together with a record of the occurrence.
     *
     * <pre>{@code
     * engine.runOnce("invoices", "2073-03-03", (lease, session) -> invoices.insertMany(session, ofThatNight));
     * }</pre>
     *
     * <p>Looks first whether it was done, then acquires the lease as {@link #runWhileHeld(LeaseRequest, HeldTask)} does, and runs the task
     * in a transaction that reads from the primary and commits with a majority. That begins with the assertion of the tenure and
     * the record. At most one transaction with the record of one occurrence ever commits; this rests on no clock. The record stays for
     * {@link LeaseEngineBuilder#occurrenceRetention}, then the occurrence counts as not done.
     *
     * <p>The driver runs the task again after a conflict, so it must have no effects outside of the session's transaction. Work that
     * cannot be inside one is for {@link #runWhileHeld(LeaseRequest, HeldTask)} with {@link Lease#once} at its end. If an exception of the
     * driver leaves it unknown whether the commit landed, call again with the same occurrence: the answer tells.
     *
     * <p>Blocks for as long as the task and the driver's {@code withTransaction} do, for up to two minutes of repetitions unless client or
     * session has a timeout, and besides as {@code runWhileHeld} does.
     *
     * @param request which lease, for which holder, how it is kept, and how long to wait for it
     * @param occurrence which occurrence of its work: 1 to 512 bytes of UTF-8, not blank, without control characters; the same in all
     *     processes
     * @param task does the work, on the caller's thread
     * @param <T> what the task returns
     * @param <X> what the task may throw
     * @return whether it ran, was done before, or was skipped
     * @throws InterruptedException if the thread was interrupted before the task began, or the task throws it
     * @throws dev.leasehold.assertions.LeaseNotHeldException if the lease was lost before the commit; nothing was committed
     * @throws IllegalStateException if the task has ended the session's transaction itself. What it committed stays: see
     *     {@link #findOccurrence}
     * @throws LeaseOutcomeUnknownException if the lease may have been acquired. The task did not run; if the write landed, the engine
     *     releases the lease
     * @throws X what the task throws; nothing was committed, and the lease is released before that
     */
    <T extends @Nullable Object, X extends Exception> RunOnceResult<T> runOnce(
            LeaseRequest request, String occurrence, OnceTask<T, X> task) throws InterruptedException, X;

    /**
     * Reads whether an occurrence of the work of a lease was done, by {@link #runOnce(LeaseRequest, String, OnceTask)} or {@link
     * Lease#once}. Blocks for at most the operation budget.
     *
     * @param name the lease
     * @param occurrence which occurrence of its work
     * @return the record, if a majority has it
     * @throws InterruptedException if the thread was interrupted
     */
    Optional<OccurrenceRecord> findOccurrence(String name, String occurrence) throws InterruptedException;

    /**
     * As {@link #elect(LeaseRequest)}, for a holder of its own.
     *
     * @param name the lease
     * @return a builder: add callbacks, then start it
     */
    default LeaderElection.Builder elect(String name) {
        return elect(LeaseRequest.of(name));
    }

    /**
     * Begins a {@linkplain LeaderElection leader election}.
     *
     * @param request which lease, for which holder, and how it is kept. Two elections of one holder in one engine are both granted.
     *     {@link LeaseRequest#waitAtMost} is refused: an election waits until it is closed
     * @return a builder: add callbacks, then start it
     */
    LeaderElection.Builder elect(LeaseRequest request);

    /**
     * Tells a listener how a lease stands, without competing for it: which process leads, and under which token, comment and payload.
     *
     * <pre>{@code
     * LeaseObservation leader = engine.observe("leader", state -> {
     *     if (state instanceof LeaseState.Held held) {
     *         proxy.sendTo(held.payload());
     *     }
     * });
     * }</pre>
     *
     * <p>The listener is told the present state as soon as it is read, and then each other one: another holder, token, comment or {@linkplain LeaseRequest#payload payload}, and
     * {@link LeaseStatus#EXPIRED} when the time of the holder has certainly run out. Renewals and pins are not told. States come in the
     * order in which the lease had them, and one call at a time. They are settled: a state that was over before it could be told is left
     * out, and so is a lease that is free for less than 50 ms between two holders.
     *
     * <p>A change is told soon after a majority has it, within 5 s where the engine cannot watch for changes. While the database cannot
     * be read, nothing is told. What is told is no promise about the present: see {@link LeaseState}. The lease and the clock document
     * are only read: an engine that does nothing else appears in no document.
     *
     * <p>Never blocks, does no I/O. The listener runs on a callback thread, and may block: then later states wait, and only the newest
     * of them is told. What it throws is logged.
     *
     * @param name the lease, whether it exists or not
     * @param listener gets each state
     * @return to be closed by the caller; closing the engine ends it too
     * @throws LeaseEngineClosedException if the engine is closed
     */
    LeaseObservation observe(String name, Consumer<? super LeaseState> listener);

    /** {@return the health of this engine at this moment, for readiness probes} Never blocks, does no I/O. */
    EngineHealth health();

    /** {@return what operators may do to leases that other processes hold} Always the same. */
    LeaseAdmin admin();

    /** {@return the operations on tenures that the caller keeps itself: claim, extend, release, take over} Always the same. */
    Tenures tenures();

    /**
     * Reads leases. The engine remembers what it saw, and may know the expiry of other holders' leases sooner because
     * of it. Leases of several partitions, and more than a thousand, are read in parts, each for at most the operation
     * budget.
     *
     * @param names the leases
     * @return one state for each different name, absent ones too, in the order given
     * @throws InterruptedException if the thread was interrupted
     */
    List<LeaseState> refresh(Collection<String> names) throws InterruptedException;

    /**
     * Lists the leases of the namespace that have a document, corrupt ones too, in the order of their names, and remembers
     * what was seen. They are read in parts, each at a moment of its own and for at most the operation budget. If a part
     * cannot be read, it throws.
     *
     * @return an unmodifiable list
     * @throws InterruptedException if the thread was interrupted
     */
    List<LeaseState> leases() throws InterruptedException;

    /**
     * Removes the documents of leases that were vacant for longer than the retention, and the entries of writers that
     * were silent for an hour, or for the length of their session if they had one, and the records of occurrences that are older than
     * {@link LeaseEngineBuilder#occurrenceRetention}. Call it now and then, from any
     * engine of the namespace: without it the clock document grows with every engine that died, and transactions get
     * slower.
     *
     * <p>Documents whose age this engine cannot prove yet stay: it counts from its own first read. Tokens go on growing,
     * across removal too. Blocks for at most the operation budget a part. If one partition fails, it clears the others,
     * and then throws.
     *
     * @return what was done
     * @throws InterruptedException if the thread was interrupted; removals that have begun may still be done
     */
    Housekeeping housekeeping() throws InterruptedException;

    /**
     * Closes the engine. None of its leases is held any more, their holders are told, all waits end with an exception,
     * reads too, and every lease that it acquired is released; those of {@link #tenures()} run out. An operation whose
     * outcome is unknown stays unknown.
     *
     * <p>Blocks for at most the close budget; the rest is done in the background. An interrupt ends the wait, and the
     * thread keeps its flag. A second call only waits for the same. Do not close the client before all is done.
     */
    @Override
    void close();

    /**
     * Ends the engine as {@link #close()} does, but releases no lease: each stays held until its session or term has
     * run out, as if the process had died. For a process that ends while other processes rely on what it holds, or
     * while work under a lease may still be running. Leases that were closed before are released as usual.
     *
     * <p>Blocks as {@link #close()} does, and after it only waits for the same.
     */
    void closeWithoutRelease();
}
