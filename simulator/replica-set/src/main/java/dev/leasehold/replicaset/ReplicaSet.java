package dev.leasehold.replicaset;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A real MongoDB replica set of one or three nodes.
 *
 * <pre>{@code
 * try (ReplicaSet set = ReplicaSet.start(3)) {
 *     set.client().getDatabase("shop").getCollection("orders").insertOne(order);
 *     set.primary().kill();
 *     System.out.println("now " + set.primary());
 * }
 * }</pre>
 *
 * <p>Where the server comes from is decided once per JVM and said in one line on standard error. The package comment
 * lists the ways.
 *
 * <p>Nodes that this JVM started end with it, and their data is deleted. What a JVM that was killed leaves behind is
 * cleaned up when the next one starts a set.
 *
 * <p>Safe for use by many threads. Every method that waits throws {@link ReplicaSetUnavailableException} when its
 * thread is interrupted, with the interrupt flag set; only {@link #close()} goes on to its end. Limits are in this
 * JVM's clock.
 */
public final class ReplicaSet implements AutoCloseable {

    private static final Duration READY_LIMIT = Duration.ofSeconds(60);
    private static final ReentrantLock STARTING_SHARED = new ReentrantLock();
    private static @Nullable ReplicaSet shared;

    private final Deployment deployment;
    private final boolean authentication;
    private final MongoClient client;
    private final AtomicBoolean open = new AtomicBoolean(true);

    private ReplicaSet(Deployment deployment, boolean authentication) {
        this.deployment = deployment;
        this.authentication = authentication;
        this.client = Closing.uninterrupted(() -> MongoClients.create(deployment.uri()));
    }

    /**
     * Starts a set of one's own. Returns when it has a primary that takes writes, and all other nodes follow it. The
     * nodes replace a primary that they have not heard of for two seconds. If an existing replica set is configured,
     * that one is used instead; then it is not of one's own.
     *
     * @param nodes 1 or 3
     * @return the set; to be closed by the caller
     * @throws ReplicaSetUnavailableException if there is no server, or if it does not start
     */
    public static ReplicaSet start(int nodes) {
        return start(ReplicaSetSettings.ofNodes(nodes));
    }

    /**
     * Starts a set of one's own as {@link #start(int)} does, with more settings. Authentication and parameters can be had
     * only with processes on this machine: a container is passed over for that, and it is an error if an existing replica
     * set is configured.
     *
     * @param settings of the set
     * @return the set; to be closed by the caller
     * @throws ReplicaSetUnavailableException if there is no server that can be started so, or if it does not start
     */
    public static ReplicaSet start(ReplicaSetSettings settings) {
        ReplicaSet set = new ReplicaSet(deploy(Search.inThisJvm(settings), settings), settings.authentication());
        try {
            set.awaitAllAtWork(READY_LIMIT);
            return set;
        } catch (RuntimeException e) {
            set.close();
            throw e;
        }
    }

    /**
     * The set of one node that all of this JVM share. The first call starts it; it ends with the JVM, or when a test
     * closes it, after which the next call starts another one.
     *
     * @return a running set, which the caller should leave open
     * @throws ReplicaSetUnavailableException if there is no server, or if it does not start
     */
    public static ReplicaSet shared() {
        STARTING_SHARED.lock();
        try {
            if (shared == null || !shared.open.get()) {
                shared = start(1);
            }
            return shared;
        } finally {
            STARTING_SHARED.unlock();
        }
    }

    /**
     * Where the set is.
     *
     * @return a MongoDB URI without a database. It may contain the password of an existing replica set, or of the
     *     administrator of a set with authentication.
     */
    public String uri() {
        return deployment.uri();
    }

    /**
     * A client with the driver's default settings, closed together with the set. In a set of one's own it has all rights.
     *
     * @return always the same client
     */
    public MongoClient client() {
        return client;
    }

    /**
     * All nodes, those that are down included.
     *
     * @return in the order of their index
     */
    public List<Node> nodes() {
        return List.copyOf(deployment.nodes());
    }

    /**
     * One node.
     *
     * @param index from 0
     * @return the node
     * @throws IndexOutOfBoundsException if there is no such node
     */
    public Node node(int index) {
        return deployment.nodes().get(index);
    }

    /**
     * The node that is the primary; waits up to a minute for one.
     *
     * @return of those that run and take themselves for the primary, the one that was elected last
     * @throws ReplicaSetUnavailableException if there is none for a minute
     */
    public Node primary() {
        return awaitPrimary(READY_LIMIT);
    }

    /**
     * Waits for a primary that takes writes. A node that was killed or paused through its {@link Node} is not asked.
     *
     * @param limit how long to wait
     * @return of those that run and take themselves for the primary, the one that was elected last
     * @throws ReplicaSetUnavailableException if there is none within the limit
     */
    public Node awaitPrimary(Duration limit) {
        return Awaiting.answer("a primary", limit, this::findPrimary);
    }

    /**
     * The primary, without waiting.
     *
     * @return nothing if no node takes itself for the primary
     */
    public Optional<Node> findPrimary() {
        Optional<Map.Entry<Node, NodeView>> latest = nodes().stream()
                .flatMap(node -> node.view().filter(NodeView::isPrimary).map(view -> Map.entry(node, view)).stream())
                .max(Comparator.comparing(entry -> entry.getValue().election()));
        return latest.map(Map.Entry::getKey);
    }

    /**
     * Undoes all faults of processes: paused nodes go on, nodes that are gone are restarted. Returns when there is a
     * primary that takes writes and all other nodes follow it. Fail points stay as they are.
     *
     * @throws ReplicaSetUnavailableException if that is not reached within a minute
     * @throws UnsupportedOperationException if a node is gone that cannot be restarted
     */
    public void heal() {
        deployment.revive();
        awaitAllAtWork(READY_LIMIT);
    }

    /**
     * Switches on a fail point of the node that is the primary now. It stays with that node, whichever is elected next.
     *
     * @param failPoint what is to fail
     * @return the means to count its hits, and to switch it off
     * @throws UnsupportedOperationException if the server runs without {@code enableTestCommands=1}
     */
    public ActiveFailPoint activate(FailPoint failPoint) {
        return primary().activate(failPoint);
    }

    /**
     * Keeps from all other nodes what the primary writes from now on, until the result is closed. They do not stand for
     * election meanwhile, however long the machine stops, since that would take it back. A test that wants it lost kills
     * the primary before it closes the result.
     *
     * @return the means to let them follow
     * @throws UnsupportedOperationException if the server runs without {@code enableTestCommands=1}
     */
    public StoppedReplication stopReplication() {
        Node primary = primary();
        return StoppedReplication.at(
                nodes().stream().filter(node -> node != primary).toList());
    }

    /**
     * A database under a name of its own.
     *
     * @return a database without collections; to be closed before the set
     */
    public TestDatabase newDatabase() {
        return new TestDatabase(this);
    }

    /**
     * Ends the nodes and deletes their data; an existing replica set is left alone. Does nothing the second time. Never
     * waits for clients: their next commands fail.
     */
    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            Closing.uninterrupted(() -> {
                client.close();
                deployment.close();
            });
        }
    }

    /** Whether users can be made that have fewer rights than others. */
    boolean hasAuthentication() {
        return authentication;
    }

    private void awaitAllAtWork(Duration limit) {
        awaitPrimary(limit);
        for (Node node : nodes()) {
            Awaiting.answer(
                    node + " to be primary or secondary",
                    limit,
                    () -> node.view().filter(NodeView::isAtWork));
        }
    }

    private static Deployment deploy(Server server, ReplicaSetSettings settings) {
        try {
            if (server instanceof Server.Existing existing) {
                return ForeignDeployment.open(existing.uri(), settings.nodes());
            }
            return server instanceof Server.Binary binary
                    ? LocalDeployment.start(binary.mongod(), settings)
                    : DockerDeployment.start();
        } catch (IOException e) {
            throw new ReplicaSetUnavailableException("no replica set: " + e, e);
        }
    }
}
