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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Plays the histories of an order. To be run once. Histories are counted in the order of their seeds, whichever job is ready first, so that
 * a batch ends at the same history however many jobs play it.
 */
public final class Batch {

    private static final long WATCH_NANOS = 100_000_000;

    private final CheckerSetup setup;
    private final Order order;
    private final AtomicLong next = new AtomicLong();
    private final BlockingQueue<Done> done = new LinkedBlockingQueue<>();
    private final long startNanos = System.nanoTime();
    private volatile boolean over;

    // Of the thread that runs the batch.
    private final Map<Long, Played> early = new HashMap<>();
    private final Statistics statistics = new Statistics();
    private final List<Failure> failures = new ArrayList<>();
    private long histories;
    private long fingerprint;

    /** What a job has done: it played a history, or it has ended, after a failure or without one. */
    private record Done(
            long index, @Nullable Played played, @Nullable Throwable thrown) {}

    /**
     * What is to be played.
     *
     * @param seeds which histories
     * @param histories how many of them at the most
     * @param timeNanos for how long at the most; {@link Long#MAX_VALUE} for as long as it takes
     * @param jobs how many are played at the same time
     * @param failuresMax after so many broken histories it is enough
     */
    public record Order(Seeds seeds, long histories, long timeNanos, int jobs, int failuresMax) {

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

        static boolean isPlayedTwice(long index) {
            return index % CHECKED_ONE_IN == 0;
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
        int running = order.jobs();
        long toldNanos = startNanos;
        while (running > 0) {
            Done each = done.poll(WATCH_NANOS, TimeUnit.NANOSECONDS);
            running -= each == null || each.played() != null ? 0 : 1;
            if (each != null) {
                add(each);
            }
            if (running == 0 || System.nanoTime() - toldNanos >= WATCH_NANOS) {
                toldNanos = System.nanoTime();
                watcher.accept(new Progress(histories, failures.size()));
            }
        }
        return new Result(histories, statistics, failures, fingerprint);
    }

    private void job() {
        Throwable thrown = null;
        try (HistoryPlayer player = new HistoryPlayer(setup)) {
            for (long index = next.getAndIncrement(); goesOn(index); index = next.getAndIncrement()) {
                Plan plan = setup.plans().apply(order.seeds().seed(index));
                done.add(new Done(index, player.play(index, plan, Order.isPlayedTwice(index)), null));
            }
        } catch (RuntimeException | Error e) {
            thrown = e;
        }
        done.add(new Done(-1, null, thrown));
    }

    private boolean goesOn(long index) {
        return !over && index < order.length() && System.nanoTime() - startNanos < order.timeNanos();
    }

    private void add(Done each) {
        if (each.thrown() != null) {
            over = true;
            throw new IllegalStateException("a job could not go on", each.thrown());
        }
        if (each.played() != null) {
            early.put(each.index(), each.played());
        }
        for (Played first = early.remove(histories); first != null && !over; first = early.remove(histories)) {
            count(first);
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
            over = failures.size() == order.failuresMax() || failure.violation() == null;
        }
    }
}
