package dev.leasehold.spring;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.support.locks.DistributedLock;

/**
 * One lock of the registry: a lock of this process, and inside of it the lease.
 *
 * <p>A loss is told to the thread that had the lock, once, by the first of its calls that can: locking again answers false or throws, and so
 * does unlocking. From then on the thread does not have the lock, however often it had locked it.
 *
 * <p>A time to live begins with each call that locks with one, and with each renewal. The lock is lost when it is over: from then on it is not
 * held, and a moment later the lease is released.
 */
final class LeaseLock implements DistributedLock {

    private final LeaseEngine engine;
    private final String name;
    private final LeaseRequest request;
    private final ReentrantLock local = new ReentrantLock();
    /** Of the thread that has the local lock. */
    private @Nullable Lease lease;
    /** Of the lease; null if it lives as long as the process. Of the thread that has the local lock, but for the end that it watches for. */
    private @Nullable TimeToLive timeToLive;
    /** Set for a thread that was told of a loss, and has not unlocked since. */
    private final ThreadLocal<Boolean> told = new ThreadLocal<>();

    private volatile long lastUsedMillis = System.currentTimeMillis();

    LeaseLock(LeaseEngine engine, String name) {
        this.engine = engine;
        this.name = name;
        this.request = LeaseRequest.of(name);
    }

    /** From when on a lease is not to be held, unless that is put off. Ends the lease then. */
    private static final class TimeToLive {

        private final Lease lease;
        private Duration time;
        private volatile long endNanos;
        /** Completes with true at the end. */
        private CompletableFuture<Boolean> timer = new CompletableFuture<>();

        TimeToLive(Lease lease, Duration time) {
            this.lease = lease;
            this.time = time;
        }

        boolean isOver() {
            return System.nanoTime() - endNanos >= 0;
        }

        void begin(@Nullable Duration other) {
            time = other == null ? time : other;
            endNanos = System.nanoTime() + time.toNanos();
            cancel();
            timer = new CompletableFuture<Boolean>().completeOnTimeout(true, time.toNanos(), TimeUnit.NANOSECONDS);
            // The end may have come while it was put off. On the timer's thread, as nothing here blocks, and the common
            // pool may be busy.
            timer.thenAccept(isTimeOut -> {
                if (isTimeOut && isOver()) {
                    lease.closeAsync();
                }
            });
        }

        /** Otherwise the lease would stay in memory until the end. By a value: on JDK 17 an error or a cancellation leaves the timer on. */
        void cancel() {
            timer.complete(false);
        }
    }

    static Duration checkTimeToLive(@Nullable Duration ttl) {
        return DurationRange.check("time to live", ttl);
    }

    @Override
    public void lock(Duration ttl) {
        checkTimeToLive(ttl);
        lock();
        live(ttl);
    }

    @Override
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        checkTimeToLive(ttl);
        Duration wait = waitTime.compareTo(DurationRange.LONGEST) > 0 ? DurationRange.LONGEST : waitTime;
        if (!tryLock(wait.toNanos(), TimeUnit.NANOSECONDS)) {
            return false;
        }
        live(ttl);
        return true;
    }

    /** By the thread that has the lock. */
    private void live(Duration ttl) {
        if (timeToLive == null) {
            timeToLive = new TimeToLive(Objects.requireNonNull(lease), ttl);
        }
        timeToLive.begin(ttl);
    }

    /**
     * Begins the time to live anew.
     *
     * @param ttl another one; null for that which it has, or none
     * @throws IllegalMonitorStateException if this thread does not have the lock
     * @throws IllegalStateException if it was lost
     */
    void renew(@Nullable Duration ttl) {
        if (!local.isHeldByCurrentThread()) {
            throw new IllegalMonitorStateException("lock " + LeaseNames.quote(name) + " is not held by this thread");
        }
        if (!isHeld()) {
            throw new IllegalStateException("lock " + LeaseNames.quote(name)
                    + " cannot be renewed: it was lost, and another process may have it");
        }
        if (ttl != null) {
            live(ttl);
        } else if (timeToLive != null) {
            timeToLive.begin(null);
        }
    }

    /** By the thread that has the local lock. */
    private boolean isHeld() {
        return lease != null && lease.isHeld() && (timeToLive == null || !timeToLive.isOver());
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
        if (!tryLock(DurationRange.LONGEST.toNanos(), TimeUnit.NANOSECONDS)) {
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
            Duration left = Duration.ofNanos(Math.min(leftNanos, DurationRange.LONGEST.toNanos()));
            lease = Answered.by("tryAcquire", engine.tryAcquire(request.waitAtMost(left)))
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
        if (isHeld()) {
            local.lock();
            return true;
        }
        told.set(true);
        forget();
        return false;
    }

    /** The thread has the lock no more, however often it had locked it. */
    private void forget() {
        Lease had = takeLease();
        while (local.isHeldByCurrentThread()) {
            local.unlock();
        }
        if (had != null) {
            had.close();
        }
    }

    /** By the thread that has the local lock, which has no lease from now on. */
    private @Nullable Lease takeLease() {
        Lease had = lease;
        lease = null;
        if (timeToLive != null) {
            timeToLive.cancel();
            timeToLive = null;
        }
        return had;
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
        boolean isLost = !isHeld();
        if (!isLost && local.getHoldCount() > 1) {
            local.unlock();
            return;
        }
        if (isLost && local.getHoldCount() > 1) {
            // Each unlock that is still to come tells it too.
            told.set(true);
        }
        // The lease first: the next thread of this process asks for it as soon as it has the local lock.
        Lease had = takeLease();
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
