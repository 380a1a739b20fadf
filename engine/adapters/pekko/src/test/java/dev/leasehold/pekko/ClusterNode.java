package dev.leasehold.pekko;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.apache.pekko.cluster.singleton.ClusterSingletonManager;
import org.apache.pekko.cluster.singleton.ClusterSingletonManagerSettings;

/** A node of a cluster as an application has it: a singleton and shards under the lease, and lease-majority against split brains. */
final class ClusterNode implements AutoCloseable {

    static final String SINGLETON = "jobs";
    static final String TYPE = "order";
    static final int SHARDS = 3;
    /** Where the configuration of their leases is. */
    static final String SHARD_LEASE = "shards";

    private static final long LIMIT_SECONDS = 180;

    private final MongoClient client;
    private final ActorSystem system;
    private final ActorRef region;

    private ClusterNode(String uri, String database, String settings) {
        this.client = MongoClients.create(uri);
        Config config = ConfigFactory.parseString(settings)
                .withFallback(ConfigFactory.parseMap(Map.of("leasehold.pekko.database", database)))
                .withFallback(ConfigFactory.parseResources("cluster.conf"))
                .withFallback(ConfigFactory.load());
        this.system = ActorSystem.create(
                "shop", ActorSystemSetup.create(BootstrapSetup.create(config.resolve()), LeaseholdSetup.of(client)));
        Recorder recorder = new Recorder(client.getDatabase(database), client, address());
        system.actorOf(
                ClusterSingletonManager.props(
                        recordingProps(recorder), "stop", ClusterSingletonManagerSettings.create(system)),
                SINGLETON);
        this.region = ClusterSharding.get(system)
                .start(TYPE, recordingProps(recorder), ClusterShardingSettings.create(system), new EntityIds());
    }

    private static Props recordingProps(Recorder recorder) {
        return Props.create(RecordingActor.class, () -> new RecordingActor(recorder))
                .withDispatcher("pekko.actor.default-blocking-io-dispatcher");
    }

    /**
     * Starts one that joins another.
     *
     * @param seed its address; that of the node itself if null, which begins a cluster
     * @param settings in addition to cluster.conf
     */
    static ClusterNode start(String uri, String database, String seed, String settings) {
        ClusterNode node = new ClusterNode(uri, database, settings);
        Cluster cluster = Cluster.get(node.system);
        Address address = seed == null ? cluster.selfAddress() : AddressFromURIString.parse(seed);
        cluster.join(address);
        return node;
    }

    String address() {
        return Cluster.get(system).selfAddress().toString();
    }

    /** Starts the entities, wherever their shards are. */
    void wakeEntities() {
        for (int i = 0; i < SHARDS; i++) {
            region.tell(String.valueOf(i), ActorRef.noSender());
        }
    }

    /** Leaves the cluster in order, and waits until that is done. */
    void leave() {
        Systems.terminate(system);
    }

    @Override
    public void close() {
        try {
            system.terminate();
            system.getWhenTerminated()
                    .toCompletableFuture()
                    .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                    .join();
        } finally {
            client.close();
        }
    }

    private static final class EntityIds extends ShardRegion.HashCodeMessageExtractor {
        EntityIds() {
            super(SHARDS);
        }

        @Override
        public String entityId(Object message) {
            return message.toString();
        }
    }
}
