package dev.leasehold.spring.test;

import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A fresh database on the replica set that all tests of the process share, for {@code @ServiceConnection}. In spite of its type it needs
 * no Docker: the set runs as {@code leasehold-replica-set} finds a {@code mongod}.
 *
 * <pre>{@code
 * @TestConfiguration(proxyBeanMethods = false)
 * class TestDatabaseConfiguration {
 *     @Bean
 *     @ServiceConnection
 *     ReplicaSetContainer replicaSet() {
 *         return new ReplicaSetContainer();
 *     }
 * }
 * }</pre>
 *
 * <p>The database is dropped when the application is closed.
 */
public class ReplicaSetContainer extends GenericContainer<ReplicaSetContainer> {

    private @Nullable TestDatabase database;

    /** A database that is made when this is started. */
    public ReplicaSetContainer() {
        // Never pulled: it is only what the type asks for.
        super(DockerImageName.parse("mongo"));
    }

    /** Makes the database. Does nothing the second time. */
    @Override
    public void start() {
        if (database == null) {
            database = ReplicaSet.shared().newDatabase();
        }
    }

    /** Drops the database. */
    @Override
    public void stop() {
        if (database != null) {
            database.close();
            database = null;
        }
    }

    @Override
    public boolean isRunning() {
        return database != null;
    }

    /**
     * The URI of the set, with the name of the database.
     *
     * @return the URI
     * @throws IllegalStateException if it is not started
     */
    public String connectionString() {
        if (database == null) {
            throw new IllegalStateException("the replica set for tests is not started");
        }
        String uri = database.uri();
        int slash = uri.indexOf('/', uri.indexOf("//") + 2);
        int query = uri.indexOf('?');
        String servers = slash < 0 ? uri : uri.substring(0, slash);
        return servers + "/" + database.name() + (query < 0 ? "" : uri.substring(query));
    }
}
