package dev.leasehold.operator;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.operator.doctor.Doctor;
import dev.leasehold.operator.doctor.LeaseLocation;
import dev.leasehold.operator.serve.Observer;
import dev.leasehold.operator.serve.PageServer;
import dev.leasehold.operator.serve.Site;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The page. */
@Command(
        name = "serve",
        description = {
            "Serves a page on this machine, with leases, engines and what happens, until it is interrupted.",
            "It shows, and does nothing else unless orders are allowed.",
            "The namespace may be several, as in a,b, or * for all that the collection has."
        },
        mixinStandardHelpOptions = true)
final class ServeCommand extends DatabaseCommand {

    private static final String ALL = "*";
    private static final Duration EXAMINATION_EVERY = Duration.ofMinutes(1);
    private static final Duration EXAMINATION_LOOK = Duration.ofSeconds(5);
    private static final int PORT_MAX = 65_535;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "7117",
            description = "Where to listen; default ${DEFAULT-VALUE}, 0 for any that is free.")
    private int port = 7_117;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description =
                    "The address to listen on; default ${DEFAULT-VALUE}, this machine alone. On any other one, every client that reaches it"
                            + " can read: there are no users and no encryption.")
    private String bind = "127.0.0.1";

    @Option(
            names = "--name",
            paramLabel = "HOST",
            description = "A name under which browsers ask for the page, on any port, besides that of this machine and"
                    + " addresses; may be repeated. Under"
                    + " other names it is not served, so that no foreign page can read it.")
    private List<String> names = List.of();

    @Option(
            names = "--allow-orders",
            description =
                    "Lets the page pin, unpin and end tenures. Only on this machine; for another one take an ssh tunnel.")
    private boolean allowOrders;

    @Option(
            names = "--every",
            paramLabel = "DURATION",
            defaultValue = "2s",
            converter = DurationText.class,
            description = "From one look at the database to the next; default ${DEFAULT-VALUE}.")
    private Duration every = Duration.ofSeconds(2);

    @Option(
            names = "--for",
            paramLabel = "DURATION",
            converter = DurationText.class,
            description = "Ends after so long.")
    private @Nullable Duration longest;

    ServeCommand(CommandContext context) {
        super(context);
    }

    /**
     * What is printed as JSON.
     *
     * @param url where the page is
     * @param orders whether they are allowed
     */
    record Served(String url, boolean orders) {}

    @Override
    ExitCode run(Connection open) throws IOException, InterruptedException {
        InetSocketAddress address = address();
        List<Site> sites = new ArrayList<>();
        try (PageServer server = server(address, open, sites)) {
            print(
                    json()
                            ? Json.line(new Served(server.url(), allowOrders))
                            : "Serving " + server.url() + (allowOrders ? ", orders allowed" : ", to look at only"));
            CountDownLatch never = new CountDownLatch(1);
            if (longest == null) {
                never.await();
            } else {
                never.await(longest.toMillis(), TimeUnit.MILLISECONDS);
            }
        } finally {
            sites.forEach(site -> site.observer().close());
        }
        return ExitCode.DONE;
    }

    /** The port is taken first: without it nothing else begins. */
    private PageServer server(InetSocketAddress address, Connection open, List<Site> sites) throws IOException {
        requireFree(address);
        for (String namespace : namespaces(open)) {
            sites.add(site(open.of(namespace)));
        }
        return new PageServer(address, Set.copyOf(names), sites);
    }

    private static void requireFree(InetSocketAddress address) throws IOException {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(address);
        } catch (BindException e) {
            throw new UsageException("cannot listen on " + address.getAddress().getHostAddress() + " port "
                    + address.getPort() + ": " + e.getMessage() + ". --port 0 takes any that is free");
        }
    }

    private static List<String> namespaces(Connection open) {
        if (open.namespace().equals(ALL)) {
            List<String> all = List.copyOf(open.namespaces());
            if (all.isEmpty()) {
                throw new UsageException("there is no namespace in this collection yet: name one");
            }
            return all;
        }
        return Arrays.stream(open.namespace().split(","))
                .map(namespace -> LeaseNames.checkNamespace(namespace.strip()))
                .distinct()
                .toList();
    }

    private Site site(Connection of) {
        LeaseLocation place =
                new LeaseLocation(of.client(), of.database(), of.collection(), of.namespace(), of.timeout());
        Observer observer = new Observer(
                of.inspector(),
                atLeast(every),
                () -> new Doctor(place, of::inspector, EXAMINATION_LOOK)
                        .examine().stream().map(DoctorCommand::redacted).toList(),
                EXAMINATION_EVERY,
                Failures::describe);
        return new Site(observer, allowOrders ? new ConnectedOrders(of) : null);
    }

    private static Duration atLeast(Duration wanted) {
        Duration least = Duration.ofMillis(100);
        return wanted.compareTo(least) < 0 ? least : wanted;
    }

    private InetSocketAddress address() {
        if (port < 0 || port > PORT_MAX) {
            throw new UsageException("--port must be 0 to " + PORT_MAX + ", and is " + port);
        }
        try {
            InetAddress address = InetAddress.getByName(bind);
            if (allowOrders && !address.isLoopbackAddress()) {
                throw new UsageException(
                        "--allow-orders is only for this machine: there are no users and no encryption."
                                + " From another machine, use an ssh tunnel");
            }
            return new InetSocketAddress(address, port);
        } catch (UnknownHostException e) {
            throw new UsageException("--bind " + LeaseNames.visible(bind) + " is no address of this machine");
        }
    }
}
