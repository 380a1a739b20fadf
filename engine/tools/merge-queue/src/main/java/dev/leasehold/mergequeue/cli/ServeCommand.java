package dev.leasehold.mergequeue.cli;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoSecurityException;
import com.mongodb.client.MongoClient;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.mergequeue.config.Configuration;
import dev.leasehold.mergequeue.config.ConfigurationException;
import dev.leasehold.mergequeue.config.ConfigurationReader;
import dev.leasehold.mergequeue.config.DurationText;
import dev.leasehold.mergequeue.replica.ReplicaAddress;
import dev.leasehold.mergequeue.replica.ReplicaSettings;
import dev.leasehold.mergequeue.store.ServiceClient;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.ReplicaSetSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Runs a replica until the process is told to end. */
@Command(name = "serve", description = "Runs a replica of the service until the process is told to end.")
public final class ServeCommand implements Callable<Integer> {

    private static final String DATABASE = "leasehold_merge_queue";
    private static final String LOOPBACK = "127.0.0.1";
    private static final String ALL = "0.0.0.0";
    private static final int CANNOT_START = 1;
    private static final int UNAUTHORIZED = 13;
    private static final int AUTHENTICATION_FAILED = 18;
    private static final Duration SELECTION_LIMIT = Duration.ofSeconds(10);
    /** The engine lets a transaction take a second more than its budget for commands. */
    private static final Duration ANSWER_ON_ITS_WAY = Duration.ofSeconds(2);

    private static final Duration SHORTEST_SESSION = Duration.ofSeconds(3);
    private static final Duration LONGEST_SESSION = Duration.ofMinutes(5);

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--config", required = true, paramLabel = "FILE", description = "The configuration, in YAML.")
    private @Nullable Path config;

    @Option(names = "--port", required = true, paramLabel = "N", description = "The port to listen on.")
    private int port;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            description =
                    "The address to listen on. Default: all if the configuration has credentials, else this machine alone.")
    private @Nullable String host;

    @Option(
            names = "--address",
            paramLabel = "URL",
            description =
                    "Under which other replicas reach this one, such as http://replica-1:8080. Default: http, the name of this machine"
                            + " (or --host, if this machine alone can reach that), the port.")
    private @Nullable String address;

    @Option(
            names = "--session-length",
            defaultValue = "15s",
            paramLabel = "DURATION",
            converter = TypedDuration.class,
            description = "After which others take over from a replica that died: 3s to 5m. Default: ${DEFAULT-VALUE}.")
    private Duration sessionLength = Duration.ZERO;

    @ArgGroup(multiplicity = "1")
    private @Nullable Deployment deployment;

    /** Where the documents are. */
    private static final class Deployment {

        @Option(
                names = "--embedded",
                description = "Starts a replica set for this process alone, for a first try. Its data ends with it.")
        private boolean embedded;

        @Option(
                names = "--mongodb-uri",
                paramLabel = "URI",
                description = "Of a replica set or a sharded cluster; the database is that of the URI, or " + DATABASE
                        + ". To keep a password out of the list of processes, write @FILE for the rest of the command"
                        + " line in a file.")
        private @Nullable String uri;
    }

    /** As in the configuration. */
    private static final class TypedDuration implements ITypeConverter<Duration> {

        @Override
        public Duration convert(String text) {
            return DurationText.parse(text)
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is no " + DurationText.RULE));
        }
    }

    /** Made by the command line. */
    public ServeCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        Configuration configuration = configuration();
        if (port < 1 || port > 65_535) {
            throw wrong("--port " + port + " is refused: it must be from 1 to 65535", null);
        }
        if (sessionLength.compareTo(SHORTEST_SESSION) < 0 || sessionLength.compareTo(LONGEST_SESSION) > 0) {
            throw wrong("--session-length " + sessionLength.toMillis() + "ms is refused: it must be 3s to 5m", null);
        }
        URI reached = address(host(configuration));
        Deployment where = Objects.requireNonNull(deployment);
        if (!where.embedded) {
            return serve(configuration, reached, connection(Objects.requireNonNull(where.uri)), Service::close);
        }
        // Asked for as a process, since what would start a container is not in the jar.
        try (ReplicaSet set = ReplicaSet.start(
                ReplicaSetSettings.ofNodes(1).withParameter("transactionLifetimeLimitSeconds", "60"))) {
            // The set ends with the process as well, at the same time, so there is nothing to be given back to.
            return serve(configuration, reached, new ConnectionString(set.uri()), Service::closeWithItsDatabase);
        }
    }

    private Configuration configuration() {
        Path file = Objects.requireNonNull(config);
        try {
            return new ConfigurationReader(System.getenv()).read(Files.readString(file));
        } catch (IOException e) {
            throw wrong("configuration " + file + " cannot be read: " + e, e);
        } catch (ConfigurationException e) {
            throw wrong("configuration " + file + ", " + e.getMessage(), e);
        }
    }

    private ConnectionString connection(String uri) {
        ConnectionString connection;
        try {
            connection = new ConnectionString(uri);
        } catch (IllegalArgumentException e) {
            // Without the words of the driver, which repeat parts of the URI, and that may contain a password.
            throw wrong(
                    "--mongodb-uri is refused: it must begin with mongodb:// or mongodb+srv:// and have special characters in names"
                            + " and passwords as %XX",
                    null);
        }
        if (hasRestOfAPassword(connection)) {
            throw wrong(
                    "--mongodb-uri is refused: a '/', '?' or '@' in a name, a password or an option must be written as %XX",
                    null);
        }
        return connection;
    }

    /**
     * A '/' or '?' in a password ends it for the driver: what stands before would be shown as a port, and the rest as a database, or be
     * passed over as an option.
     */
    private static boolean hasRestOfAPassword(ConnectionString connection) {
        boolean withoutUser = connection.getUsername() == null
                && connection.getConnectionString().indexOf('@') >= 0;
        return withoutUser
                || Stream.of(connection.getDatabase(), connection.getCollection())
                        .anyMatch(name -> name != null && name.indexOf('@') >= 0);
    }

    private ParameterException wrong(String message, @Nullable Exception cause) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), message, cause);
    }

    private int serve(Configuration configuration, URI reached, ConnectionString uri, Consumer<Service> end)
            throws InterruptedException {
        String database = Optional.ofNullable(uri.getDatabase()).orElse(DATABASE);
        ReplicaSettings settings = new ReplicaSettings(database, reached, sessionLength);
        PrintWriter err = Objects.requireNonNull(spec).commandLine().getErr();
        if (configuration.credentials().isEmpty() && !isLoopback(host(configuration))) {
            err.println("warning: the configuration has no authentication, so each client that reaches "
                    + host(configuration) + " may acquire, release and clear");
            err.flush();
        }
        MongoClient client = ServiceClient.open(clientSettings(uri, settings.commandBudget()));
        Service service;
        try {
            service = Service.start(client, configuration, settings, host(configuration), port);
        } catch (IOException | LeaseException | MongoException e) {
            client.close();
            err.println("cannot start: " + reason(e, database));
            err.flush();
            return CANNOT_START;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            end.accept(service);
            client.close();
        }));
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        out.println("serving at " + settings.address());
        out.flush();
        // Until the process is told to end.
        new CountDownLatch(1).await();
        return 0;
    }

    /**
     * A start against a database that is not there should not take the driver's half a minute, and a frozen primary should not keep the service
     * from the next one, unless the URI says so.
     */
    private static MongoClientSettings clientSettings(ConnectionString uri, Duration commandBudget) {
        MongoClientSettings.Builder builder = MongoClientSettings.builder().applyConnectionString(uri);
        if (uri.getServerSelectionTimeout() == null) {
            builder.applyToClusterSettings(
                    cluster -> cluster.serverSelectionTimeout(SELECTION_LIMIT.toMillis(), TimeUnit.MILLISECONDS));
        }
        if (uri.getSocketTimeout() == null && uri.getTimeout() == null) {
            Duration limit = commandBudget.plus(ANSWER_ON_ITS_WAY);
            builder.applyToSocketSettings(socket -> socket.readTimeout((int) limit.toMillis(), TimeUnit.MILLISECONDS));
        }
        return builder.build();
    }

    private static String reason(Exception failure, String database) {
        Throwable cause = failure;
        while (cause.getCause() != null && !(cause instanceof MongoCommandException)) {
            cause = cause.getCause();
        }
        if (cause instanceof MongoSecurityException
                || cause instanceof MongoCommandException command
                        && (command.getErrorCode() == UNAUTHORIZED
                                || command.getErrorCode() == AUTHENTICATION_FAILED)) {
            return "the database refuses the user of --mongodb-uri: it needs the role readWrite on database '"
                    + database + "'";
        }
        return String.valueOf(failure.getMessage());
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private String host(Configuration configuration) {
        if (host != null) {
            return host;
        }
        return configuration.credentials().isEmpty() ? LOOPBACK : ALL;
    }

    /** What listens for this machine alone is reached where it listens, and not under the name of the machine. */
    URI address(String listening) {
        if (address != null) {
            return ReplicaAddress.parse(address)
                    .orElseThrow(() ->
                            wrong("--address '" + address + "' is refused: it must be " + ReplicaAddress.RULE, null));
        }
        return usualAddress(isLoopback(listening) ? inUrl(listening) : hostName());
    }

    private static String inUrl(String host) {
        return host.indexOf(':') < 0 || host.startsWith("[") ? host : "[" + host + "]";
    }

    /** The name of a machine may have characters that the host of a URL may not, such as '_'. */
    URI usualAddress(String name) {
        return ReplicaAddress.parse("http://" + name + ":" + port)
                .orElseThrow(() -> wrong(
                        "the name of this machine, '" + name
                                + "', cannot be part of an address: give --address, which must be "
                                + ReplicaAddress.RULE,
                        null));
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
