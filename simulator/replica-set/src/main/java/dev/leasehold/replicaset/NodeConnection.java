package dev.leasehold.replicaset;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.ClusterConnectionMode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.bson.Document;

/** Commands to one node, whatever its role. */
final class NodeConnection implements AutoCloseable {

    private static final int ANSWER_SECONDS_MAX = 15;
    /** For callers that ask whether it is there. */
    private static final int REACHED_SECONDS_MAX = 1;
    /** For callers that know that it is: on a busy machine it may take long to say so. */
    private static final int CERTAINLY_REACHED_SECONDS_MAX = 60;

    private final MongoClient client;

    private NodeConnection(MongoClient client) {
        this.client = client;
    }

    static NodeConnection to(String address) {
        return to(address, MongoClientSettings.builder().build());
    }

    /** To one that listens already. */
    static NodeConnection toListening(String address) {
        return to(address, MongoClientSettings.builder().build(), CERTAINLY_REACHED_SECONDS_MAX);
    }

    /** Takes credentials and encryption from the settings. */
    static NodeConnection to(String address, MongoClientSettings settings) {
        return to(address, settings, REACHED_SECONDS_MAX);
    }

    private static NodeConnection to(String address, MongoClientSettings settings, int reachedSecondsMax) {
        MongoClientSettings.Builder builder = MongoClientSettings.builder()
                .applicationName("leasehold-replica-set")
                .retryWrites(false)
                .retryReads(false)
                .applyToSslSettings(ssl -> ssl.applySettings(settings.getSslSettings()))
                .applyToClusterSettings(cluster -> cluster.hosts(List.of(new ServerAddress(address)))
                        .mode(ClusterConnectionMode.SINGLE)
                        .serverSelectionTimeout(reachedSecondsMax, TimeUnit.SECONDS))
                .applyToServerSettings(server -> server.minHeartbeatFrequency(10, TimeUnit.MILLISECONDS))
                .applyToSocketSettings(socket ->
                        socket.connectTimeout(1, TimeUnit.SECONDS).readTimeout(ANSWER_SECONDS_MAX, TimeUnit.SECONDS));
        Optional.ofNullable(settings.getCredential()).ifPresent(builder::credential);
        return new NodeConnection(Closing.uninterrupted(() -> MongoClients.create(builder.build())));
    }

    /** Runs a command on the database {@code admin}. */
    Document run(Document command) {
        try {
            return send(command);
        } catch (MongoInterruptedException e) {
            throw new ReplicaSetUnavailableException("interrupted while waiting for an answer", e);
        }
    }

    private Document send(Document command) {
        return client.getDatabase("admin").runCommand(command);
    }

    /** How the node sees itself, or nothing if it does not answer. */
    Optional<NodeView> view() {
        try {
            return Optional.of(NodeView.of(send(new Document("hello", 1))));
        } catch (MongoException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        Closing.uninterrupted(client::close);
    }
}
