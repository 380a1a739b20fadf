package dev.leasehold.bench.adapters;

import static dev.leasehold.bench.adapters.JdbcClasses.call;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** Locks of Spring Integration in a table of PostgreSQL. They belong to threads, and are never renewed. */
final class JdbcLocks implements Locks {

    /** Names share the locks inside the process, by their hashes. The default has fewer of those than there are callers. */
    static final int CACHE_CAPACITY = 4_096;

    private static final String PACKAGE = "org.springframework.integration.jdbc.lock.";
    private static final String TRANSACTIONS = "org.springframework.jdbc.datasource.DataSourceTransactionManager";
    private static final long LONGEST_SECONDS = 120;

    private final JdbcPool pool;
    private final Object repository;
    private final Object registry;
    private final Method obtain;

    JdbcLocks(Access access, String namespace, Duration length) throws Exception {
        JdbcAddress place = ServerAddresses.needed(access.place().jdbc(), "PostgreSQL");
        this.pool = JdbcPool.open(place);
        this.repository = repository(place.classes(), pool, namespace);
        this.registry = place.classes().make(PACKAGE + "JdbcLockRegistry", repository, length);
        call(registry, "setCacheCapacity", CACHE_CAPACITY);
        this.obtain = registry.getClass().getMethod("obtain", Object.class);
    }

    private static Object repository(JdbcClasses classes, JdbcPool pool, String namespace) throws Exception {
        Object repository = classes.make(PACKAGE + "DefaultLockRepository", pool.source());
        call(repository, "setRegion", namespace);
        call(repository, "setTransactionManager", classes.make(TRANSACTIONS, pool.source()));
        // As its documentation has it for PostgreSQL, where an insert that is refused breaks its transaction.
        call(repository, "setInsertQuery", call(repository, "getInsertQuery") + " ON CONFLICT DO NOTHING");
        call(repository, "afterPropertiesSet");
        call(repository, "afterSingletonsInstantiated");
        return repository;
    }

    @Override
    public Held acquire(String name) throws Exception {
        Lock lock = (Lock) call(registry, obtain, name);
        if (!lock.tryLock(LONGEST_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("'" + name + "' was not free for " + LONGEST_SECONDS + " s");
        }
        return lock::unlock;
    }

    @Override
    public Held acquireForAnyThread(String name) throws Exception {
        return OwnThread.hold(name, () -> acquire(name));
    }

    @Override
    public void close() {
        try {
            ((Closeable) repository).close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            pool.close();
        }
    }
}
