package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.metrics.EngineEvent.OperationEnded;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.metrics.OperationOutcome;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.settings.EngineSettings;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.time.StampClock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The one path of operations, for handles and for tenures: an operation is submitted here, answered by its partition, and
 * ends for its caller in one of these ways, by which it is measured.
 *
 * <ul>
 *   <li>Its answer arrives: a result, or a failure.
 *   <li>Its deadline passes, see {@link PendingOperation#timeOut}: it was not carried out, or the outcome is unknown.
 *   <li>Its caller leaves, see {@link PendingOperation#cancel} and {@link PendingOperation#detach}.
 * </ul>
 *
 * <p>{@link #call} waits for the answer and the deadline on the caller's thread. Handles do not: for them both are tasks of
 * the event loop. Safe for many threads.
 */
public final class Operations {

    private final String namespace;
    private final long budgetNanos;
    private final Partitions partitions;
    private final StampClock clock;
    private final EngineRuntime runtime;
    private final EngineMetrics metrics;
    private volatile boolean closed;

    public Operations(EngineSettings settings, Partitions partitions, EngineRuntime runtime, EngineMetrics metrics) {
        this.namespace = settings.namespace();
        this.budgetNanos = settings.operationBudgetNanos();
        this.partitions = partitions;
        this.clock = partitions.clock();
        this.runtime = runtime;
        this.metrics = metrics;
    }

    /** Fails all later calls. */
    public void close() {
        closed = true;
    }

    public boolean isClosed() {
        return closed;
    }

    public LeaseEngineClosedException closedException() {
        return new LeaseEngineClosedException("the engine of namespace '" + namespace + "' is closed", null);
    }

    public void checkOpen() {
        if (closed) {
            throw closedException();
        }
    }

    /** The deadline of an operation or read that begins now. */
    public long deadlineNanos() {
        return clock.inNanos(budgetNanos);
    }

    /** Submits an operation. If that throws, the operation is not carried out, unless its commit was sent meanwhile. */
    public void submit(PendingOperation operation) {
        if (!(operation.request() instanceof Request.Acquire || operation.request() instanceof Request.OfQueue)) {
            long beganNanos = clock.nowNanos();
            operation.onEnd(outcome -> measure(operation.request(), outcome, operation.priorStatus(), beganNanos));
        }
        try {
            partitions.submit(operation);
        } catch (RuntimeException e) {
            // The engine may have accepted it all the same, and would carry it out without a caller.
            operation.fail(e);
        } catch (Error e) {
            operation.cancel();
            throw e;
        }
    }

    /** Measures what a caller has waited for since that instant: an acquire as a whole, and any other operation when it ends. */
    public void measure(Request request, OperationOutcome outcome, @Nullable LeaseStatus priorStatus, long beganNanos) {
        metrics.record(new OperationEnded(
                request.kind(), request.name(), outcome, priorStatus, clock.nowNanos() - beganNanos));
    }

    // ---- callers that block ----

    /** Submits an operation and waits for its answer. */
    public OperationResult call(Request request) throws InterruptedException {
        return await(submit(request));
    }

    /** Submits an operation without waiting. */
    public PendingOperation submit(Request request) {
        checkOpen();
        PendingOperation operation = new PendingOperation(namespace, request, deadlineNanos());
        submit(operation);
        return operation;
    }

    /**
     * Waits for an operation. An interrupt ends the wait at once if the operation can still be cancelled; otherwise the wait
     * goes on to the outcome, and the thread keeps its interrupt flag.
     */
    public OperationResult await(PendingOperation operation) throws InterruptedException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (!await(operation.answer(), operation.deadlineNanos())) {
                        operation.timeOut();
                    }
                    return result(operation.answer());
                } catch (InterruptedException e) {
                    if (operation.cancel()) {
                        throw e;
                    }
                    interrupted = true;
                } catch (Error e) {
                    // The caller would never get what it is granted.
                    operation.cancel();
                    throw e;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Starts a read and waits for it.
     *
     * @param read starts it, with its deadline
     * @param what its name, for the message
     */
    public <T> T read(LongFunction<CompletableFuture<T>> read, String what) throws InterruptedException {
        checkOpen();
        long deadlineNanos = deadlineNanos();
        CompletableFuture<T> future = read.apply(deadlineNanos);
        if (!await(future, deadlineNanos)) {
            throw new LeaseUnavailableException(
                    what + " in namespace '" + namespace + "' did not end within its time budget", null);
        }
        return result(future);
    }

    /** Waits for a call of a partition's store, see {@link LeaseReader#ofStore}. */
    public <T> T ofStore(LeaseReader reads, Function<LeaseStore, T> call, String what) throws InterruptedException {
        return read(deadlineNanos -> reads.ofStore(call, deadlineNanos), what);
    }

    private boolean await(CompletableFuture<?> future, long deadlineNanos) throws InterruptedException {
        return runtime.await(future, Math.max(0, deadlineNanos - clock.nowNanos()));
    }

    /** The value of a future that is complete or about to be. */
    public static <T> T result(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
