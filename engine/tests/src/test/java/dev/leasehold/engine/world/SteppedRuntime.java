package dev.leasehold.engine.world;

import dev.leasehold.engine.internal.runtime.EngineCallbacks;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.runtime.EngineThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A machine without threads of its own. Tasks run when the test runs them, in the order of their instants; a wait runs them
 * too and moves the clock on to the next one. Every draw of chance is the largest possible, and written down.
 */
public class SteppedRuntime implements EngineRuntime {

    private final TestClock clock;
    private final List<SteppedThread> threads = new ArrayList<>();
    private final List<Long> windowsNanos = new ArrayList<>();
    private int uniqueTexts;
    private int instants;
    private @Nullable Error atNextAwait;

    public SteppedRuntime(TestClock clock) {
        this.clock = clock;
    }

    /** Runs what is due now, and what that leads to at once. */
    public void runDue() {
        while (runNextDue()) {
            // The condition does the work.
        }
    }

    /** Runs everything, moving the clock on to whatever is delayed, up to an instant of it. */
    public void runFor(long nanos) {
        long untilNanos = clock.monotonicNanos() + nanos;
        runDue();
        for (long next = nextNanos(); next <= untilNanos; next = nextNanos()) {
            advanceTo(next);
            runDue();
            instants++;
        }
        advanceTo(untilNanos);
    }

    /** No effect if a task has moved the clock beyond that already, as one that stands for a slow database. */
    private void advanceTo(long nanos) {
        clock.advance(Math.max(0, nanos - clock.monotonicNanos()));
    }

    /** How many tasks all threads have been handed and not run. */
    public int tasksWaiting() {
        return threads.stream().mapToInt(SteppedThread::waiting).sum();
    }

    /** At how many instants something was delayed to so far. */
    public int instants() {
        return instants;
    }

    /** Whether no thread could ever run anything any more. */
    public boolean isQuiet() {
        return threads.stream().allMatch(SteppedThread::isOver);
    }

    /** The threads that could still run something. */
    public List<String> namesOfLiveThreads() {
        return threads.stream()
                .filter(thread -> !thread.isOver())
                .map(SteppedThread::name)
                .toList();
    }

    /** Every thread is out of memory when it is next to take a task that is to run after a delay. */
    public void throwAtNextDelayed(Error error) {
        threads.forEach(thread -> thread.throwAtNextDelayed(error));
    }

    /**
     * The next task is taken, but what hands it in does not come to know that: the thread cannot be started yet.
     *
     * @param name how its name ends
     */
    public void throwBehindNextTaskOf(String name, Error error) {
        threads.stream()
                .filter(thread -> thread.name().endsWith(name))
                .forEach(thread -> thread.throwBehindNextTask(error));
    }

    /**
     * The thread does not take the next task: it cannot be started.
     *
     * @param name how its name ends
     */
    public void throwAtNextTaskOf(String name, Error error) {
        threads.stream()
                .filter(thread -> thread.name().endsWith(name))
                .forEach(thread -> thread.throwAtNextTask(error));
    }

    /** The next thread that waits for something cannot go on. */
    public void throwAtNextAwait(Error error) {
        atNextAwait = error;
    }

    /** The windows from which waits were drawn, in their order. */
    public List<Long> windowsNanos() {
        return windowsNanos;
    }

    @Override
    public TestClock clock() {
        return clock;
    }

    @Override
    public String uniqueText() {
        return String.valueOf(++uniqueTexts);
    }

    @Override
    public long randomNanos(long boundNanos) {
        windowsNanos.add(boundNanos);
        return boundNanos;
    }

    @Override
    public boolean await(CompletableFuture<?> future, long timeoutNanos) throws InterruptedException {
        Error error = atNextAwait;
        if (error != null) {
            atNextAwait = null;
            throw error;
        }
        long untilNanos = clock.monotonicNanos() + timeoutNanos;
        while (!future.isDone()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (runNextDue()) {
                continue;
            }
            long nextNanos = nextNanos();
            advanceTo(Math.min(nextNanos, untilNanos));
            if (nextNanos > untilNanos) {
                return false;
            }
        }
        return true;
    }

    @Override
    public EngineThread startThread(String name) {
        SteppedThread thread = new SteppedThread(name, clock);
        threads.add(thread);
        return thread;
    }

    /** As if it were one thread more. */
    @Override
    public EngineCallbacks startCallbacks(String name) {
        SteppedThread thread = new SteppedThread(name, clock);
        threads.add(thread);
        return new EngineCallbacks() {
            @Override
            public void execute(Runnable task) {
                thread.execute(task);
            }

            @Override
            public void stop() {
                thread.stop();
            }
        };
    }

    /** Without streams, as the next one: properties come here millions of times. A task may start a thread. */
    private boolean runNextDue() {
        for (int i = 0; i < threads.size(); i++) {
            if (threads.get(i).runNextDue()) {
                return true;
            }
        }
        return false;
    }

    private long nextNanos() {
        long nextNanos = Long.MAX_VALUE;
        for (SteppedThread thread : threads) {
            nextNanos = Math.min(nextNanos, thread.nextNanos());
        }
        return nextNanos;
    }
}
