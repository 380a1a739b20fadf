package dev.leasehold.bench.adapters;

/** A library at work in one process. Safe for use by many threads. */
public interface Locks extends AutoCloseable {

    /** How long a caller waits for a lock, or for a server, before the measurement ends. */
    long PATIENCE_SECONDS = 120;

    /**
     * Acquires a lock, and waits for it while others hold it, in the way that the library offers for that. The thread that
     * acquires it is the one that releases it.
     *
     * @param name the lock
     * @return it, held
     * @throws Exception whatever the library throws; the measurement ends with it
     */
    Held acquire(String name) throws Exception;

    /**
     * The same where a thread may release the lock that did not acquire it.
     *
     * @param name the lock
     * @return it, held
     * @throws Exception whatever the library throws
     */
    default Held acquireForAnyThread(String name) throws Exception {
        return acquire(name);
    }

    @Override
    void close();
}
