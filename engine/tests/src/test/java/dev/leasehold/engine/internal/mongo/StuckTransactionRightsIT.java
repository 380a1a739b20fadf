package dev.leasehold.engine.internal.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.replicaset.DatabaseUser;
import dev.leasehold.replicaset.Privilege;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the server lets a database user find out about open transactions, and end. One user, which may do nothing but work
 * on the documents of one collection, has left a transaction open; another one has the role {@code readWrite}. These are
 * facts about the server: the engine's way to end stuck transactions rests on them.
 */
@WithOwnReplicaSet(nodes = 1, authentication = true)
class StuckTransactionRightsIT {

    private static final int UNAUTHORIZED = 13;
    private static final int INVALID_NAMESPACE = 73;
    private static final int WRITE_CONFLICT = 112;
    private static final int NO_SUCH_TRANSACTION = 251;

    private final TestDatabase database;
    private final MongoClient root;
    private final DatabaseUser user;
    private final DatabaseUser otherUser;
    private ClientSession stuck;

    StuckTransactionRightsIT(ReplicaSet set, TestDatabase database) {
        this.database = database;
        root = set.client();
        user = database.newUser(Privilege.onCollection("things", "find", "insert", "update", "remove"));
        otherUser = database.newUser("readWrite");
    }

    @BeforeEach
    void aTransactionIsLeftOpen() {
        things(root).insertOne(new Document("_id", 1).append("n", 0));
        MongoClient owner = user.newClient(settings -> settings.applicationName("owner"));
        stuck = owner.startSession();
        stuck.startTransaction();
        things(owner).updateOne(stuck, new Document("_id", 1), new Document("$inc", new Document("n", 1)));
    }

    private MongoCollection<Document> things(MongoClient client) {
        return client.getDatabase(database.name()).getCollection("things");
    }

    private Binary stuckId() {
        return new Binary(
                (byte) 4,
                stuck.getServerSession().getIdentifier().getBinary("id").getData());
    }

    private static List<Document> idleTransactions(MongoClient client, String where, boolean allUsers) {
        return client.getDatabase(where)
                .aggregate(List.of(
                        new Document("$currentOp", new Document("idleSessions", true).append("allUsers", allUsers)),
                        new Document(
                                "$match",
                                new Document("type", "idleSession")
                                        .append("transaction.parameters.txnNumber", new Document("$exists", true)))))
                .into(new ArrayList<>());
    }

    private static List<Document> idleTransactions(MongoClient client) {
        return idleTransactions(client, "admin", false);
    }

    private static Document killSessions(MongoClient client, String where, Document session) {
        return client.getDatabase(where).runCommand(new Document("killSessions", List.of(session)));
    }

    private static Document kill(MongoClient client, Document session) {
        return killSessions(client, "admin", session);
    }

    private Document byId() {
        return new Document("id", stuckId());
    }

    private Document byIdAndUser() {
        Document listed = idleTransactions(root, "admin", true).get(0).get("lsid", Document.class);
        return new Document("id", listed.get("id")).append("uid", listed.get("uid"));
    }

    private static void assertFails(int code, ThrowingCallable command) {
        assertThatExceptionOfType(MongoCommandException.class)
                .isThrownBy(command)
                .satisfies(e -> assertThat(e.getErrorCode()).as(e.getMessage()).isEqualTo(code));
    }

    private void assertKilled() {
        writeInAnotherTransaction();

        assertFails(NO_SUCH_TRANSACTION, stuck::commitTransaction);
        assertThat(things(root).find().first()).containsEntry("n", 10);
    }

    private void assertGoesOn() {
        assertFails(WRITE_CONFLICT, this::writeInAnotherTransaction);

        stuck.commitTransaction();
        assertThat(things(root).find().first()).containsEntry("n", 1);
    }

    /** A write outside transactions would wait until the server itself ends the open one, and then prove nothing. */
    private void writeInAnotherTransaction() {
        try (ClientSession session = root.startSession()) {
            session.startTransaction();
            things(root).updateOne(session, new Document("_id", 1), new Document("$inc", new Document("n", 10)));
            session.commitTransaction();
        }
    }

    @Nested
    class Listing {

        @Test
        void aUserSeesItsOwnFromAnyClient() {
            assertThat(idleTransactions(user.newClient())).singleElement().satisfies(found -> {
                assertThat(found.get("lsid", Document.class).get("id")).isEqualTo(stuckId());
                assertThat(found.getString("appName")).isEqualTo("owner");
                assertThat(found.getString("client")).isNotEmpty();
                assertThat(found.getEmbedded(List.of("transaction", "timeOpenMicros"), Long.class))
                        .isPositive();
                assertThat(found.getEmbedded(List.of("transaction", "timeInactiveMicros"), Long.class))
                        .isPositive();
            });
        }

        @Test
        void aUserDoesNotSeeThoseOfAnother() {
            assertThat(idleTransactions(otherUser.newClient())).isEmpty();
        }

        @Test
        void onlyAnAdministratorSeesThoseOfAll() {
            assertFails(UNAUTHORIZED, () -> idleTransactions(user.newClient(), "admin", true));
            assertFails(UNAUTHORIZED, () -> idleTransactions(otherUser.newClient(), "admin", true));
            assertThat(idleTransactions(root, "admin", true)).hasSize(1);
        }

        @Test
        void itIsPossibleOnAdminAlone() {
            assertFails(INVALID_NAMESPACE, () -> idleTransactions(user.newClient(), database.name(), false));
        }
    }

    @Nested
    class Killing {

        @ParameterizedTest
        @ValueSource(strings = {"admin", "elsewhere"})
        void aUserEndsItsOwnFromAnyClientAndOnAnyDatabase(String where) {
            assertThat(killSessions(user.newClient(), where, byId())).containsEntry("ok", 1.0);

            assertKilled();
        }

        @Test
        void aUserEndsItsOwnAlsoByItsDigest() {
            kill(user.newClient(), byIdAndUser());

            assertKilled();
        }

        @Test
        void ofAnotherUserTheAnswerIsOkAndNothingHappens() {
            assertThat(kill(otherUser.newClient(), byId())).containsEntry("ok", 1.0);

            assertGoesOn();
        }

        @Test
        void anotherUserMayNotUseTheDigest() {
            assertFails(UNAUTHORIZED, () -> kill(otherUser.newClient(), byIdAndUser()));

            assertGoesOn();
        }

        @Test
        void evenForAnAdministratorTheIdAloneIsOkAndNothingHappens() {
            assertThat(kill(root, byId())).containsEntry("ok", 1.0);

            assertGoesOn();
        }

        @Test
        void anAdministratorEndsThoseOfOthersByTheDigest() {
            kill(root, byIdAndUser());

            assertKilled();
        }

        @Test
        void ofAnUnknownSessionTheAnswerIsOk() {
            Document unknown = new Document("id", new Binary((byte) 4, new byte[16]));

            assertThat(kill(user.newClient(), unknown)).containsEntry("ok", 1.0);

            assertGoesOn();
        }
    }
}
