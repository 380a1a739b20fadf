package dev.leasehold.pekko;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoNamespace;
import com.mongodb.client.MongoClient;
import com.typesafe.config.Config;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.LeaseEngine;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.coordination.lease.TimeoutSettings;

/**
 * All that makes one engine differ from another. Leases with equal values share an engine.
 *
 * @param connectionString empty for the client of the application
 */
record EngineConfig(
        String connectionString,
        String database,
        String collection,
        String namespace,
        int partitions,
        long maximumDriftPpm,
        Duration heartbeatTimeout,
        Duration heartbeatInterval,
        Duration operationTimeout) {

    private static final Duration SHORTEST_OPERATION = Duration.ofMillis(100);
    private static final Duration LONGEST_OPERATION = Duration.ofHours(1);
    private static final Duration LONGEST_SESSION = Duration.ofDays(1);
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(10);
    /** The engine lets a transaction take a second more than its budget for commands. */
    private static final Duration ANSWER_ON_ITS_WAY = Duration.ofSeconds(2);

    private static final int PARTITIONS_MAX = 64;
    private static final long DRIFT_PPM_MAX = 999_999;
    /** Its records are looked up by name as soon as it is parsed. */
    private static final String LOOKED_UP = "mongodb+srv:";

    /**
     * Reads and checks them.
     *
     * @param lease of the lease's own path, and behind it what Leasehold's path says
     * @param clientSupplied whether the application has handed a client over
     * @throws IllegalArgumentException if one breaks its rule, or two do not fit
     */
    static EngineConfig of(Config lease, TimeoutSettings timeouts, boolean clientSupplied) {
        checkWhole(lease, "partitions");
        checkWhole(lease, "maximum-drift-ppm");
        checkWhole(lease, "gate-stripes");
        EngineConfig config = new EngineConfig(
                // From a variable with the content of a file it ends with a line break.
                lease.getString("connection-string").strip(),
                lease.getString("database"),
                lease.getString("collection"),
                LeaseNames.checkNamespace(lease.getString("namespace")),
                lease.getInt("partitions"),
                lease.getLong("maximum-drift-ppm"),
                timeouts.getHeartbeatTimeout(),
                timeouts.getHeartbeatInterval(),
                timeouts.getOperationTimeout());
        config.checkPlace(clientSupplied);
        config.checkNumbers();
        config.checkDurations();
        return config;
    }

    /** Read as a whole number, 1.5 would be 1. */
    private static void checkWhole(Config lease, String name) {
        double number = lease.getDouble(name);
        if (number != Math.rint(number)) {
            throw new IllegalArgumentException(
                    name + " = " + lease.getString(name) + " is refused: it must be a whole number");
        }
    }

    private void checkPlace(boolean clientSupplied) {
        if (connectionString.isEmpty() && !clientSupplied) {
            throw new IllegalArgumentException(
                    "connection-string '' is refused: set it to the URI of a MongoDB replica set,"
                            + " or create the actor system with a LeaseholdSetup");
        }
        if (!connectionString.isEmpty() && !connectionString.startsWith(LOOKED_UP)) {
            uri();
        }
        if (database.isEmpty()) {
            throw new IllegalArgumentException("database '' is refused: name the database of the leases");
        }
        try {
            checkNames(new MongoNamespace(database, collection));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "database '" + database + "' with collection '" + collection + "' is refused: " + e.getMessage(),
                    e);
        }
    }

    /** The engine has the same rules, but it starts in the background. */
    private static void checkNames(MongoNamespace place) {
        String collection = place.getCollectionName();
        if (place.getFullName().indexOf('$') >= 0
                || collection.indexOf('\0') >= 0
                || collection.startsWith("system.")) {
            throw new IllegalArgumentException(
                    "neither name may contain '$' or U+0000, and the collection must not begin with 'system.'");
        }
        if (place.getDatabaseName().equals("local") || place.getDatabaseName().equals("config")) {
            throw new IllegalArgumentException("the server runs no transactions in databases of its own");
        }
    }

    private void checkNumbers() {
        if (partitions < 1 || partitions > PARTITIONS_MAX) {
            throw new IllegalArgumentException(
                    "partitions = " + partitions + " is refused: it must be 1 to " + PARTITIONS_MAX);
        }
        if (maximumDriftPpm < 0 || maximumDriftPpm > DRIFT_PPM_MAX) {
            throw new IllegalArgumentException(
                    "maximum-drift-ppm = " + maximumDriftPpm + " is refused: it must be 0 to " + DRIFT_PPM_MAX);
        }
    }

    private void checkDurations() {
        checkRange("lease-operation-timeout", operationTimeout, SHORTEST_OPERATION, LONGEST_OPERATION);
        checkRange("heartbeat-interval", heartbeatInterval, SHORTEST_INTERVAL, LONGEST_SESSION);
        if (heartbeatTimeout.compareTo(LONGEST_SESSION) > 0) {
            throw new IllegalArgumentException(
                    "heartbeat-timeout = " + text(heartbeatTimeout) + " is refused: it must be at most "
                            + text(LONGEST_SESSION) + "; for a lease that does not run out set expires = off");
        }
        if (heartbeatTimeout.compareTo(operationTimeout) <= 0) {
            throw new IllegalArgumentException("heartbeat-timeout = " + text(heartbeatTimeout)
                    + " is refused: it must be longer than lease-operation-timeout, which is "
                    + text(operationTimeout));
        }
        if (heartbeatInterval.multipliedBy(2).compareTo(heartbeatTimeout) >= 0) {
            throw new IllegalArgumentException("heartbeat-interval = " + text(heartbeatInterval)
                    + " is refused: it must be less than half of heartbeat-timeout, which is "
                    + text(heartbeatTimeout));
        }
    }

    private static void checkRange(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    name + " = " + text(value) + " is refused: it must be " + text(least) + " to " + text(most));
        }
    }

    private static String text(Duration duration) {
        return duration.toMillis() + " ms";
    }

    /**
     * Without the words of the driver, which repeat parts of the URI. If a password has a character that should be escaped, they may be parts
     * of that; or the driver takes its beginning for a port and its end for an option, and shows the port in its logs.
     */
    private ConnectionString uri() {
        try {
            ConnectionString uri = new ConnectionString(connectionString);
            if (uri.getUsername() != null || connectionString.indexOf('@') < 0) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            // Refused below.
        }
        throw new IllegalArgumentException("connection-string is refused: it must be"
                + " mongodb://[USER:PASSWORD@]HOST[:PORT][,...][/DATABASE][?OPTIONS] or mongodb+srv://..., with special characters"
                + " in names, passwords and options as %XX. It is not shown here");
    }

    boolean hasClientOfItsOwn() {
        return !connectionString.isEmpty();
    }

    /**
     * Of a client for the engine alone. By itself the driver would look for a server for half a minute, and hold up all that follows; and it
     * would wait without end for one that is frozen. What the URI says of that holds.
     */
    MongoClientSettings clientSettings() {
        ConnectionString uri = uri();
        MongoClientSettings.Builder settings = MongoClientSettings.builder().applyConnectionString(uri);
        if (uri.getServerSelectionTimeout() == null) {
            settings.applyToClusterSettings(
                    cluster -> cluster.serverSelectionTimeout(operationTimeout.toMillis(), TimeUnit.MILLISECONDS));
        }
        if (uri.getSocketTimeout() == null && uri.getTimeout() == null) {
            settings.applyToSocketSettings(
                    socket -> socket.readTimeout((int) answerLimit().toMillis(), TimeUnit.MILLISECONDS));
        }
        return settings.build();
    }

    /** A third of the session, so that it outlives a frozen primary; but longer than any command of the engine may take. */
    private Duration answerLimit() {
        Duration third = heartbeatTimeout.dividedBy(3);
        Duration longestCommand = commandBudget().plus(ANSWER_ON_ITS_WAY);
        return third.compareTo(longestCommand) < 0 ? longestCommand : third;
    }

    private Duration commandBudget() {
        Duration half = operationTimeout.dividedBy(2);
        return half.compareTo(SHORTEST_OPERATION) < 0 ? SHORTEST_OPERATION : half;
    }

    /** Blocks for at most the operation timeout. */
    LeaseEngine start(MongoClient client) {
        return LeaseEngine.builder(client)
                .database(database)
                .collection(collection)
                .namespace(namespace)
                .partitions(partitions)
                .maximumDriftPpm(maximumDriftPpm)
                .sessionLength(heartbeatTimeout)
                .heartbeatPeriod(heartbeatInterval)
                .operationBudget(operationTimeout)
                .commandBudget(commandBudget())
                .closeBudget(operationTimeout)
                .build();
    }

    /** Without the URI, which may contain a password. */
    @Override
    public String toString() {
        return "database '" + database + "', collection '" + collection + "', namespace '" + namespace + "'";
    }
}
