package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.mongodb.ConnectionString;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoSecurityException;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@WithOwnReplicaSet(nodes = 1, authentication = true)
class AuthenticationIT {

    private static final int UNAUTHORIZED = 13;

    private final ReplicaSet set;
    private final TestDatabase database;

    AuthenticationIT(ReplicaSet set, TestDatabase database) {
        this.set = set;
        this.database = database;
    }

    private MongoCollection<Document> things(MongoClient client) {
        return client.getDatabase(database.name()).getCollection("things");
    }

    private static void assertUnauthorized(Runnable command) {
        assertThatExceptionOfType(MongoCommandException.class)
                .isThrownBy(command::run)
                .satisfies(e -> assertThat(e.getErrorCode()).isEqualTo(UNAUTHORIZED));
    }

    @Nested
    class Clients {

        @Test
        void aClientWithoutCredentialsIsRefused() {
            String servers = String.join(",", new ConnectionString(set.uri()).getHosts());
            try (MongoClient client = MongoClients.create("mongodb://" + servers + "/?directConnection=true")) {
                assertUnauthorized(() -> things(client).countDocuments());
                assertUnauthorized(() -> things(client).insertOne(new Document()));
            }
        }

        @Test
        void aClientWithAWrongPasswordIsRefused() {
            String wrong = set.uri().replaceFirst(":[0-9a-f]+@", ":wrong@");
            try (MongoClient client = MongoClients.create(wrong)) {
                assertThatExceptionOfType(MongoSecurityException.class)
                        .isThrownBy(() -> things(client).countDocuments());
            }
        }

        @Test
        void whatTheSetHandsOutIsForAnAdministrator() {
            assertThat(things(set.client()).countDocuments()).isZero();
            assertThat(things(database.newClient()).countDocuments()).isZero();
            try (MongoClient client = MongoClients.create(set.uri())) {
                assertThat(client.listDatabaseNames()).contains("admin");
            }
        }

        @Test
        void theKeyIsForTheNodesAlone() throws IOException {
            Path data = Mongods.dataFolder(Mongods.of(ProcessHandle.current(), set.node(0)));

            assertThat(Files.getPosixFilePermissions(data.resolveSibling("key")))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
    }

    @Nested
    class Users {

        @Test
        void aUserWithARoleHasItsRightsOnTheDatabaseAlone() {
            DatabaseUser user = database.newUser("readWrite");

            things(user.newClient()).insertOne(new Document("_id", 1));

            assertThat(things(set.client()).countDocuments()).isEqualTo(1);
            MongoCollection<Document> elsewhere =
                    user.newClient().getDatabase(database.name() + "_2").getCollection("things");
            assertUnauthorized(() -> elsewhere.insertOne(new Document()));
        }

        @Test
        void aUserWithPrivilegesHasExactlyThese() {
            DatabaseUser user = database.newUser(
                    Privilege.onCollection("things", "insert"), Privilege.onDatabase("listCollections"));
            MongoClient client = user.newClient();

            things(client).insertOne(new Document("_id", 1));

            assertThat(client.getDatabase(database.name()).listCollectionNames())
                    .containsExactly("things");
            assertUnauthorized(() -> things(client).countDocuments());
            assertUnauthorized(() -> things(client).deleteOne(new Document()));
            MongoCollection<Document> others =
                    client.getDatabase(database.name()).getCollection("others");
            assertUnauthorized(() -> others.insertOne(new Document()));
        }

        @Test
        void aUserWithoutAnyMayDoNothing() {
            MongoClient client = database.newUser(new Privilege[0]).newClient();

            assertUnauthorized(() -> things(client).countDocuments());
        }

        @Test
        void theUriOfAUserIsForThatUser() {
            DatabaseUser user = database.newUser("read");
            try (MongoClient client = MongoClients.create(user.uri())) {
                assertThat(things(client).countDocuments()).isZero();
                assertUnauthorized(() -> things(client).insertOne(new Document()));
            }
        }

        @Test
        void twoUsersAreTwo() {
            DatabaseUser reader = database.newUser("read");
            DatabaseUser writer = database.newUser("readWrite");

            things(writer.newClient()).insertOne(new Document());

            assertThat(things(reader.newClient()).countDocuments()).isEqualTo(1);
            assertUnauthorized(() -> things(reader.newClient()).insertOne(new Document()));
        }

        @Test
        void theTextOfAUserDoesNotShowItsPassword() {
            DatabaseUser user = database.newUser("read");

            assertThat(user.toString())
                    .contains(user.name(), database.name())
                    .doesNotContain(String.valueOf(user.credential().getPassword()));
        }

        @Test
        void whereEveryClientMayDoEverythingThereAreNoUsers() {
            try (TestDatabase open = ReplicaSet.shared().newDatabase()) {
                assertThatIllegalStateException()
                        .isThrownBy(() -> open.newUser("read"))
                        .withMessageContaining("authentication");
            }
        }
    }

    @Nested
    class EndOfADatabase {

        @Test
        void itsUsersAndRolesAreRemovedAndNoOthers() {
            TestDatabase other = set.newDatabase();
            other.newUser("read");
            other.newUser(Privilege.onDatabase("listCollections"));
            database.newUser(Privilege.onDatabase("listCollections"));

            other.close();

            assertThat(ofDatabase("system.users", other)).isZero();
            assertThat(ofDatabase("system.roles", other)).isZero();
            assertThat(ofDatabase("system.users", database)).isOne();
            assertThat(ofDatabase("system.roles", database)).isOne();
        }

        private long ofDatabase(String collection, TestDatabase owner) {
            return set.client()
                    .getDatabase("admin")
                    .getCollection(collection)
                    .countDocuments(new Document("db", owner.name()));
        }

        @Test
        void aTransactionThatAUserLeftOpenDoesNotKeepIt() {
            TestDatabase other = set.newDatabase();
            leaveTransactionOpen(other, other.newUser("readWrite").newClient());

            other.close();

            assertThat(set.client().listDatabaseNames().into(new ArrayList<>())).doesNotContain(other.name());
        }

        private static void leaveTransactionOpen(TestDatabase database, MongoClient client) {
            ClientSession session = client.startSession();
            session.startTransaction();
            client.getDatabase(database.name()).getCollection("things").insertOne(session, new Document());
        }
    }

    @Nested
    class Faults {

        @Test
        void failPointsCanBeSwitchedAndCounted() {
            MongoClient client = database.newUser("readWrite").newClient();
            ActiveFailPoint failPoint = database.activate(FailPoint.failCommands("insert")
                    .withErrorCode(8000)
                    .times(1)
                    .forAppName(database.name()));

            assertThatExceptionOfType(MongoCommandException.class)
                    .isThrownBy(() -> things(client).insertOne(new Document()));

            assertThat(failPoint.timesEntered()).isEqualTo(1);
        }

        @Test
        void aNodeThatWasKilledComesBackAndStillKnowsItsUsers() {
            MongoClient client = database.newUser("readWrite").newClient();
            set.node(0).kill();

            set.heal();

            things(client).insertOne(new Document());
        }

        @Test
        void aNodeThatSteppedDownIsElectedAgain() {
            set.primary().stepDown();

            assertThat(set.primary()).isSameAs(set.node(0));
        }
    }

    @Nested
    @WithOwnReplicaSet(nodes = 3, authentication = true)
    class OfThreeNodes {

        @Test
        void theNodesTrustEachOtherAndKnowTheUsers(ReplicaSet three, TestDatabase things) {
            DatabaseUser user = things.newUser("readWrite");

            three.primary().kill();
            MongoCollection<Document> documents =
                    user.newClient().getDatabase(things.name()).getCollection("things");
            documents.insertOne(new Document());
            three.heal();

            documents
                    .withWriteConcern(new WriteConcern(3).withWTimeout(30, TimeUnit.SECONDS))
                    .insertOne(new Document());
            assertThat(documents.countDocuments()).isEqualTo(2);
        }
    }
}
