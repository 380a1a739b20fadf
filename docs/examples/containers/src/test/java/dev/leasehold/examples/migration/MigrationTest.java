package dev.leasehold.examples.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseRefusedException;
import dev.leasehold.testkit.TestLeases;
import dev.leasehold.testkit.junit.WithTestLeases;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import liquibase.Liquibase;
import liquibase.database.Database;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.LiquibaseException;
import liquibase.lockservice.LockServiceFactory;
import liquibase.lockservice.StandardLockService;
import liquibase.resource.ClassLoaderResourceAccessor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@WithTestLeases
class MigrationTest {

    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        connection = DriverManager.getConnection("jdbc:h2:mem:");
        LockServiceFactory.reset();
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
        LockServiceFactory.reset();
    }

    private Liquibase liquibase() throws LiquibaseException {
        return new Liquibase("changes.sql", new ClassLoaderResourceAccessor(), new JdbcConnection(connection));
    }

    private int invoices() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("select count(*) from invoices")) {
            count.next();
            return count.getInt(1);
        }
    }

    /** As a process leaves Liquibase's own lock that is killed in the middle of a migration. */
    private void leaveLiquibasesLock() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table databasechangeloglock"
                    + " (id int primary key, locked boolean, lockgranted timestamp, lockedby varchar(255))");
            statement.execute("insert into databasechangeloglock values (1, true, current_timestamp, 'killed')");
        }
    }

    @Test
    @DisplayName("After a kill in the middle of a migration the next process migrates as soon as the session is over")
    void theLockDoesNotStayAfterAKill(TestLeases leases) throws Exception {
        leases.engine("a").tryAcquire("migrations").orElseThrow();
        leaveLiquibasesLock();
        leases.machine("a").kill();

        Migration.run(leases.engine("b"), liquibase()); // waits on the test's clock
        Migration.run(leases.engine("b"), liquibase());

        assertThat(invoices()).as("each change once").isEqualTo(1);
        assertThat(leases.engine("b").tryAcquire("migrations").asOptional()).isPresent();
    }

    @Test
    @DisplayName(
            "Without the lease, Liquibase's own lock stays: behind a migration, good or bad, and when it is refused")
    void liquibasesOwnLockIsReplacedUnderTheLeaseAlone(TestLeases leases) throws Exception {
        Migration.run(leases.engine("a"), liquibase());
        assertThat(hasLiquibasesLock()).isTrue();

        Liquibase failing =
                new Liquibase("none.sql", new ClassLoaderResourceAccessor(), new JdbcConnection(connection));
        assertThatThrownBy(() -> Migration.run(leases.engine("a"), failing)).isInstanceOf(LiquibaseException.class);
        assertThat(hasLiquibasesLock()).isTrue();

        leases.engine("a").tryAcquire("migrations").orElseThrow();
        assertThatThrownBy(() -> Migration.run(leases.engine("b"), liquibase()))
                .isInstanceOf(LeaseRefusedException.class);
        assertThat(hasLiquibasesLock()).isTrue();
    }

    private static boolean hasLiquibasesLock() throws Exception {
        try (Connection other = DriverManager.getConnection("jdbc:h2:mem:")) {
            Database database =
                    DatabaseFactory.getInstance().findCorrectDatabaseImplementation(new JdbcConnection(other));
            return LockServiceFactory.getInstance().getLockService(database) instanceof StandardLockService;
        }
    }

    @Test
    @DisplayName("No change begins once the lease is lost")
    void noChangeBeginsOnceTheLeaseIsLost(TestLeases leases) throws Exception {
        Lease lease = leases.engine("a").tryAcquire("migrations").orElseThrow();
        Liquibase liquibase = liquibase();
        liquibase.setChangeExecListener(new StopWhenLost(lease));
        leases.lose(lease, LeaseLoss.Reason.NOT_RENEWED);

        assertThatThrownBy(() -> liquibase.update(""))
                .hasStackTraceContaining(LeaseNotHeldException.class.getName() + ": Lease 'migrations'");
        assertThatThrownBy(this::invoices).hasMessageContaining("INVOICES");
    }
}
