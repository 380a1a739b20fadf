package dev.leasehold.spring;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.Acquisition;
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

/** One lock of the registry: a lock of this process, and inside of it the lease. */
final class LeaseLock implements Lock {

    private static final Duration LONGEST_WAIT = Duration.ofDays(36_500);

    private final LeaseEngine engine;
    private final String name;
    private final LeaseRequest request;
    private final ReentrantLock local = new ReentrantLock();
    private @Nullable Lease lease;
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
        tryLock(LONGEST_WAIT.toNanos(), TimeUnit.NANOSECONDS);
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
        if (!local.tryLock(time, unit)) {
            return false;
        }
        if (local.getHoldCount() > 1) {
            return true;
        }
        boolean locked = false;
        try {
            long leftNanos = Math.max(0, unit.toNanos(time) - (System.nanoTime() - startNanos));
            Acquisition answer =
                    engine.tryAcquire(request, Duration.ofNanos(Math.min(leftNanos, LONGEST_WAIT.toNanos())));
            lease = answer.asOptional().orElse(null);
            locked = lease != null;
            return locked;
        } finally {
            if (!locked) {
                local.unlock();
            }
        }
    }

    @Override
    public void unlock() {
        if (!local.isHeldByCurrentThread()) {
            throw new IllegalMonitorStateException("lock " + LeaseNames.quote(name) + " is not held by this thread");
        }
        boolean lost = false;
        if (local.getHoldCount() == 1 && lease != null) {
            lost = !lease.isHeld();
            lease.close();
            lease = null;
        }
        lastUsedMillis = System.currentTimeMillis();
        local.unlock();
        if (lost) {
            throw new ConcurrentModificationException("lock " + LeaseNames.quote(name)
                    + " was lost before it was unlocked: others may have had it meanwhile");
        }
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
