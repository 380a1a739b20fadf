package dev.leasehold.replicaset;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.Document;

/** Finds nodes that were not started here. */
final class ForeignDeployment {

    private ForeignDeployment() {}

    /** Looks at the set; a set of fewer nodes than asked for will not do. */
    static Deployment open(String uri, int nodeCount) {
        ConnectionString connectionString = new ConnectionString(uri);
        List<String> hosts = hosts(connectionString);
        if (hosts.size() < nodeCount) {
            throw new ReplicaSetUnavailableException(String.format(
                    Locale.ROOT,
                    "%s names a replica set of %d, but %d nodes are asked for",
                    ConfiguredSet.VARIABLE,
                    hosts.size(),
                    nodeCount));
        }
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(connectionString)
                .build();
        return new Deployment(
                uri,
                IntStream.range(0, hosts.size())
                        .mapToObj(i -> new ForeignNode(
                                i, hosts.get(i), NodeConnection.to(hosts.get(i), settings), hosts.size() == 1))
                        .toList(),
                () -> {});
    }

    private static List<String> hosts(ConnectionString connectionString) {
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(connectionString)
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(10, TimeUnit.SECONDS))
                .build();
        try (MongoClient client = MongoClients.create(settings)) {
            NodeView view = NodeView.of(client.getDatabase("admin").runCommand(new Document("hello", 1)));
            if (view.setName().isEmpty()) {
                throw new ReplicaSetUnavailableException("%s names %s, which is not a replica set"
                        .formatted(ConfiguredSet.VARIABLE, connectionString.getHosts()));
            }
            // A direct connection may be the only way in: the set's own names can mean nothing here.
            return isDirect(connectionString) ? connectionString.getHosts() : view.hosts();
        } catch (MongoException e) {
            throw new ReplicaSetUnavailableException(
                    "%s names %s, which does not answer: %s"
                            .formatted(ConfiguredSet.VARIABLE, connectionString.getHosts(), e.getMessage()),
                    e);
        }
    }

    private static boolean isDirect(ConnectionString connectionString) {
        return connectionString.getHosts().size() == 1
                && !connectionString.isSrvProtocol()
                && connectionString.getRequiredReplicaSetName() == null;
    }
}
