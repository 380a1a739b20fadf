package dev.leasehold.mergequeue.replica;

import dev.leasehold.engine.Lease;
import dev.leasehold.mergequeue.queue.Decision;
import dev.leasehold.mergequeue.queue.EndedHold;
import dev.leasehold.mergequeue.queue.EndedWait;
import dev.leasehold.mergequeue.queue.Hold;
import dev.leasehold.mergequeue.queue.QueueAnswer;
import dev.leasehold.mergequeue.queue.QueueEvent;
import dev.leasehold.mergequeue.queue.QueueRules;
import dev.leasehold.mergequeue.queue.QueueState;
import dev.leasehold.mergequeue.store.DamagedStateException;
import dev.leasehold.mergequeue.store.ProviderStore;
import dev.leasehold.mergequeue.store.StateMovedException;
import dev.leasehold.mergequeue.store.StoredState;
import dev.leasehold.mergequeue.store.TokenEra;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
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
    /** When half of them are given it is time for the next tenure. */
    private static final long TOKENS_ENOUGH = TokenEra.TOKENS_PER_TENURE / 2;

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

    /** Below all tokens of this tenure; less than zero until it is known. */
    private volatile long tenureFloor = -1;
    /** At least the last token that was decided, so that a document that goes back does not take the tokens with it. */
    private volatile long tokenFloor;

    private volatile boolean live = true;
    private boolean left;
    private boolean damageTold;
    private long warnedToken;

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

    private record Decided(
            QueueState state, long atNanos, List<QueueAnswer> answers, List<EndedHold> ended, List<EndedWait> waits) {}

    /** Whether the lease is still held. */
    boolean isServing() {
        return lease.isHeld();
    }

    /** Whether a request held or waited at the last write; true before the first. */
    boolean isLive() {
        return live;
    }

    /** Whether so many tokens were given under this tenure of the lease that the next one should begin. */
    boolean isWornOut() {
        return tenureFloor >= 0 && tokenFloor - tenureFloor > TOKENS_ENOUGH;
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
            go();
        }
        return answer;
    }

    private void go() {
        try {
            executor.execute(this::run);
        } catch (RejectedExecutionException e) {
            NoOwnerException failure = new NoOwnerException("this replica is about to end", e);
            for (List<Submitted> batch = next(); !batch.isEmpty(); batch = next()) {
                batch.forEach(one -> one.answer().completeExceptionally(failure));
            }
        }
    }

    /** One batch, so that a busy provider does not keep a thread from the others. */
    private void run() {
        List<Submitted> batch = next();
        if (!batch.isEmpty()) {
            serve(batch);
            go();
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
            live = decided.state().isLive();
            damageTold = false;
            warnOfLongHold(decided.state());
            listener.committed(provider, decided.ended(), decided.waits(), batch.size());
            show(decided.state());
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).answer().complete(decided.answers().get(i));
            }
        } catch (DamagedStateException e) {
            if (!damageTold) {
                LOG.error("Provider '{}' is not served: {}", provider, e.getMessage());
            }
            damageTold = true;
            live = false; // nothing to be gained from ticks
            batch.forEach(one -> one.answer().completeExceptionally(e));
        } catch (RuntimeException | Error e) {
            // Whatever it is: those that wait are answered, and the queue goes on with the next batch.
            if (e instanceof Error) {
                LOG.error("Provider '{}': {} requests are not answered", provider, batch.size(), e);
            } else {
                LOG.debug("Provider '{}': {} requests are not answered", provider, batch.size(), e);
            }
            baseline = null;
            NoOwnerException failure =
                    new NoOwnerException("the write that the answer needs did not commit: " + e.getMessage(), e);
            batch.forEach(one -> one.answer().completeExceptionally(failure));
        }
    }

    private synchronized void show(QueueState state) {
        if (!left) {
            listener.serves(provider, state);
        }
    }

    /** This replica does not serve the provider any more. A batch that is under way may still end. */
    synchronized void leave() {
        left = true;
        listener.left(provider);
    }

    private Decided commit(List<Submitted> batch) {
        for (int attempt = 1; ; attempt++) {
            Baseline from = baseline == null ? read(batch) : baseline;
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

    private void warnOfLongHold(QueueState state) {
        Hold hold = state.holder();
        if (hold != null
                && hold.token() != warnedToken
                && rules.settings().isLongHold(state.clockNanos() - hold.acquiredNanos())) {
            warnedToken = hold.token();
            LOG.warn(
                    "Provider '{}': '{}' has held with token {} for more than {} s. If its run is dead, an operator ends it with"
                            + " POST /{}/withdraw; maximum-hold would have ended it",
                    provider,
                    hold.request().id(),
                    hold.token(),
                    TimeUnit.NANOSECONDS.toSeconds(rules.settings().longHoldNanos()),
                    provider);
        }
    }

    private Baseline read(List<Submitted> batch) {
        if (tenureFloor < 0) {
            tenureFloor = store.era(lease.token()).below(lease.token());
            tokenFloor = Math.max(tokenFloor, tenureFloor);
        }
        StoredState stored;
        try {
            stored = store.read(provider);
        } catch (DamagedStateException e) {
            if (batch.stream().noneMatch(one -> one.event() instanceof QueueEvent.Clear)) {
                throw e;
            }
            LOG.warn("Provider '{}': an operator clears the queue, which replaces its document", provider);
            stored = StoredState.DAMAGED;
        }
        return new Baseline(stored, nanoTime.getAsLong());
    }

    /** Each event happens at the time at which it came, however long it waited for the write before. */
    private Decided decide(Baseline from, List<Submitted> batch) {
        QueueState state = from.stored().state().withTokensAbove(tokenFloor);
        long atNanos = from.atNanos();
        List<QueueAnswer> answers = new ArrayList<>();
        List<EndedHold> ended = new ArrayList<>();
        List<EndedWait> waits = new ArrayList<>();
        for (Submitted one : batch) {
            long elapsedNanos = Math.max(0, one.atNanos() - atNanos);
            Decision decision = rules.decide(state, one.event(), elapsedNanos);
            state = decision.state();
            atNanos += elapsedNanos;
            answers.add(decision.answer());
            ended.addAll(decision.ended());
            waits.addAll(decision.waits());
        }
        tokenFloor = state.lastToken();
        return new Decided(state, atNanos, answers, ended, waits);
    }
}
