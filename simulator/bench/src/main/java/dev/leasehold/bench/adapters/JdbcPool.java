package dev.leasehold.bench.adapters;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;
import javax.sql.DataSource;

/** Connections to PostgreSQL, in a pool of HikariCP. */
final class JdbcPool implements AutoCloseable {

    static final int CONNECTIONS_MAX = 16;

    private static final String HIKARI = "com.zaxxer.hikari.";
    /** Processes with one caller each need no more. */
    private static final int IDLE = 1;

    private static final int READY_LIMIT_MILLIS = 20_000;

    private final DataSource source;

    private JdbcPool(DataSource source) {
        this.source = source;
    }

    /** Waits for a server that starts. */
    static JdbcPool open(JdbcAddress place) throws Exception {
        Properties settings = new Properties();
        settings.setProperty("jdbcUrl", place.url());
        settings.setProperty("driverClassName", "org.postgresql.Driver");
        settings.setProperty("maximumPoolSize", String.valueOf(CONNECTIONS_MAX));
        settings.setProperty("minimumIdle", String.valueOf(IDLE));
        settings.setProperty("initializationFailTimeout", String.valueOf(READY_LIMIT_MILLIS));
        JdbcClasses classes = place.classes();
        Object config = classes.make(HIKARI + "HikariConfig", settings);
        return new JdbcPool((DataSource) classes.make(HIKARI + "HikariDataSource", config));
    }

    DataSource source() {
        return source;
    }

    @Override
    public void close() {
        try {
            ((Closeable) source).close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
