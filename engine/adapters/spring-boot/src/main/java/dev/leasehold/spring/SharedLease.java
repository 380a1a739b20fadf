package dev.leasehold.spring;

import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The lease of a call, and of the calls inside of it, one of which may end later than the one around: it is released when the last of them
 * has ended. Safe for use by many threads.
 */
final class SharedLease {

    /** How long an end that blocks no thread waits until the lease is free: as long as closing a lease blocks by default. */
    private static final long RELEASE_SECONDS = 5;

    /** Neither the engine's for callbacks, as what follows is the application's, nor the common pool, which the application may fill. */
    private static final Executor AFTER_RELEASE = afterRelease();

    private final Lease lease;
    private final boolean isReleased;
    private final AtomicInteger users = new AtomicInteger(1);

    private SharedLease(Lease lease, boolean isReleased) {
        this.lease = lease;
        this.isReleased = isReleased;
    }

    private static Executor afterRelease() {
        CustomizableThreadFactory threads = new CustomizableThreadFactory("leasehold-released-");
        threads.setDaemon(true);
        return Executors.newCachedThreadPool(threads);
    }

    /** A lease with one user, which is released when all have left. */
    static SharedLease of(Lease lease) {
        return new SharedLease(lease, true);
    }

    /** A lease that others release. */
    static SharedLease borrowed(Lease lease) {
        return new SharedLease(lease, false);
    }

    Lease lease() {
        return lease;
    }

    /** {@return whether it is what that engine calls so: an engine of another namespace has another lease of the name} */
    boolean isOf(LeaseEngine engine, String name) {
        return lease.name().equals(name)
                && LeaseIds.namespaceOf(lease.tenure().namespace()).equals(engine.namespace());
    }

    /** {@return false if all had left already} */
    boolean join() {
        return users.getAndUpdate(now -> now == 0 ? 0 : now + 1) > 0;
    }

    /** Once for each user. Blocks until the lease is free, for at most the engine's close budget. */
    void leave() {
        if (users.decrementAndGet() == 0 && isReleased) {
            lease.close();
        }
    }

    /** As {@link #leave()}, without blocking. Completes on a thread that may block, or at once. */
    CompletableFuture<Boolean> leaveAsync() {
        if (users.decrementAndGet() > 0 || !isReleased) {
            return CompletableFuture.completedFuture(false);
        }
        return lease.closeAsync()
                .thenApply(isFree -> isFree)
                .toCompletableFuture()
                .completeOnTimeout(false, RELEASE_SECONDS, TimeUnit.SECONDS)
                .thenApplyAsync(isFree -> isFree, AFTER_RELEASE);
    }
}
