package dev.leasehold.mergequeue.cli;

import com.mongodb.ConnectionString;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.leasehold.mergequeue.config.Configuration;
import dev.leasehold.mergequeue.config.ConfigurationException;
import dev.leasehold.mergequeue.config.ConfigurationReader;
import dev.leasehold.mergequeue.replica.ReplicaSettings;
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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a replica until the process is told to end. */
@Command(name = "serve", description = "Runs a replica of the service until the process is told to end.")
public final class ServeCommand implements Callable<Integer> {

    private static final String DATABASE = "leasehold_merge_queue";
    private static final Duration SHORTEST_SESSION = Duration.ofSeconds(3);
    private static final Duration LONGEST_SESSION = Duration.ofMinutes(5);

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--config", required = true, paramLabel = "FILE", description = "The configuration, in YAML.")
    private @Nullable Path config;

    @Option(names = "--port", required = true, paramLabel = "N", description = "The port to listen on.")
    private int port;

    @Option(names = "--host", defaultValue = "0.0.0.0", description = "The address to listen on. Default: all.")
    private String host = "";

    @Option(
            names = "--address",
            paramLabel = "URL",
            description =
                    "Under which other replicas reach this one. Default: http, the name of this machine, the port.")
    private @Nullable URI address;

    @Option(
            names = "--session-length",
            defaultValue = "PT15S",
            paramLabel = "DURATION",
            description =
                    "After which others take over from a replica that died: 3 s to 5 min. Default: ${DEFAULT-VALUE}.")
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

    /** Made by the command line. */
    public ServeCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        Configuration configuration = configuration();
        if (sessionLength.compareTo(SHORTEST_SESSION) < 0 || sessionLength.compareTo(LONGEST_SESSION) > 0) {
            throw wrong("--session-length " + sessionLength + " is refused: it must be PT3S to PT5M", null);
        }
        Deployment where = Objects.requireNonNull(deployment);
        if (!where.embedded) {
            return serve(configuration, connection(Objects.requireNonNull(where.uri)));
        }
        // Asked for as a process, since what would start a container is not in the jar.
        try (ReplicaSet set = ReplicaSet.start(
                ReplicaSetSettings.ofNodes(1).withParameter("transactionLifetimeLimitSeconds", "60"))) {
            return serve(configuration, new ConnectionString(set.uri()));
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
        try {
            return new ConnectionString(uri);
        } catch (IllegalArgumentException e) {
            // Without the URI, which may contain a password.
            throw wrong("--mongodb-uri is refused: " + e.getMessage(), e);
        }
    }

    private ParameterException wrong(String message, @Nullable Exception cause) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), message, cause);
    }

    private int serve(Configuration configuration, ConnectionString uri) throws InterruptedException {
        String database = Optional.ofNullable(uri.getDatabase()).orElse(DATABASE);
        ReplicaSettings settings = new ReplicaSettings(database, address(), sessionLength);
        MongoClient client = MongoClients.create(uri);
        Service service = Service.start(client, configuration, settings, host, port);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            service.close();
            client.close();
        }));
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        out.println("serving at " + settings.address());
        out.flush();
        // Until the process is told to end.
        new CountDownLatch(1).await();
        return 0;
    }

    private URI address() {
        if (address != null) {
            String text = address.toString();
            return URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
        }
        return URI.create("http://" + hostName() + ":" + port);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
