package dev.leasehold.replicaset;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.bson.Document;

/**
 * A fresh, empty database of a {@link ReplicaSet} under a name of its own. When it is closed, its fail
 * points are switched off, its clients are closed, transactions that they left open are ended, its users are removed, and
 * the database is dropped. Safe for use by many threads.
 */
public final class TestDatabase implements AutoCloseable {

    /** Not for ever, where a transaction holds one of its documents. */
    private static final int DROP_MILLIS_MAX = 10_000;

    private final ReplicaSet set;
    private final String name =
            "leasehold_" + UUID.randomUUID().toString().substring(0, 13).replace('-', '_');
    private final DatabaseUsers users = new DatabaseUsers(this);
    private final Set<String> appNames = ConcurrentHashMap.newKeySet();
    private final Queue<MongoClient> clients = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedDeque<ActiveFailPoint> failPoints = new ConcurrentLinkedDeque<>();
    private final AtomicBoolean open = new AtomicBoolean(true);

    TestDatabase(ReplicaSet set) {
        this.set = set;
        appNames.add(name);
    }

    /**
     * The name of the database, and of the clients that are meant for it: {@link FailPoint#forAppName} with it touches
     * no other test.
     *
     * @return letters, digits and underscores
     */
    public String name() {
        return name;
    }

    /**
     * The set that it is in.
     *
     * @return the set
     */
    public ReplicaSet set() {
        return set;
    }

    /**
     * Where it is: the URI of the set, with this database and with {@link #name()} as the client's name. In a set with
     * authentication that is for the administrator; a {@link DatabaseUser} has a URI of its own.
     *
     * @return a MongoDB URI
     */
    public String uri() {
        return DatabaseUri.of(set.uri(), name, name);
    }

    /**
     * The client that all tests share, to look at the documents. It is not meant to be closed.
     *
     * @return the client of the set
     */
    public MongoClient client() {
        return set.client();
    }

    /**
     * This database, seen by the client that all tests share.
     *
     * @return the database
     */
    public MongoDatabase database() {
        return client().getDatabase(name);
    }

    /**
     * A client with settings as in {@link #uri()}, closed together with this database.
     *
     * @return a new client
     */
    public MongoClient newClient() {
        return newClient(builder -> {});
    }

    /**
     * A client that differs from {@link #newClient()}, for instance in its timeouts or listeners.
     *
     * @param customiser changes the settings
     * @return a new client, closed together with this database
     */
    public MongoClient newClient(Consumer<MongoClientSettings.Builder> customiser) {
        MongoClientSettings.Builder builder =
                MongoClientSettings.builder().applyConnectionString(new ConnectionString(uri()));
        customiser.accept(builder);
        MongoClientSettings settings = builder.build();
        appNames.add(Objects.requireNonNullElse(settings.getApplicationName(), name));
        MongoClient client = MongoClients.create(settings);
        clients.add(client);
        return client;
    }

    /**
     * Makes a user of this database that has roles of the server's.
     *
     * @param roles on this database, such as {@code readWrite}
     * @return a new user, removed together with this database
     * @throws IllegalStateException if the set has no authentication, so that every user would have all rights
     */
    public DatabaseUser newUser(String... roles) {
        return users.withRoles(List.of(roles));
    }

    /**
     * Makes a user of this database that may do exactly what is said.
     *
     * @param privileges in this database
     * @return a new user, removed together with this database
     * @throws IllegalStateException if the set has no authentication, so that every user would have all rights
     */
    public DatabaseUser newUser(Privilege... privileges) {
        return users.withPrivileges(List.of(privileges));
    }

    /**
     * Switches on a fail point of the node that is the primary now, until this database is closed.
     *
     * @param failPoint what is to fail
     * @return the means to count its hits, and to switch it off earlier
     */
    public ActiveFailPoint activate(FailPoint failPoint) {
        ActiveFailPoint active = set.activate(failPoint);
        failPoints.push(active);
        return active;
    }

    /**
     * Ends everything that belongs to this database, and drops it; also in a thread that was interrupted.
     *
     * @throws com.mongodb.MongoExecutionTimeoutException if it cannot be dropped, because a client under a name that is
     *     unknown here has left a transaction open
     */
    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            Closing.uninterrupted(this::end);
        }
    }

    private void end() {
        failPoints.forEach(ActiveFailPoint::close);
        clients.forEach(MongoClient::close);
        OpenTransactions.end(client(), appNames, set.hasAuthentication());
        users.removeAll();
        database().runCommand(new Document("dropDatabase", 1).append("maxTimeMS", DROP_MILLIS_MAX));
    }
}
