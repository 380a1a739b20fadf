package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.batch.HistoryPlayer.Outcome;
import dev.leasehold.simulator.batch.HistoryPlayer.Played;
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
    private final Map<Long, Played> early = new HashMap<>();
    private final Statistics statistics = new Statistics();
    private final List<Failure> failures = new ArrayList<>();
    private @Nullable Throwable thrown;
    private long histories;
    private long fingerprint;
    private boolean over;

    /**
     * What is to be played.
     *
     * @param seeds which histories
     * @param histories how many of them at the most
     * @param timeNanos for how long at the most; {@link Long#MAX_VALUE} for as long as it takes
     * @param jobs how many are played at the same time
     * @param checkAll whether every history is played twice, rather than every hundredth
     * @param failuresMax after so many broken histories it is enough
     */
    public record Order(Seeds seeds, long histories, long timeNanos, int jobs, boolean checkAll, int failuresMax) {

        private static final int CHECKED_ONE_IN = 100;

        public Order {
            if (histories < 1 || timeNanos < 1 || jobs < 1 || failuresMax < 1) {
                throw new IllegalArgumentException("a batch of " + histories + " histories in " + timeNanos + " ns by "
                        + jobs + " jobs up to " + failuresMax + " failures is refused: each must be at least 1");
            }
        }

        /** How many histories there will be, if nothing ends the batch before. */
        public long length() {
            return Math.min(histories, seeds.count());
        }

        boolean isPlayedTwice(long index) {
            return checkAll || index % CHECKED_ONE_IN == 0;
        }
    }

    /** How many histories were played so far, and how many of them failed. */
    public record Progress(long histories, int failures) {}

    /**
     * What came of a batch.
     *
     * @param histories how many were played, up to the failure that ended it
     * @param statistics of all of them
     * @param failures in the order of the batch
     * @param fingerprint of all histories that were played twice; the same for the same order on every JVM
     */
    public record Result(long histories, Statistics statistics, List<Failure> failures, long fingerprint) {
        public Result {
            failures = List.copyOf(failures);
        }
    }

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
    public Result run(Consumer<Progress> watcher) throws InterruptedException {
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
            return new Result(histories, statistics, failures, fingerprint);
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

    private void add(long index, Played played) {
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

    private void count(Played played) {
        histories++;
        fingerprint = fingerprint * 31 + played.fingerprint();
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
