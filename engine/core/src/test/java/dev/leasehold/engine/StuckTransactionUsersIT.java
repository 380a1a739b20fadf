package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
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

/** Who can end what a dead engine left, when the server asks for a password. */
@WithOwnReplicaSet(nodes = 1, authentication = true)
class StuckTransactionUsersIT {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private TestDatabase database;
    private EngineLog log;

    @BeforeEach
    void start(TestDatabase fresh) {
        database = fresh;
        log = new EngineLog();
    }

    @AfterEach
    void stopListening() {
        log.close();
    }

    private LeaseEngine engine(MongoClient client, String instance, Duration budget) {
        return LeaseEngine.builder(client)
                .database(database.name())
                .collection(Engines.COLLECTION)
                .namespace(Engines.NAMESPACE)
                .instance(instance)
                .operationBudget(budget)
                .commandBudget(Duration.ofSeconds(2))
                .build();
    }

    private void leaveOpenTransactionAs(DatabaseUser user) {
        Hooks hooks = new Hooks();
        MongoClient client = user.newClient(settings -> settings.addCommandListener(hooks));
        try (LeaseEngine engine = engine(client, "a", Duration.ofSeconds(2))) {
            hooks.once(Hooks.Point.AFTER_UPDATE, client::close);
            assertThatThrownBy(() -> engine.claim("left", "h", MINUTE)).isInstanceOf(LeaseException.class);
        }
        hooks.verify();
    }

    private List<String> warnings() {
        return log.warnings().stream().filter(line -> line.contains("block")).toList();
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
        try (LeaseEngine b = engine(user.newClient(), "b", Duration.ofSeconds(20))) {
            assertThat(b.claim("left", "b", MINUTE).orElseThrow().token()).isEqualTo(1);
        }
        assertThat(warnings()).singleElement().asString().contains("billing", "writer 'a#", "was ended");
    }

    @Test
    @DisplayName("ST-5: what an engine of another database user left cannot be ended: one warning, and patience")
    void anotherUsersTransactionIsLeftToTheServer() throws InterruptedException {
        leaveOpenTransactionAs(database.newUser("readWrite"));
        try (LeaseEngine b = engine(database.newUser("readWrite").newClient(), "b", Duration.ofSeconds(4))) {
            assertThatThrownBy(() -> b.claim("left", "b", MINUTE)).isInstanceOf(LeaseException.class);
            assertThatThrownBy(() -> b.claim("left", "b", MINUTE)).isInstanceOf(LeaseException.class);
            assertThat(warnings()).singleElement().asString().contains("billing", "until the server ends it");

            asTheServerDoesInTheEnd();

            assertThat(b.claim("left", "b", MINUTE).orElseThrow().token()).isEqualTo(1);
        }
    }
}
