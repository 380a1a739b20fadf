package dev.leasehold.bench.server;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.leasehold.bench.adapters.ServerAddresses;
import dev.leasehold.replicaset.ReplicaSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** All servers of a run: the replica set, and those of peers that are on the {@code PATH}. Used by one thread, and closed by another one if
 * the process is ended. */
public final class Servers implements AutoCloseable {

    private static final int NODES = 3;

    private static final long DELETION_PATIENCE_NANOS = 5_000_000_000L;
    private static final long POLL_MILLIS = 100;

    /** Also closed at the end of the process. */
    private final Deque<AutoCloseable> running = new ConcurrentLinkedDeque<>();

    private final List<String> lines = new ArrayList<>();
    private final Path folder;
    private @Nullable String etcd;
    private @Nullable String zooKeeper;
    private @Nullable String redis;
    private @Nullable String postgres;
    private boolean isOwnSet;
    private String mongo = "";

    private Servers(Path folder) {
        this.folder = folder;
    }

    /**
     * Starts them.
     *
     * @param uri of a replica set that is there; null to start one
     * @throws dev.leasehold.replicaset.ReplicaSetUnavailableException if none can be started
     */
    public static Servers start(@Nullable String uri) throws IOException, InterruptedException {
        Servers servers = new Servers(Files.createTempDirectory("leasehold-bench"));
        Runtime.getRuntime().addShutdownHook(new Thread(servers::close, "end of the servers"));
        try {
            servers.mongo = uri == null ? servers.startReplicaSet() : uri;
            servers.startPeers();
            return servers;
        } catch (InterruptedException | RuntimeException e) {
            servers.close();
            throw e;
        }
    }

    private String startReplicaSet() {
        ReplicaSet set = ReplicaSet.start(NODES);
        running.push(set);
        isOwnSet = true;
        return set.uri();
    }

    private void startPeers() throws InterruptedException {
        etcd = startPeer("etcd", Etcd::start, "etcd");
        // Its server comes with the benchmark, so it takes part wherever three more JVMs can run.
        zooKeeper = startPeer("zookeeper", ZooKeeper::start);
        redis = startPeer("redis-server", Redis::start, "redis-server");
        postgres = startPeer("postgres", Postgres::start, "initdb", "postgres");
    }

    /** Returns where its clients find it; null if it cannot be started: everything else can be measured without it. */
    private @Nullable String startPeer(String name, PeerServer.Start start, String... programs)
            throws InterruptedException {
        List<Path> found = Stream.of(programs)
                .flatMap(program -> OnPath.find(program).stream())
                .toList();
        if (found.size() < programs.length) {
            lines.add("no " + String.join(" and ", programs) + " on the PATH: "
                    + (programs.length == 1 ? "its" : "their") + " peer is left out");
            return null;
        }
        try {
            PeerServer server = PeerServer.start(start, found, folder);
            running.push(server);
            lines.add(name + " takes part");
            return server.address();
        } catch (IOException | RuntimeException e) {
            lines.add(name + " is of no use, its peer is left out: " + e.getMessage());
            return null;
        }
    }

    /** {@return what takes part, for people} */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /** {@return where they are, with a database that was never used} */
    public ServerAddresses place() {
        return new ServerAddresses(
                mongo, "leasehold_bench_" + ProcessHandle.current().pid(), etcd, zooKeeper, redis, postgres);
    }

    /** {@return where the replica set is, in a sentence} */
    public String sentence() {
        return isOwnSet
                ? "Everything ran on this one machine: three mongod, their clients, and the servers of the peers."
                : "The replica set was one that was there before; the clients and the servers of the peers ran on this machine.";
    }

    /** {@return the version of the MongoDB server} */
    public String mongoVersion() {
        try (MongoClient client = MongoClients.create(mongo)) {
            return client.getDatabase("admin")
                    .runCommand(new Document("buildInfo", 1))
                    .getString("version");
        }
    }

    @Override
    public void close() {
        for (AutoCloseable server = running.poll(); server != null; server = running.poll()) {
            try {
                server.close();
            } catch (Exception e) {
                System.err.println("a server was not ended: " + e);
            }
        }
        deleteFolder();
    }

    /** Children of a server that was killed may write for a moment after it. */
    private void deleteFolder() {
        long startNanos = System.nanoTime();
        Optional<IOException> failure = tryToDeleteFolder();
        while (failure.isPresent() && System.nanoTime() - startNanos < DELETION_PATIENCE_NANOS) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
            failure = tryToDeleteFolder();
        }
        failure.ifPresent(thrown -> System.err.println("folder " + folder + " was not deleted: " + thrown));
    }

    private Optional<IOException> tryToDeleteFolder() {
        if (!Files.exists(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(e);
        } catch (UncheckedIOException e) {
            return Optional.ofNullable(e.getCause());
        }
    }
}
