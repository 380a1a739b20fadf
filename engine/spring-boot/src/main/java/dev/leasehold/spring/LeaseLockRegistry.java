package dev.leasehold.spring;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;

/**
 * Locks for Spring Integration, each of which is a lease: the lock with the key {@code k} is the lease {@code k} of the engine's namespace.
 *
 * <p>Locks are reentrant, and belong to a thread. A loss is told by the next call of the thread that had the lock: {@link Lock#tryLock()}
 * answers false, {@link Lock#lock()} and {@link Lock#unlock()} throw {@link java.util.ConcurrentModificationException}; from then on the
 * thread does not have the lock. So a leader initiator steps down. Conditions are not supported. Safe for use by many threads.
 *
 * <p>A key that is no name of a lease, as one that is longer than 512 bytes or has line breaks, becomes the lease {@code sha256:} and the
 * SHA-256 of the key in hexadecimal digits.
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
     * @param lockKey any string but an empty one
     * @return the same lock for equal keys
     * @throws IllegalArgumentException if the key is no string, or is blank
     */
    @Override
    public Lock obtain(Object lockKey) {
        if (!(lockKey instanceof String name)) {
            throw new IllegalArgumentException("lock key " + lockKey + " is refused: it has to be a string");
        }
        if (name.isBlank()) {
            throw new IllegalArgumentException("lock key '" + name + "' is refused: it must not be blank");
        }
        return locks.computeIfAbsent(name, each -> new LeaseLock(engine, leaseName(each)));
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
