package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.world.Threads;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Plays the histories of an order. To be run once. */
public final class Batch {

    private static final long WATCH_MILLIS = 100;

    private final Bench bench;
    private final Order order;
    private final Tally tally;
    private final AtomicLong next = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();
    private final CountDownLatch running;
    private final long startNanos = System.nanoTime();

    public Batch(Bench bench, Order order) {
        this.bench = bench;
        this.order = order;
        this.tally = new Tally(order.failuresMax());
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
            watcher.accept(tally.progress());
        }
        watcher.accept(tally.progress());
        Throwable thrown = fault.get();
        if (thrown != null) {
            throw new IllegalStateException("a job could not go on", thrown);
        }
        return tally.result();
    }

    private void job() {
        try (Player player = new Player(bench)) {
            while (!isOver()) {
                long index = next.getAndIncrement();
                if (index >= order.length()) {
                    return;
                }
                tally.add(index, player.play(index, plan(index), order.isPlayedTwice(index)));
            }
        } catch (RuntimeException | Error e) {
            fault.compareAndSet(null, e);
        } finally {
            running.countDown();
        }
    }

    private Plan plan(long index) {
        return bench.plans().apply(order.seeds().seed(index));
    }

    private boolean isOver() {
        return tally.isOver() || fault.get() != null || System.nanoTime() - startNanos >= order.timeNanos();
    }
}
