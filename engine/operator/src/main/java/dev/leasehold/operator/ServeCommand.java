package dev.leasehold.operator;

import dev.leasehold.engine.LeaseInspector;
import dev.leasehold.operator.serve.Observer;
import dev.leasehold.operator.serve.Orders;
import dev.leasehold.operator.serve.PageServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
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
            "It shows, and does nothing else unless orders are allowed."
        },
        mixinStandardHelpOptions = true)
final class ServeCommand extends DatabaseCommand {

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
                    "The address to listen on; default ${DEFAULT-VALUE}, this machine alone. On any other one, whoever reaches it"
                            + " can read: there are no users and no encryption.")
    private String bind = "127.0.0.1";

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

    ServeCommand(Surroundings surroundings) {
        super(surroundings);
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
        Orders orders = allowOrders ? new ConnectedOrders(open) : null;
        try (LeaseInspector inspector = open.inspector();
                Observer observer = new Observer(inspector, atLeast(every), Failures::words);
                PageServer server = new PageServer(address, observer, orders)) {
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
        }
        return ExitCode.DONE;
    }

    private static Duration atLeast(Duration wanted) {
        Duration least = Duration.ofMillis(100);
        return wanted.compareTo(least) < 0 ? least : wanted;
    }

    private InetSocketAddress address() {
        try {
            InetAddress address = InetAddress.getByName(bind);
            if (allowOrders && !address.isLoopbackAddress()) {
                throw new UsageException(
                        "--allow-orders is only for this machine: there are no users and no encryption."
                                + " From another machine, use an ssh tunnel");
            }
            return new InetSocketAddress(address, port);
        } catch (UnknownHostException e) {
            throw new UsageException("--bind " + bind + " is no address of this machine");
        }
    }
}
