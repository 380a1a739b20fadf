package dev.leasehold.spring;

import dev.leasehold.engine.LeaseEngine;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;

/**
 * Locks for Spring Integration, each of which is a lease: the lock with the key {@code k} is the lease {@code k} of the engine's namespace.
 *
 * <p>Locks are reentrant, and belong to a thread. A lock that was lost is told where it is unlocked: {@link Lock#unlock()} throws {@link
 * java.util.ConcurrentModificationException}. Conditions are not supported. Safe for use by many threads.
 */
public class LeaseLockRegistry implements ExpirableLockRegistry<Lock> {

    private final LeaseEngine engine;
    private final Map<String, LeaseLock> locks = new ConcurrentHashMap<>();

    /**
     * A registry of the leases of one engine.
     *
     * @param engine is not closed by the registry
     */
    public LeaseLockRegistry(LeaseEngine engine) {
        this.engine = engine;
    }

    /**
     * The lock of a key. Does no I/O.
     *
     * @param lockKey a name of a lease
     * @return the same lock for equal keys
     * @throws IllegalArgumentException if the key is no string, or breaks the rule for names
     */
    @Override
    public Lock obtain(Object lockKey) {
        if (!(lockKey instanceof String name)) {
            throw new IllegalArgumentException("lock key " + lockKey + " is refused: it has to be a string");
        }
        return locks.computeIfAbsent(name, each -> new LeaseLock(engine, each));
    }

    /**
     * Forgets locks that nobody uses. Leases are not concerned.
     *
     * @param age how long a lock must not have been used, in milliseconds
     */
    @Override
    public void expireUnusedOlderThan(long age) {
        long since = System.currentTimeMillis() - age;
        locks.values().removeIf(lock -> lock.isUnusedSince(since));
    }
}
