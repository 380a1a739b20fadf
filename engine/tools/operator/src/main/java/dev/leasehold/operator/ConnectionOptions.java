package dev.leasehold.operator;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the leases are. Nothing of the connection string is ever shown: not in the help, in errors or in logs. */
final class ConnectionOptions {

    private static final String URI = "LEASEHOLD_URI";
    private static final String DATABASE = "LEASEHOLD_DATABASE";
    private static final String COLLECTION = "LEASEHOLD_COLLECTION";
    private static final String NAMESPACE = "LEASEHOLD_NAMESPACE";

    /** Beyond the limit that the server has been told. An await of a change stream takes half a second. */
    private static final Duration ANSWER_ON_ITS_WAY = Duration.ofSeconds(1);

    @Option(
            names = "--uri",
            paramLabel = "URI",
            description = "Connection string of the replica set. Better given as the environment variable " + URI
                    + ", since the arguments of a process can be seen by others on the machine.")
    private @Nullable String uri;

    @Option(
            names = {"-d", "--database"},
            paramLabel = "NAME",
            description = "Database of the leases; else " + DATABASE + ", else the one in the connection string.")
    private @Nullable String database;

    @Option(
            names = "--collection",
            paramLabel = "NAME",
            description = "Collection of the leases; else " + COLLECTION + ", else 'leases'.")
    private @Nullable String collection;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "Namespace of the leases; else " + NAMESPACE + ".")
    private @Nullable String namespace;

    @Option(
            names = "--drift-ppm",
            paramLabel = "PPM",
            defaultValue = "1000",
            description = "The drift bound that the engines of the namespace are built with; default ${DEFAULT-VALUE}.")
    private long driftPpm;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = DurationText.class,
            description = "For how long an operation lasts at the most, and how long a server is waited for; default"
                    + " ${DEFAULT-VALUE}.")
    private Duration timeout = Duration.ofSeconds(10);

    /** Connects; sends nothing yet. */
    Connection open(Map<String, String> environment) {
        if (timeout.compareTo(Duration.ofMillis(100)) < 0 || timeout.compareTo(Duration.ofHours(1)) > 0) {
            throw new UsageException("--timeout must be 100ms to 1h, and is " + timeout.toMillis() + "ms");
        }
        // What comes from a file of a secret ends with a line break, which the driver would take for a part of a name.
        ConnectionString server =
                parsed(required(uri, environment.get(URI), "--uri or " + URI).strip());
        refuseRestOfAPassword(server);
        return new Connection(
                settings(server),
                required(first(database, environment.get(DATABASE)), server.getDatabase(), "--database or " + DATABASE),
                required(first(collection, environment.get(COLLECTION)), "leases", "--collection"),
                required(namespace, environment.get(NAMESPACE), "--namespace or " + NAMESPACE),
                driftPpm,
                timeout);
    }

    /** What the driver says of a connection string that is wrong may contain parts of it. */
    private static ConnectionString parsed(String uri) {
        try {
            return new ConnectionString(uri);
        } catch (RuntimeException e) {
            throw new UsageException("the connection string is none that MongoDB's driver understands: it must begin"
                    + " with mongodb:// or mongodb+srv:// and have special characters of user and password"
                    + " percent-encoded. It is not shown here");
        }
    }

    /**
     * A '/' or '?' in a password ends it for the driver: what stands before would be shown as a port, and the rest as a database, or be
     * passed over as an option.
     */
    private static void refuseRestOfAPassword(ConnectionString server) {
        String name = server.getDatabase();
        String in = server.getCollection();
        boolean withoutUser =
                server.getUsername() == null && server.getConnectionString().indexOf('@') >= 0;
        if (withoutUser || name != null && name.indexOf('@') >= 0 || in != null && in.indexOf('@') >= 0) {
            throw new UsageException(
                    "the connection string has an '@' that stands behind no user: is there a '/' or '?' in the password?"
                            + " Special characters of user, password and options must be percent-encoded. It is not shown here");
        }
    }

    /** Without a limit of its own, the driver would wait for a server that is frozen for as long as it is. */
    private MongoClientSettings settings(ConnectionString server) {
        MongoClientSettings.Builder settings = MongoClientSettings.builder().applyConnectionString(server);
        if (server.getApplicationName() == null) {
            settings.applicationName("leasehold-operator");
        }
        return settings.applyToClusterSettings(
                        cluster -> cluster.serverSelectionTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS))
                .applyToSocketSettings(socket -> socket.connectTimeout((int) timeout.toMillis(), TimeUnit.MILLISECONDS)
                        .readTimeout((int) timeout.plus(ANSWER_ON_ITS_WAY).toMillis(), TimeUnit.MILLISECONDS))
                .build();
    }

    private static @Nullable String first(@Nullable String option, @Nullable String other) {
        return option == null || option.isBlank() ? other : option;
    }

    private static String required(@Nullable String option, @Nullable String other, String names) {
        String value = first(option, other);
        if (value == null || value.isBlank()) {
            throw new UsageException(names + " is missing");
        }
        return value;
    }
}
