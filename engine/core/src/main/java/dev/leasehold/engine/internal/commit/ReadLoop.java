package dev.leasehold.engine.internal.commit;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.runtime.Backoff;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.session.PartitionContext;
import dev.leasehold.engine.internal.store.ClockWrite;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the reads that callers request on the engine thread, and retries them until their deadlines. Never blocks. */
public final class ReadLoop {

    private static final Logger LOG = LoggerFactory.getLogger(ReadLoop.class);

    private final PartitionContext context;
    private final EngineThread thread;
    private final LeaseReader reader;
    /** By the order of submission, in which {@link #close} fails them. */
    private final Map<Long, CompletableFuture<?>> waiting = new ConcurrentSkipListMap<>();

    private final AtomicLong submitted = new AtomicLong();
    private volatile boolean closed;

    ReadLoop(PartitionContext context, LeaseReader reader) {
        this.context = context;
        this.thread = context.thread();
        this.reader = reader;
    }

    /** Reads leases and returns their states. */
    public CompletableFuture<List<LeaseState>> refresh(Set<String> names, long deadlineNanos) {
        return poll(names, deadlineNanos).thenApply(PollResult::states);
    }

    /** The same, with the time of the next poll. */
    public CompletableFuture<PollResult> poll(Set<String> names, long deadlineNanos) {
        return submit(() -> reader.poll(names), deadlineNanos);
    }

    /** Reads the next page of all leases. */
    public CompletableFuture<LeaseReader.Listed> page(@Nullable String belowId, long deadlineNanos) {
        return submit(() -> reader.page(belowId), deadlineNanos);
    }

    /** Reads all entries of the clock document, and returns the writes that remove the stale ones. */
    public CompletableFuture<List<ClockWrite>> silentWriters(long deadlineNanos) {
        return submit(reader::silentWriters, deadlineNanos);
    }

    /** Fails the reads that have no result yet, and all later ones. */
    void close() {
        closed = true;
        waiting.values().forEach(this::failClosed);
    }

    private void failClosed(CompletableFuture<?> result) {
        result.completeExceptionally(context.closed());
    }

    <T> CompletableFuture<T> submit(Supplier<T> read, long deadlineNanos) {
        CompletableFuture<T> result = new CompletableFuture<>();
        long number = submitted.incrementAndGet();
        waiting.put(number, result);
        result.whenComplete((value, failure) -> waiting.remove(number));
        thread.execute(() -> begin(read, deadlineNanos, result));
        if (closed) {
            failClosed(result);
        }
        return result;
    }

    /**
     * Skips a read past its deadline: after a slow command there may be many of them, with heartbeats queued behind.
     */
    private <T> void begin(Supplier<T> read, long deadlineNanos, CompletableFuture<T> result) {
        if (context.clock().nowNanos() > deadlineNanos) {
            result.completeExceptionally(new LeaseUnavailableException(
                    "namespace '" + context.namespace()
                            + "': a read was not begun in time: the database did not answer what was ahead of it",
                    null));
        } else {
            attempt(read, deadlineNanos, 1, result);
        }
    }

    private <T> void attempt(Supplier<T> read, long deadlineNanos, int attempt, CompletableFuture<T> result) {
        try {
            result.complete(read.get());
        } catch (LeaseUnavailableException e) {
            if (context.clock().nowNanos() > deadlineNanos) {
                result.completeExceptionally(e);
            } else {
                LOG.debug(
                        "namespace '{}', writer '{}': attempt {} of a read has not succeeded: {}",
                        context.namespace(),
                        reader.writer(),
                        attempt,
                        e.getMessage());
                thread.executeAfter(
                        context.runtime().randomNanos(Backoff.windowNanos(attempt)),
                        () -> attempt(read, deadlineNanos, attempt + 1, result));
            }
        } catch (LeaseException e) {
            result.completeExceptionally(e);
        } catch (RuntimeException e) {
            result.completeExceptionally(new LeaseStoreException("a read failed unexpectedly", e));
        }
    }
}
