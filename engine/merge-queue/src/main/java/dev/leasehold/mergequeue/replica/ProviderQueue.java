package dev.leasehold.mergequeue.replica;

import dev.leasehold.engine.Lease;
import dev.leasehold.mergequeue.queue.Decision;
import dev.leasehold.mergequeue.queue.EndedHold;
import dev.leasehold.mergequeue.queue.QueueAnswer;
import dev.leasehold.mergequeue.queue.QueueEvent;
import dev.leasehold.mergequeue.queue.QueueRules;
import dev.leasehold.mergequeue.queue.QueueState;
import dev.leasehold.mergequeue.store.ProviderStore;
import dev.leasehold.mergequeue.store.StateMovedException;
import dev.leasehold.mergequeue.store.StoredState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves one provider for as long as this replica holds its lease. Events that come while a write is under way share the next one; each
 * answer is given after the write that it follows from has committed, also "pending", so that a replica that was frozen answers nothing
 * from the past.
 *
 * <p>Time is counted from one write to the next by this process's monotonic clock. After a write that failed the state is read again, and
 * the time since the last write that stands is not counted, as after a change of the replica.
 *
 * <p>Safe for use by many threads.
 */
final class ProviderQueue {

    private static final Logger LOG = LoggerFactory.getLogger(ProviderQueue.class);
    /** Enough for all that come while a write is under way, and a bound on the time that one takes. */
    private static final int BATCH_MAX = 1_000;

    private static final int ATTEMPTS = 3;

    private final String provider;
    private final Lease lease;
    private final QueueRules rules;
    private final ProviderStore store;
    private final LongSupplier nanoTime;
    private final Executor executor;
    private final DecisionListener listener;

    private final Queue<Submitted> submitted = new ArrayDeque<>();
    private boolean running;

    /** Only touched by the one batch that runs; the lock orders the batches. */
    private @Nullable Baseline baseline;

    ProviderQueue(
            String provider,
            Lease lease,
            QueueRules rules,
            ProviderStore store,
            LongSupplier nanoTime,
            Executor executor,
            DecisionListener listener) {
        this.provider = provider;
        this.lease = lease;
        this.rules = rules;
        this.store = store;
        this.nanoTime = nanoTime;
        this.executor = executor;
        this.listener = listener;
    }

    private record Submitted(QueueEvent event, long atNanos, CompletableFuture<QueueAnswer> answer) {}

    private record Baseline(StoredState stored, long atNanos) {}

    private record Decided(QueueState state, long atNanos, List<QueueAnswer> answers, List<EndedHold> ended) {}

    /** Whether the lease is still held. */
    boolean isServing() {
        return lease.isHeld();
    }

    /**
     * Lets an event happen.
     *
     * @return completes when the write has committed; with {@link NoOwnerException} if it has not, or if that is unknown
     */
    CompletionStage<QueueAnswer> submit(QueueEvent event) {
        CompletableFuture<QueueAnswer> answer = new CompletableFuture<>();
        boolean start;
        synchronized (submitted) {
            submitted.add(new Submitted(event, nanoTime.getAsLong(), answer));
            start = !running;
            running = true;
        }
        if (start) {
            executor.execute(this::run);
        }
        return answer;
    }

    private void run() {
        for (List<Submitted> batch = next(); !batch.isEmpty(); batch = next()) {
            serve(batch);
        }
    }

    private List<Submitted> next() {
        synchronized (submitted) {
            List<Submitted> batch = new ArrayList<>();
            while (batch.size() < BATCH_MAX && !submitted.isEmpty()) {
                batch.add(submitted.remove());
            }
            running = !batch.isEmpty();
            return batch;
        }
    }

    private void serve(List<Submitted> batch) {
        try {
            Decided decided = commit(batch);
            listener.committed(provider, decided.state(), decided.ended(), batch.size());
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).answer().complete(decided.answers().get(i));
            }
        } catch (RuntimeException e) {
            LOG.debug("Provider '{}': {} requests are not answered", provider, batch.size(), e);
            baseline = null;
            NoOwnerException failure =
                    new NoOwnerException("the write that the answer needs did not commit: " + e.getMessage(), e);
            batch.forEach(one -> one.answer().completeExceptionally(failure));
        }
    }

    private Decided commit(List<Submitted> batch) {
        for (int attempt = 1; ; attempt++) {
            Baseline from = baseline == null ? read() : baseline;
            Decided decided = decide(from, batch);
            try {
                StoredState written = store.write(lease, provider, from.stored(), decided.state());
                baseline = new Baseline(written, decided.atNanos());
                return decided;
            } catch (StateMovedException e) {
                baseline = null;
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private Baseline read() {
        StoredState stored = store.read(provider);
        return new Baseline(stored, nanoTime.getAsLong());
    }

    /** Each event happens at the time at which it came, however long it waited for the write before. */
    private Decided decide(Baseline from, List<Submitted> batch) {
        QueueState state = from.stored().state();
        long atNanos = from.atNanos();
        List<QueueAnswer> answers = new ArrayList<>();
        List<EndedHold> ended = new ArrayList<>();
        for (Submitted one : batch) {
            long elapsedNanos = Math.max(0, one.atNanos() - atNanos);
            Decision decision = rules.decide(state, one.event(), elapsedNanos);
            state = decision.state();
            atNanos += elapsedNanos;
            answers.add(decision.answer());
            ended.addAll(decision.ended());
        }
        return new Decided(state, atNanos, answers, ended);
    }
}
