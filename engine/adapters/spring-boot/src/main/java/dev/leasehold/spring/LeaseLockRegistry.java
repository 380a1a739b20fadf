package dev.leasehold.spring;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * Locks for Spring Integration, each of which is a lease: the lock with the key {@code k} is the lease {@code k} of the engine's namespace.
 *
 * <p>Locks are reentrant, and belong to a thread. A loss is told by the next call of the thread that had the lock: {@link Lock#tryLock()}
 * answers false, {@link Lock#lock()} and {@link Lock#unlock()} throw {@link java.util.ConcurrentModificationException}; from then on the
 * thread does not have the lock. So a leader initiator steps down. Conditions are not supported. Safe for use by many threads.
 *
 * <p>A lock stays locked while its process lives, as a lease does, and needs no renewal. One that is locked with a time to live, by {@link
 * DistributedLock#lock(Duration)}, is lost when that time since it was locked or last renewed is over, counted on this machine's clock.
 * {@link #renewLock} begins it anew.
 *
 * <p>A key that is no name of a lease, as one that is longer than 512 bytes or has line breaks, becomes the lease {@code sha256:} and the
 * SHA-256 of the key in hexadecimal digits.
 */
public class LeaseLockRegistry
        implements ExpirableLockRegistry<DistributedLock>, RenewableLockRegistry<DistributedLock> {

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
     * @param lockKey any string but an empty one
     * @return the same lock for equal keys
     * @throws IllegalArgumentException if the key is no string, or is blank
     */
    @Override
    public DistributedLock obtain(Object lockKey) {
        if (!(lockKey instanceof String name)) {
            throw new IllegalArgumentException("lock key " + lockKey + " is refused: it has to be a string");
        }
        if (name.isBlank()) {
            throw new IllegalArgumentException("lock key '" + name + "' is refused: it must not be blank");
        }
        return locks.computeIfAbsent(name, each -> new LeaseLock(engine, leaseName(each)));
    }

    /**
     * Makes sure that this thread still has the lock, and begins its time to live anew, if it has one. Does no I/O.
     *
     * @param lockKey a key that this thread has locked
     * @throws IllegalMonitorStateException if this thread does not have the lock
     * @throws IllegalStateException if it was lost
     */
    @Override
    public void renewLock(Object lockKey) {
        locked(lockKey).renew(null);
    }

    /**
     * As {@link #renewLock(Object)}, with another time to live from now on.
     *
     * @param lockKey a key that this thread has locked
     * @param ttl 1 ms or more
     * @throws IllegalMonitorStateException if this thread does not have the lock
     * @throws IllegalStateException if it was lost
     */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        locked(lockKey).renew(LeaseLock.checkTimeToLive(ttl));
    }

    private LeaseLock locked(Object lockKey) {
        LeaseLock lock = lockKey instanceof String name ? locks.get(name) : null;
        if (lock == null) {
            throw new IllegalMonitorStateException("lock " + lockKey + " is not held by this thread");
        }
        return lock;
    }

    private static String leaseName(String key) {
        try {
            return LeaseRequest.of(key).name();
        } catch (IllegalArgumentException e) {
            return "sha256:" + HexFormat.of().formatHex(sha256(key));
        }
    }

    private static byte[] sha256(String text) {
        try {
            // Not UTF-8, which has the same bytes for any two surrogates without a partner.
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_16BE));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /**
     * Forgets locks that nothing uses. Leases are not concerned.
     *
     * @param age how long a lock must not have been used, in milliseconds
     */
    @Override
    public void expireUnusedOlderThan(long age) {
        long since = System.currentTimeMillis() - age;
        locks.values().removeIf(lock -> lock.isUnusedSince(since));
    }
}
