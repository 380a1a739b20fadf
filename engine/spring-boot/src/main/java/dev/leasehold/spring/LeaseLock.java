package dev.leasehold.spring;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One lock of the registry: a lock of this process, and inside of it the lease.
 *
 * <p>A loss is told to the thread that had the lock, once, by the first of its calls that can: locking again answers false or throws, and so
 * does unlocking. From then on the thread does not have the lock, however often it had locked it.
 */
final class LeaseLock implements Lock {

    private static final Duration LONGEST_WAIT = Duration.ofDays(36_500);

    private final LeaseEngine engine;
    private final String name;
    private final LeaseRequest request;
    private final ReentrantLock local = new ReentrantLock();
    /** Of the thread that has the local lock. */
    private @Nullable Lease lease;
    /** Set for a thread that was told of a loss, and has not unlocked since. */
    private final ThreadLocal<Boolean> told = new ThreadLocal<>();

    private volatile long lastUsedMillis = System.currentTimeMillis();

    LeaseLock(LeaseEngine engine, String name) {
        this.engine = engine;
        this.name = name;
        this.request = LeaseRequest.of(name);
    }

    /** Cannot be interrupted, as the contract says: the flag is set when it returns. */
    @Override
    public void lock() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    lockInterruptibly();
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        boolean again = local.isHeldByCurrentThread();
        if (!tryLock(LONGEST_WAIT.toNanos(), TimeUnit.NANOSECONDS)) {
            throw again ? lost() : new IllegalStateException("lock " + LeaseNames.quote(name) + " is not to be had");
        }
    }

    @Override
    public boolean tryLock() {
        try {
            return tryLock(0, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        long startNanos = System.nanoTime();
        lastUsedMillis = System.currentTimeMillis();
        if (local.isHeldByCurrentThread()) {
            return lockAgain();
        }
        if (!local.tryLock(time, unit)) {
            return false;
        }
        try {
            long leftNanos = Math.max(0, unit.toNanos(time) - (System.nanoTime() - startNanos));
            lease = engine.tryAcquire(request.waitAtMost(Duration.ofNanos(Math.min(leftNanos, LONGEST_WAIT.toNanos()))))
                    .asOptional()
                    .orElse(null);
        } finally {
            if (lease == null) {
                local.unlock();
            }
        }
        if (!local.isHeldByCurrentThread()) {
            return false;
        }
        told.remove();
        return true;
    }

    private boolean lockAgain() {
        if (lease != null && lease.isHeld()) {
            local.lock();
            return true;
        }
        told.set(true);
        forget();
        return false;
    }

    /** The thread has the lock no more, however often it had locked it. */
    private void forget() {
        Lease had = lease;
        lease = null;
        while (local.isHeldByCurrentThread()) {
            local.unlock();
        }
        if (had != null) {
            had.close();
        }
    }

    @Override
    public void unlock() {
        if (!local.isHeldByCurrentThread()) {
            if (told.get() != null) {
                told.remove();
                throw lost();
            }
            throw new IllegalMonitorStateException("lock " + LeaseNames.quote(name) + " is not held by this thread");
        }
        lastUsedMillis = System.currentTimeMillis();
        boolean isLost = lease == null || !lease.isHeld();
        if (!isLost && local.getHoldCount() > 1) {
            local.unlock();
            return;
        }
        if (isLost && local.getHoldCount() > 1) {
            // Each unlock that is still to come tells it too.
            told.set(true);
        }
        // The lease first: the next thread of this process asks for it as soon as it has the local lock.
        Lease had = lease;
        lease = null;
        if (had != null) {
            had.close();
        }
        forget();
        if (isLost) {
            throw lost();
        }
    }

    private ConcurrentModificationException lost() {
        return new ConcurrentModificationException("lock " + LeaseNames.quote(name)
                + " was lost before it was unlocked: another process may have had it meanwhile");
    }

    boolean isUnusedSince(long millis) {
        return lastUsedMillis < millis && !local.isLocked() && !local.hasQueuedThreads();
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("a lease has no conditions");
    }

    @Override
    public String toString() {
        return "LeaseLock[" + name + "]";
    }
}
