package dev.leasehold.examples.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import liquibase.lockservice.LockServiceFactory;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A process that migrates is killed by the operating system. The migrated database is a server in this process. */
@WithReplicaSet
public class MigrationIT {

    private static final CountDownLatch PAUSED = new CountDownLatch(1);
    private static final CountDownLatch GO_ON = new CountDownLatch(1);

    private Server server;
    private String url;

    /** What the database calls in the middle of the migration: the first process comes no further. */
    public static void pauseTheFirst() throws InterruptedException {
        if (PAUSED.getCount() > 0) {
            PAUSED.countDown();
            GO_ON.await();
        }
    }

    @BeforeEach
    void start() throws SQLException {
        server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        url = "jdbc:h2:tcp://localhost:" + server.getPort() + "/mem:shop;DB_CLOSE_DELAY=-1";
        execute("create alias pause_the_first for '" + MigrationIT.class.getName() + ".pauseTheFirst'");
        LockServiceFactory.reset();
    }

    @AfterEach
    void stop() {
        GO_ON.countDown();
        server.stop();
        LockServiceFactory.reset();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private int invoices() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("select count(*) from invoices")) {
            count.next();
            return count.getInt(1);
        }
    }

    @Test
    @DisplayName("A process that is killed in the middle of a migration leaves no lock: the next one finishes it")
    void theNextOneFinishes(TestDatabase database) throws Exception {
        Process killed = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        MigratingProcess.class.getName(),
                        database.uri(),
                        database.name(),
                        url)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(PAUSED.await(2, TimeUnit.MINUTES)).isTrue();
        } finally {
            killed.destroyForcibly().waitFor();
        }
        GO_ON.countDown();

        try (MongoClient client = database.newClient()) {
            MigratingProcess.migrate(client, database.name(), url);
        }

        assertThat(invoices()).as("the change that was begun, once").isEqualTo(1);
    }
}
