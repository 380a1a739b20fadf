package dev.leasehold.bench.adapters;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;

/**
 * Where PostgreSQL is, and what one needs to come to it.
 *
 * @param url of a database, with the user in it
 * @param jars the folder of {@link JdbcJars}
 */
public record JdbcAddress(String url, Path jars) {

    private static final String TABLE = """
            create table if not exists INT_LOCK (
                LOCK_KEY char(36) not null,
                REGION varchar(100) not null,
                CLIENT_ID char(36),
                CREATED_DATE timestamp not null,
                EXPIRED_AFTER timestamp not null,
                primary key (LOCK_KEY, REGION))
            """;

    /**
     * Waits until the server is ready, and creates the table of the locks: once, since processes that create it at the same time get
     * in each other's way.
     *
     * @throws Exception if the server is not ready in time, or refuses
     */
    public void prepare() throws Exception {
        try (JdbcPool pool = JdbcPool.open(this);
                Connection connection = pool.source().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
        }
    }

    JdbcClasses classes() {
        return JdbcClasses.in(jars);
    }
}
