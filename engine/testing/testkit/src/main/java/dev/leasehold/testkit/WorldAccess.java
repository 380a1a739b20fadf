package dev.leasehold.testkit;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.store.ThreadBoundary;
import dev.leasehold.simulator.world.SimulatedMachine;
import dev.leasehold.simulator.world.Simulation;
import dev.leasehold.simulator.world.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets the threads of a test into the world, one at a time. A thread that comes in lets everything happen that is due, so that a call
 * returns only when all that follows from it at this instant is done.
 *
 * <p>Only waits of one thread, the one that made this, move time. Another thread that waits is woken by what another thread makes happen.
 * Callbacks run on the thread that made them happen, at their instant, while no thread is in the world.
 */
final class WorldAccess implements Simulation.ExternalThreads, ThreadBoundary {

    /** Real time. Long, because a test may be stopped in a debugger; not for ever, because a build would hang. */
    static final long REAL_SECONDS_MAX = 60;

    private final Thread mover = Thread.currentThread();
    private final ReentrantLock turn = new ReentrantLock();
    private final Condition changed = turn.newCondition();
    private final Queue<Runnable> callbacks = new ConcurrentLinkedQueue<>();
    /** Of threads that do not move time; guarded by the turn. */
    private final List<Wait> waits = new ArrayList<>();

    private final Workers workers = new Workers();
    private final Simulation simulation = new Simulation(workers, this, this::record);
    private volatile long nowNanos;
    private volatile @Nullable String broken;
    private volatile boolean closed;
    /** Whether the thread whose turn it is makes things happen, and so is in the world already. */
    private boolean driving;

    private record Wait(BooleanSupplier isOver, long endNanos) {}

    /** To be used by the thread that is in the world. */
    Simulation simulation() {
        return simulation;
    }

    private void record(Event event) {
        if (event instanceof Event.Broken failure) {
            broken = failure.failure();
        } else if (event instanceof Event.Exceeded limit) {
            broken = limit.limit();
        }
    }

    /** True time. For threads of the test it stands still while another one moves it. */
    long nowNanos() {
        return isInside() ? simulation.nowNanos() : nowNanos;
    }

    private boolean isInside() {
        return Simulation.isOnSimulatedThread() || turn.isHeldByCurrentThread();
    }

    private boolean isPartOfWhatHappens() {
        return Simulation.isOnSimulatedThread() || turn.isHeldByCurrentThread() && driving;
    }

    boolean isClosed() {
        return closed;
    }

    /** Does something in the world, and lets happen what follows at once. */
    @Override
    public <T> T inside(Supplier<T> call) {
        if (isPartOfWhatHappens()) {
            return call.get();
        }
        turn.lock();
        try {
            requireOpen();
            T result = call.get();
            settle();
            return result;
        } finally {
            turn.unlock();
        }
    }

    void run(Runnable call) {
        inside(() -> {
            call.run();
            return true;
        });
    }

    /** Code of a caller: it may take as long as it likes, and may wait for other threads of the test. */
    @Override
    public <T> T outside(Supplier<T> body) {
        int turns = turn.getHoldCount();
        for (int i = 0; i < turns; i++) {
            turn.unlock();
        }
        try {
            return body.get();
        } finally {
            for (int i = 0; i < turns; i++) {
                turn.lock();
            }
        }
    }

    /** Some time soon, at this instant, this is to run outside. */
    void callback(Runnable callback) {
        callbacks.add(callback);
        if (!isPartOfWhatHappens() && !closed) {
            run(() -> {});
        }
    }

    private void settle() {
        drive(() -> false, simulation.nowNanos());
        while (runCallback()) {
            drive(() -> false, simulation.nowNanos());
        }
    }

    private boolean runCallback() {
        Runnable callback = callbacks.poll();
        if (callback == null) {
            return false;
        }
        outside(() -> {
            callback.run();
            return true;
        });
        return true;
    }

    /** Lets everything happen up to that instant, or up to the first callback, or until that is over. */
    private void drive(BooleanSupplier isOver, long untilNanos) {
        driving = true;
        try {
            simulation.runUntil(() -> !callbacks.isEmpty() || isOver.getAsBoolean(), untilNanos);
        } finally {
            driving = false;
            show();
        }
        requireSound();
    }

    private void show() {
        nowNanos = simulation.nowNanos();
        changed.signalAll();
    }

    private void requireSound() {
        String failure = broken;
        if (failure != null) {
            throw new IllegalStateException(
                    "the engine has failed in the test kit, which is a bug of one of them: " + failure);
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("TestLeases was closed, and its engines with it");
        }
        requireSound();
    }

    /** Moves time on, and lets everything happen meanwhile. */
    void advance(long nanos) {
        turn.lock();
        try {
            requireOpen();
            moveTo(Math.addExact(simulation.nowNanos(), nanos), () -> false);
        } finally {
            turn.unlock();
        }
    }

    /**
     * Moves time on as far as the first of the other threads that wait needs it.
     *
     * @param isEnough whether it need not move any more
     */
    void advanceForWaits(BooleanSupplier isEnough) {
        turn.lock();
        try {
            requireOpen();
            List<Wait> open =
                    waits.stream().filter(wait -> !wait.isOver().getAsBoolean()).toList();
            open.stream()
                    .mapToLong(Wait::endNanos)
                    .min()
                    .ifPresent(endNanos -> moveTo(
                            Math.max(endNanos, simulation.nowNanos()),
                            () -> isEnough.getAsBoolean()
                                    || open.stream()
                                            .anyMatch(wait -> wait.isOver().getAsBoolean())));
        } finally {
            turn.unlock();
        }
    }

    private void moveTo(long untilNanos, BooleanSupplier isOver) {
        drive(isOver, untilNanos);
        while (runCallback()) {
            drive(isOver, untilNanos);
        }
        if (!isOver.getAsBoolean()) {
            simulation.moveTo(untilNanos);
            show();
        }
    }

    @Override
    public void await(SimulatedMachine simulatedMachine, BooleanSupplier isOver, long timeoutNanos) {
        boolean interrupted = false;
        long endNanos = endNanos(simulatedMachine, timeoutNanos);
        while (true) {
            try {
                awaitUntil(isOver, endNanos);
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until it is over, or until the time has passed on the host's monotonic clock. */
    boolean awaitInterruptibly(SimulatedMachine simulatedMachine, BooleanSupplier isOver, long timeoutNanos)
            throws InterruptedException {
        awaitUntil(isOver, endNanos(simulatedMachine, timeoutNanos));
        return isOver.getAsBoolean();
    }

    private long endNanos(SimulatedMachine simulatedMachine, long timeoutNanos) {
        return simulatedMachine.clock().afterElapsedNanos(nowNanos(), Math.max(0, timeoutNanos));
    }

    private void awaitUntil(BooleanSupplier isOver, long endNanos) throws InterruptedException {
        turn.lockInterruptibly();
        try {
            requireOpen();
            settle();
            if (Thread.currentThread() == mover) {
                moveTo(Math.max(endNanos, simulation.nowNanos()), isOver);
            } else {
                beMoved(isOver, endNanos);
            }
            settle();
        } finally {
            turn.unlock();
        }
    }

    private void beMoved(BooleanSupplier isOver, long endNanos) throws InterruptedException {
        Wait wait = new Wait(isOver, endNanos);
        waits.add(wait);
        try {
            awaitMoves(isOver, endNanos);
        } finally {
            waits.remove(wait);
        }
    }

    private void awaitMoves(BooleanSupplier isOver, long endNanos) throws InterruptedException {
        long seenNanos = simulation.nowNanos();
        while (!isOver.getAsBoolean() && simulation.nowNanos() < endNanos) {
            boolean woken = changed.await(REAL_SECONDS_MAX, TimeUnit.SECONDS);
            requireOpen();
            settle();
            if (!woken && seenNanos == simulation.nowNanos() && !isOver.getAsBoolean()) {
                throw new IllegalStateException("this thread waits for the test's clock, which has not moved for "
                        + REAL_SECONDS_MAX + " s: only a wait of the thread that made TestLeases moves it, and"
                        + " TestLeases.advance");
            }
            seenNanos = simulation.nowNanos();
        }
    }

    /** Ends everything, and waits for the ends of the world's threads. */
    void close() {
        turn.lock();
        try {
            closed = true;
            simulation.end();
            driving = true;
            simulation.runUntil(() -> false, simulation.nowNanos());
            changed.signalAll();
        } finally {
            driving = false;
            turn.unlock();
            workers.close();
        }
    }
}
