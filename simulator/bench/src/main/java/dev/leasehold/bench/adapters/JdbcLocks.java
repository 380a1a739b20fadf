package dev.leasehold.bench.adapters;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Locks of Spring Integration in a table of PostgreSQL. They belong to threads, and are never renewed. */
public final class JdbcLocks implements Locks {

    static final int CONNECTIONS_MAX = 16;

    /** Processes with one caller each need no more. */
    private static final int IDLE_CONNECTIONS = 1;

    private static final long READY_LIMIT_MILLIS = 20_000;

    /** Names share the locks inside the process, by their hashes. The default has fewer of those than there are callers. */
    static final int CACHE_CAPACITY = 4_096;

    private static final String TABLE = """
            create table if not exists INT_LOCK (
                LOCK_KEY char(36) not null,
                REGION varchar(100) not null,
                CLIENT_ID char(36),
                CREATED_DATE timestamp not null,
                primary key (LOCK_KEY, REGION))
            """;

    private final HikariDataSource pool;
    private final DefaultLockRepository repository;
    private final JdbcLockRegistry registry;

    JdbcLocks(Access access, String namespace, Duration length) {
        this.pool = pool(ServerAddresses.needed(access.place().postgres(), "PostgreSQL"));
        this.repository = repository(pool, namespace, length);
        this.registry = new JdbcLockRegistry(repository);
        registry.setCacheCapacity(CACHE_CAPACITY);
    }

    /** Waits for a server that starts. */
    private static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS_MAX);
        config.setMinimumIdle(IDLE_CONNECTIONS);
        config.setInitializationFailTimeout(READY_LIMIT_MILLIS);
        return new HikariDataSource(config);
    }

    private static DefaultLockRepository repository(HikariDataSource pool, String namespace, Duration length) {
        DefaultLockRepository repository = new DefaultLockRepository(pool);
        repository.setRegion(namespace);
        repository.setTimeToLive(Math.toIntExact(length.toMillis()));
        repository.setTransactionManager(new JdbcTransactionManager(pool));
        // As its documentation has it for PostgreSQL, where an insert that is refused breaks its transaction.
        repository.setInsertQuery(repository.getInsertQuery() + " ON CONFLICT DO NOTHING");
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        return repository;
    }

    /**
     * Waits until the server is ready, and creates the table of the locks: once, since processes that create it at the same time get
     * in each other's way.
     *
     * @param url of a database of PostgreSQL, with the user in it
     * @throws SQLException if the server refuses
     */
    public static void prepare(String url) throws SQLException {
        try (HikariDataSource pool = pool(url);
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
        }
    }

    @Override
    public Held acquire(String name) throws Exception {
        Lock lock = registry.obtain(name);
        if (!lock.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("'" + name + "' was not free for " + PATIENCE_SECONDS + " s");
        }
        return lock::unlock;
    }

    @Override
    public Held acquireForAnyThread(String name) throws Exception {
        return OwnThread.hold(name, () -> acquire(name));
    }

    @Override
    public void close() {
        try (pool) {
            repository.close();
        }
    }
}
