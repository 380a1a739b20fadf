package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.connection.ServerConnectionState;
import com.mongodb.connection.ServerDescription;
import dev.leasehold.replicaset.ClientNetwork.Cut;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the driver makes of a cut. */
@WithReplicaSet
class ClientNetworkIT {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private TestDatabase database;
    private ClientNetwork network;
    private MongoClient client;
    private MongoCollection<Document> things;

    @BeforeEach
    void oneThing(TestDatabase fresh) {
        database = fresh;
        network = ClientNetwork.open();
        client = database.newClient(settings -> settings.applyConnectionString(
                        new ConnectionString(network.uri(database.uri())))
                .retryWrites(false)
                .applyToServerSettings(server -> server.heartbeatFrequency(500, TimeUnit.MILLISECONDS))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(1, TimeUnit.SECONDS))
                .applyToSocketSettings(
                        socket -> socket.connectTimeout(2, TimeUnit.SECONDS).readTimeout(2, TimeUnit.SECONDS)));
        things = client.getDatabase(database.name()).getCollection("things");
        // So that making the collection costs no time here, and there is a connection.
        database.database().getCollection("things").insertOne(new Document("_id", 1));
        assertThat(things.countDocuments()).isEqualTo(1);
    }

    @AfterEach
    void close() {
        client.close();
        network.close();
    }

    private void awaitServer(ServerConnectionState state) {
        Awaiting.answer(
                "the server to be " + state,
                LIMIT,
                () -> servers().stream()
                        .map(ServerDescription::getState)
                        .filter(state::equals)
                        .findAny());
    }

    private List<ServerDescription> servers() {
        return client.getClusterDescription().getServerDescriptions();
    }

    private long storedThings() {
        return database.database().getCollection("things").countDocuments();
    }

    /** As the server counts the connections under the client's name. */
    private long connectionsAtTheServer() {
        Document all = new Document("$currentOp", new Document("idleConnections", true).append("allUsers", true));
        Document ours = new Document("$match", new Document("appName", database.name()));
        long count = 0;
        for (Document connection : database.client().getDatabase("admin").aggregate(List.of(all, ours))) {
            count += connection.containsKey("client") ? 1 : 0;
        }
        return count;
    }

    @Test
    void allConnectionsOfTheClientGoThroughIt() {
        Awaiting.answer(
                "as many connections here as at the server",
                LIMIT,
                () -> Optional.of(connectionsAtTheServer())
                        .filter(count -> count >= 2 && count == network.connections()));
    }

    @Test
    void theClientLosesABrokenNetworkAndComesBack() {
        network.cut(Cut.BROKEN);
        awaitServer(ServerConnectionState.CONNECTING);
        assertThatThrownBy(() -> things.insertOne(new Document("_id", 2))).isInstanceOf(MongoTimeoutException.class);

        network.mend();

        awaitServer(ServerConnectionState.CONNECTED);
        things.insertOne(new Document("_id", 2));
        assertThat(storedThings()).isEqualTo(2);
    }

    @Test
    void theWatchOverTheServersGoesThroughItToo() {
        network.cut(Cut.SILENT);
        awaitServer(ServerConnectionState.CONNECTING);

        network.mend();

        awaitServer(ServerConnectionState.CONNECTED);
    }

    @Test
    void withoutAnswersAWriteIsCarriedOutAndItsAnswerIsLost() {
        network.cut(Cut.WITHOUT_ANSWERS);

        assertThatThrownBy(() -> things.insertOne(new Document("_id", 2))).isInstanceOf(MongoSocketException.class);

        assertThat(storedThings()).isEqualTo(2);
    }

    @Test
    void aSilentNetworkDeliversAWriteThatTheClientHasGivenUp() {
        network.cut(Cut.SILENT);
        assertThatThrownBy(() -> things.insertOne(new Document("_id", 2))).isInstanceOf(MongoSocketException.class);
        assertThat(storedThings()).isEqualTo(1);

        network.mend();

        Awaiting.answer(
                "the late write", LIMIT, () -> Optional.of(storedThings()).filter(count -> count == 2));
    }
}
