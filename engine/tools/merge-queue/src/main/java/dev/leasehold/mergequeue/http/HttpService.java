package dev.leasehold.mergequeue.http;

import dev.leasehold.mergequeue.config.Configuration;
import dev.leasehold.mergequeue.metrics.ServiceMetrics;
import dev.leasehold.mergequeue.replica.ProviderKey;
import dev.leasehold.mergequeue.replica.Replica;
import dev.leasehold.mergequeue.replica.TooManyProvidersException;
import dev.leasehold.mergequeue.view.Page;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.HttpStatus;
import io.javalin.router.Endpoint;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server: which path leads where, and what is true of all of them. */
public final class HttpService implements AutoCloseable {

    static final String PROVIDER_PATH = "/{owner}/{repo}/<baseRef>";

    private static final Logger LOG = LoggerFactory.getLogger(HttpService.class);
    private static final Logger ACCESS = LoggerFactory.getLogger("dev.leasehold.mergequeue.access");
    private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final long NO_TIMEOUT = 0;

    private static final String STYLE = Page.style();
    private static final String SCRIPT = Page.script();
    private static final int ANSWERERS = 16;
    private static final int SERVER_THREADS = 16;
    /** A burst beyond it waits for a second until clients connect again; the operating system may allow less. */
    private static final int LISTEN_BACKLOG = 4_096;
    /** The operating system would let it grow to megabytes for each caller that does not read. */
    private static final int SEND_BUFFER_BYTES = 64 * 1024;

    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(8);

    private final Health health;
    private final Connections connections = new Connections();
    private final FrontHandler front;
    private final ExecutorService answering =
            Executors.newFixedThreadPool(ANSWERERS, task -> Threads.daemon(task, "merge-queue-answer"));
    private final ServerSocketChannel listening;
    private final ServiceMetrics metrics;
    private final QueueRequests queues;
    private final ProviderReads reads;
    private final Admission admission;
    private final Javalin javalin;

    /**
     * Makes the server; {@link #start} starts it.
     *
     * @param configuration of the service
     * @param replica that answers
     * @param metrics that are shown
     * @param page for people
     * @param listening bound to the address and the port; is closed with the server
     */
    public HttpService(
            Configuration configuration,
            Replica replica,
            ServiceMetrics metrics,
            Page page,
            ServerSocketChannel listening) {
        this.health = new Health(replica);
        this.metrics = metrics;
        this.listening = listening;
        this.front = new FrontHandler(health, connections, metrics::answered);
        this.queues = new QueueRequests(configuration, replica, answering);
        this.reads = new ProviderReads(configuration, replica, page, answering);
        Set<String> hosts = new HashSet<>(configuration.hosts());
        hosts.add(replica.address().getHost().toLowerCase(Locale.ROOT));
        this.admission = new Admission(configuration.credentials(), hosts);
        this.javalin = Javalin.create(this::configure);
    }

    /**
     * Binds a port, so that a replica knows whether it can listen before it stands for anything.
     *
     * @param host on which address
     * @param port on which port; 0 for any that is free
     * @return a channel that is bound
     * @throws IOException if the port is used, or the address is none of this machine
     */
    public static ServerSocketChannel bind(String host, int port) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            InetSocketAddress address = new InetSocketAddress(host, port);
            if (address.isUnresolved()) {
                throw new IOException("host '" + host + "' is not known");
            }
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(address, LISTEN_BACKLOG);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw new IOException("cannot listen on " + host + ", port " + port + ": " + e.getMessage(), e);
        }
    }

    /** Starts to answer. */
    public void start() {
        javalin.start();
    }

    /** {@return the port on which it listens} */
    public int port() {
        return javalin.port();
    }

    /** All that is routed, to be compared with what is described. */
    Stream<Endpoint> endpoints() {
        return javalin.unsafe.internalRouter.allHttpHandlers().stream().map(handler -> handler.endpoint);
    }

    @Override
    public void close() {
        javalin.stop();
        front.end();
        reads.close();
        connections.close();
        answering.shutdownNow();
    }

    /**
     * Takes no further requests, and returns when those under way are answered, for a few seconds at most.
     *
     * @throws InterruptedException if the thread was interrupted
     */
    public void drain() throws InterruptedException {
        front.drain(DRAIN_LIMIT);
    }

    private void configure(JavalinConfig config) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.http.prefer405over404 = true;
        config.http.asyncTimeout = NO_TIMEOUT; // what is waited for has limits of its own
        config.jetty.threadPool = serverThreads();
        config.jetty.modifyServer(server -> {
            server.setHandler(front);
            server.setErrorHandler(new ServerErrors());
        });
        config.jetty.addConnector(this::connector);
        config.jetty.modifyHttpConfiguration(http -> {
            // A branch may contain slashes and percent signs, and callers encode them; nothing here is a file or
            // guarded by its path.
            http.setUriCompliance(UriCompliance.DEFAULT.with(
                    "encoded-slashes",
                    UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
                    UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING));
            http.setSendServerVersion(false);
        });
        config.requestLogger.http(this::log);
        routes(config.routes);
    }

    /** They run the front handler and what is ready to be read or written; nothing that waits. */
    private static QueuedThreadPool serverThreads() {
        QueuedThreadPool threads = new QueuedThreadPool(SERVER_THREADS);
        threads.setName("merge-queue-http");
        threads.setDaemon(true);
        return threads;
    }

    private ServerConnector connector(Server server, HttpConfiguration http) {
        ServerConnector connector = new ServerConnector(server, 1, 2, new HttpConnectionFactory(http));
        connector.addBean(connections);
        connector.setAcceptedSendBufferSize(SEND_BUFFER_BYTES);
        try {
            connector.open(listening);
        } catch (IOException e) {
            throw new UncheckedIOException("the server cannot listen", e);
        }
        return connector;
    }

    private void routes(RoutesConfig routes) {
        routes.before(HttpService::harden);
        routes.before(admission::admit);
        routes.get("/", reads::list);
        routes.get("/metrics", ctx -> ctx.contentType(PROMETHEUS_TEXT).result(metrics.scrape()));
        routes.get(
                "/style.css", ctx -> ctx.contentType("text/css; charset=utf-8").result(STYLE));
        routes.get(
                "/page.js",
                ctx -> ctx.contentType("text/javascript; charset=utf-8").result(SCRIPT));
        routes.get("/openapi.json", HttpService::openApi);
        routes.get(Admission.LIVE, ctx -> ctx.json(Health.LIVE));
        routes.get(Admission.READY, this::ready);
        routes.post(PROVIDER_PATH + "/acquire", ctx -> queues.acquire(ctx, Spelling.USUAL));
        routes.post(PROVIDER_PATH + "/aquire", ctx -> queues.acquire(ctx, Spelling.OTHER));
        routes.post(PROVIDER_PATH + "/release", queues::release);
        routes.post(PROVIDER_PATH + "/withdraw", queues::withdraw);
        routes.get(PROVIDER_PATH, this::show);
        routes.delete(PROVIDER_PATH, queues::clear);
        routes.exception(ApiException.class, (e, ctx) -> ErrorBody.write(ctx, e));
        routes.exception(
                TooManyProvidersException.class,
                (e, ctx) -> ErrorBody.write(ctx, ApiException.providerLimit(String.valueOf(e.getMessage()))));
        routes.exception(CompletionException.class, HttpService::unwrapped);
        routes.exception(HttpResponseException.class, HttpService::unrouted);
        routes.exception(Exception.class, HttpService::broken);
    }

    private static void harden(Context ctx) {
        ctx.header("X-Content-Type-Options", "nosniff")
                .header("Cache-Control", "no-store")
                .header("Cross-Origin-Resource-Policy", "same-origin")
                .header("Referrer-Policy", "no-referrer");
    }

    private static void unwrapped(CompletionException e, Context ctx) {
        if (e.getCause() instanceof ApiException refusal) {
            ErrorBody.write(ctx, refusal);
        } else if (e.getCause() instanceof TooManyProvidersException limit) {
            ErrorBody.write(ctx, ApiException.providerLimit(String.valueOf(limit.getMessage())));
        } else {
            broken(e, ctx);
        }
    }

    private void show(Context ctx) {
        ProviderKey key = QueueRequests.key(ctx);
        reads.show(ctx, key, queues.settings(key));
    }

    private void ready(Context ctx) {
        Map<String, Object> body = health.ready(false);
        ctx.status(Health.status(body)).json(body);
    }

    private static void openApi(Context ctx) throws IOException {
        try (InputStream file = Objects.requireNonNull(HttpService.class.getResourceAsStream("openapi.json"))) {
            ctx.contentType("application/json").result(file.readAllBytes());
        }
    }

    private static void unrouted(HttpResponseException e, Context ctx) {
        String method = ctx.req().getMethod();
        String allowed = e.getDetails().get("availableMethods");
        if (allowed != null) {
            ctx.header("Allow", allowed);
        }
        ErrorBody.write(
                ctx,
                e.getStatus() == HttpStatus.METHOD_NOT_ALLOWED.getCode()
                        ? ApiException.wrongMethod(method, ctx.path())
                        : ApiException.unknownPath(method, ctx.path()));
    }

    private static void broken(Exception e, Context ctx) {
        if (isOfClient(e)) {
            LOG.debug(
                    "{} {} was ended by its caller",
                    ctx.req().getMethod(),
                    ctx.req().getRequestURI(),
                    e);
        } else {
            LOG.error("{} {} failed", ctx.req().getMethod(), ctx.req().getRequestURI(), e);
        }
        ErrorBody.write(ctx, ApiException.broken("the request could not be answered"));
    }

    /** A caller that hangs up, or sends nonsense, is no fault of the service. */
    private static boolean isOfClient(Throwable failure) {
        return failure instanceof IOException
                || failure instanceof HttpException
                || failure.getCause() != null && isOfClient(failure.getCause());
    }

    private void log(Context ctx, Float millis) {
        String route = route(ctx);
        metrics.answered(ctx.req().getMethod(), route, ctx.statusCode(), ErrorBody.codeOf(ctx), Duration.ofNanos((long)
                (millis * 1_000_000)));
        ACCESS.info(
                "{} \"{} {}\" {} {} ms",
                ctx.ip(),
                ctx.req().getMethod(),
                ctx.req().getRequestURI(),
                ctx.statusCode(),
                millis);
        // It is written by now, and what Javalin keeps until the caller has taken the answer needs no copy of it.
        ctx.result(InputStream.nullInputStream());
    }

    /** What matched no route has one name, so that no caller makes meters by asking for paths. */
    private static String route(Context ctx) {
        return ctx.endpoints().lastHttpEndpoint() == null
                ? "none"
                : ctx.endpoints().lastHttpEndpoint().path;
    }
}
