package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.batch.PlayedHistory.Outcome;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.report.Statistics;
import dev.leasehold.simulator.world.Threads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Plays the histories of an order. To be run once. Histories are counted in the order of their seeds, whichever job is ready first, so that
 * a batch ends at the same history however many jobs play it.
 */
public final class Batch {

    private static final long WATCH_MILLIS = 100;

    private final CheckerSetup setup;
    private final Order order;
    private final AtomicLong next = new AtomicLong();
    private final CountDownLatch running;
    private final long startNanos = System.nanoTime();

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, PlayedHistory> early = new HashMap<>();
    private final Statistics statistics = new Statistics();
    private final List<Failure> failures = new ArrayList<>();
    private @Nullable Throwable thrown;
    private long histories;
    private long fingerprint;
    private boolean over;

    public Batch(CheckerSetup setup, Order order) {
        this.setup = setup;
        this.order = order;
        this.running = new CountDownLatch(order.jobs());
    }

    /**
     * Blocks until all is played, or the time is over, or enough has failed.
     *
     * @param watcher is told now and then, on the calling thread, how far it is
     */
    public BatchResult run(Consumer<Progress> watcher) throws InterruptedException {
        for (int i = 0; i < order.jobs(); i++) {
            Threads.start("job-" + i, this::job);
        }
        while (!running.await(WATCH_MILLIS, TimeUnit.MILLISECONDS)) {
            watcher.accept(progress());
        }
        watcher.accept(progress());
        lock.lock();
        try {
            if (thrown != null) {
                throw new IllegalStateException("a job could not go on", thrown);
            }
            return new BatchResult(histories, statistics, failures, fingerprint);
        } finally {
            lock.unlock();
        }
    }

    private Progress progress() {
        lock.lock();
        try {
            return new Progress(histories, failures.size());
        } finally {
            lock.unlock();
        }
    }

    private void job() {
        try (HistoryPlayer player = new HistoryPlayer(setup)) {
            for (long index = next.getAndIncrement(); goesOn(index); index = next.getAndIncrement()) {
                Plan plan = setup.plans().apply(order.seeds().seed(index));
                add(index, player.play(index, plan, order.isPlayedTwice(index)));
            }
        } catch (RuntimeException | Error e) {
            lock.lock();
            thrown = e;
            over = true;
            lock.unlock();
        } finally {
            running.countDown();
        }
    }

    private boolean goesOn(long index) {
        lock.lock();
        try {
            return !over && index < order.length() && System.nanoTime() - startNanos < order.timeNanos();
        } finally {
            lock.unlock();
        }
    }

    private void add(long index, PlayedHistory played) {
        lock.lock();
        try {
            early.put(index, played);
            while (!over && early.containsKey(histories)) {
                count(early.remove(histories));
            }
        } finally {
            lock.unlock();
        }
    }

    private void count(PlayedHistory played) {
        histories++;
        fingerprint = fingerprint * 31 + played.hash();
        Outcome outcome = played.outcome();
        if (outcome != null) {
            statistics.add(outcome.history(), outcome.verdict());
        }
        Failure failure = played.failure();
        if (failure != null) {
            failures.add(failure);
            over = failures.size() == order.failuresMax() || !(failure instanceof Failure.Broken);
        }
    }
}
