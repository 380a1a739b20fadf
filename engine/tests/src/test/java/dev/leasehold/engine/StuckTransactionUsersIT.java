package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.replicaset.DatabaseUser;
import dev.leasehold.replicaset.Privilege;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.time.Duration;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which user can end what a dead engine left, when the server asks for a password. */
@WithOwnReplicaSet(nodes = 1, authentication = true)
class StuckTransactionUsersIT {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private TestDatabase database;
    private LogCapture log;

    @BeforeEach
    void start(TestDatabase fresh) {
        database = fresh;
        log = new LogCapture();
    }

    @AfterEach
    void check() {
        log.close();
        SchemaCheck.of(database);
    }

    private LeaseEngine engine(DatabaseUser user, Duration budget) {
        return Engines.onTheSystemsClock(user.newClient(), database, "b", budget)
                .build();
    }

    private void leaveOpenTransactionAs(DatabaseUser user) {
        AbandonedTransaction.leave(database, "a", user::newClient);
    }

    private List<String> warnings() {
        return log.warningsAbout("block");
    }

    /** Ends all transactions that are open on this test's own server. */
    private void asTheServerDoesInTheEnd() {
        database.client().getDatabase("admin").runCommand(new Document("killAllSessions", List.of()));
    }

    @Test
    @DisplayName("ST-1: the role readWrite on one database is enough to end what another engine of the same user left")
    void readWriteIsEnough() throws InterruptedException {
        assertRescueBy(database.newUser("readWrite"));
    }

    @Test
    @DisplayName("ST-1: the least documented role is enough as well")
    void theLeastRoleIsEnough() throws InterruptedException {
        assertRescueBy(database.newUser(
                Privilege.onCollection(Engines.COLLECTION, "find", "insert", "update", "remove"),
                Privilege.onDatabase("listCollections")));
    }

    private void assertRescueBy(DatabaseUser user) throws InterruptedException {
        leaveOpenTransactionAs(user);
        try (LeaseEngine b = engine(user, Duration.ofSeconds(20))) {
            assertThat(b.tenures().claim("left", "b", MINUTE).orElseThrow().token())
                    .isEqualTo(1);
        }
        assertThat(warnings()).anySatisfy(line -> assertThat(line).contains("billing", "writer 'a#", "was ended"));
    }

    @Test
    @DisplayName("ST-5: what an engine of another database user left cannot be ended: one warning, and patience")
    void anotherUsersTransactionIsLeftToTheServer() throws InterruptedException {
        leaveOpenTransactionAs(database.newUser("readWrite"));
        DatabaseUser user = database.newUser("readWrite");
        try (LeaseEngine b = engine(user, Duration.ofSeconds(4))) {
            assertThatThrownBy(() -> b.tenures().claim("left", "b", MINUTE)).isInstanceOf(LeaseException.class);
            assertThatThrownBy(() -> b.tenures().claim("left", "b", MINUTE)).isInstanceOf(LeaseException.class);
            assertThat(warnings()).singleElement().asString().contains("billing", "until the server ends it");

            asTheServerDoesInTheEnd();
        }
        try (LeaseEngine patient = engine(user, Duration.ofSeconds(20))) {
            assertThat(patient.tenures()
                            .claim("left", "b", MINUTE)
                            .orElseThrow()
                            .token())
                    .isEqualTo(1);
        }
    }
}
