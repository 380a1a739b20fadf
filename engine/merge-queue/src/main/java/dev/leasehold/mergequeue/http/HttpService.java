package dev.leasehold.mergequeue.http;

import dev.leasehold.engine.EngineHealth;
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
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.eclipse.jetty.http.UriCompliance;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server: which path leads where, and what is true of all of them. */
public final class HttpService implements AutoCloseable {

    static final String PROVIDER_PATH = "/{owner}/{repo}/<baseRef>";

    private static final Logger LOG = LoggerFactory.getLogger(HttpService.class);
    private static final Logger ACCESS = LoggerFactory.getLogger("dev.leasehold.mergequeue.access");
    private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final long NO_TIMEOUT = 0;

    private final Replica replica;
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
     */
    public HttpService(Configuration configuration, Replica replica, ServiceMetrics metrics, Page page) {
        this.replica = replica;
        this.metrics = metrics;
        this.queues = new QueueRequests(configuration, replica);
        this.reads = new ProviderReads(configuration, replica, page);
        this.admission = new Admission(configuration.credentials());
        this.javalin = Javalin.create(this::configure);
    }

    /**
     * Starts to listen.
     *
     * @param host on which address
     * @param port on which port; 0 for any that is free
     * @return the port
     */
    public int start(String host, int port) {
        return javalin.start(host, port).port();
    }

    /** All that is routed, to be compared with what is described. */
    Stream<Endpoint> endpoints() {
        return javalin.unsafe.internalRouter.allHttpHandlers().stream().map(handler -> handler.endpoint);
    }

    @Override
    public void close() {
        javalin.stop();
    }

    private void configure(JavalinConfig config) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.http.prefer405over404 = true;
        config.http.asyncTimeout = NO_TIMEOUT; // what is waited for has limits of its own
        config.jetty.modifyHttpConfiguration(http -> {
            // A branch may contain slashes, and callers may encode them; nothing here is a file or guarded by its path.
            http.setUriCompliance(
                    UriCompliance.DEFAULT.with("encoded-slashes", UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR));
            http.setSendServerVersion(false);
        });
        config.requestLogger.http(this::log);
        routes(config.routes);
    }

    private void routes(RoutesConfig routes) {
        routes.before(admission::admit);
        routes.get("/", reads::list);
        routes.get("/metrics", ctx -> ctx.contentType(PROMETHEUS_TEXT).result(metrics.scrape()));
        routes.get("/openapi.json", HttpService::openApi);
        routes.get(Admission.LIVE, ctx -> ctx.json(Map.of("status", "up")));
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
                (e, ctx) -> ErrorBody.write(
                        ctx,
                        ApiException.refused(
                                "provider-limit",
                                String.valueOf(e.getMessage()),
                                "The number of providers of a pattern is limited.")));
        routes.exception(HttpResponseException.class, HttpService::unrouted);
        routes.exception(Exception.class, HttpService::broken);
    }

    private void show(Context ctx) throws InterruptedException {
        ProviderKey key = QueueRequests.key(ctx);
        reads.show(ctx, key, queues.settings(key));
    }

    private void ready(Context ctx) {
        EngineHealth health = replica.health();
        ctx.status(health.ready() ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
                .json(Map.of("status", health.ready() ? "up" : "down", "detail", health.detail()));
    }

    private static void openApi(Context ctx) throws IOException {
        try (InputStream file = Objects.requireNonNull(HttpService.class.getResourceAsStream("openapi.json"))) {
            ctx.contentType("application/json").result(file.readAllBytes());
        }
    }

    private static void unrouted(HttpResponseException e, Context ctx) {
        String method = ctx.req().getMethod();
        ErrorBody.write(
                ctx,
                e.getStatus() == HttpStatus.METHOD_NOT_ALLOWED.getCode()
                        ? ApiException.wrongMethod(method, ctx.path())
                        : ApiException.unknownPath(method, ctx.path()));
    }

    private static void broken(Exception e, Context ctx) {
        LOG.error("{} {} failed", ctx.req().getMethod(), ctx.path(), e);
        ErrorBody.write(ctx, ApiException.broken("the request could not be answered"));
    }

    private void log(Context ctx, Float millis) {
        String route = route(ctx);
        metrics.answered(ctx.req().getMethod(), route, ctx.statusCode(), Duration.ofNanos((long) (millis * 1_000_000)));
        ACCESS.info("{} \"{} {}\" {} {} ms", ctx.ip(), ctx.req().getMethod(), ctx.path(), ctx.statusCode(), millis);
    }

    /** What matched no route has one name, so that nobody makes meters by asking for paths. */
    private static String route(Context ctx) {
        return ctx.endpoints().lastHttpEndpoint() == null
                ? "none"
                : ctx.endpoints().lastHttpEndpoint().path;
    }
}
