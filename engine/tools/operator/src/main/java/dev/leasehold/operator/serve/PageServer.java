package dev.leasehold.operator.serve;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Serves the page by HTTP. Orders are served only if there are any. */
public final class PageServer implements AutoCloseable {

    private static final int THREADS_MAX = 256;
    private static final int FORM_BYTES_MAX = 16_384;
    private static final int RESULTS_MAX = 100;
    private static final int COMPRESSED_FROM = 1_024;
    private static final String HTML = "text/html; charset=utf-8";
    private static final int TAG_BYTES = 16;
    private static final String STYLE = resource("style.css");
    private static final String SCRIPT = resource("page.js");
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String NO_NAMESPACE = "That namespace is not served here.\n";

    static {
        // Seconds that a request, and an answer, may take: the server of the JDK sets no limit unless it is told so
        // before its first use.
        setUnlessSet("sun.net.httpserver.maxReqTime", "5");
        setUnlessSet("sun.net.httpserver.maxRspTime", "30");
    }

    private final HttpServer server;
    private final ExecutorService threads;
    private final Guard guard;
    private final Map<String, Site> sites;
    private final Pages pages;

    /** What came of orders, until it was shown. */
    private final Map<String, String> results = new LinkedHashMap<>();

    private static void setUnlessSet(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    /**
     * Begins at once.
     *
     * @param address where to listen; port 0 for any that is free
     * @param names under which the page is asked for, besides addresses and the name of this machine; with a port or without
     * @param sites the namespaces, in the order in which they are shown
     * @throws IOException if it is not possible to listen there
     */
    public PageServer(InetSocketAddress address, Set<String> names, List<Site> sites) throws IOException {
        this.server = HttpServer.create(address, 0);
        this.sites = new LinkedHashMap<>();
        sites.forEach(site -> this.sites.put(site.observer().namespace(), site));
        this.guard = new Guard(hosts(address, names));
        this.pages = new Pages(this.sites, guard.token());
        // A thread for each connection that sends or waits, so that slow ones do not stop the others.
        this.threads = new ThreadPoolExecutor(0, THREADS_MAX, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(task, "leasehold-page");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /** A name of the machine is none of the page where that listens to the machine alone. */
    private static Set<String> hosts(InetSocketAddress address, Set<String> names) {
        Set<String> hosts = new HashSet<>(names);
        InetAddress bound = address.getAddress();
        hosts.add(address.getHostString());
        if (bound.isLoopbackAddress() || bound.isAnyLocalAddress()) {
            hosts.add("localhost");
        }
        if (!bound.isLoopbackAddress()) {
            hosts.add(ownName());
        }
        return hosts;
    }

    private static String ownName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    /** As it stands in a URL, without the name of an interface. */
    private static String literal(InetAddress address) {
        String text = address.getHostAddress().split("%", 2)[0];
        return text.indexOf(':') < 0 ? text : "[" + text + "]";
    }

    /** Where it is. */
    public String url() {
        InetSocketAddress address = server.getAddress();
        String host = address.getAddress().isAnyLocalAddress() ? "localhost" : literal(address.getAddress());
        return "http://" + host + ":" + address.getPort() + "/";
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            if (!guard.isForUs(exchange.getRequestHeaders())) {
                answer(
                        exchange,
                        403,
                        TEXT,
                        "This page is not served under that name. If it should be, start the tool with --name.\n");
            } else if (exchange.getRequestURI().getPath().startsWith("/orders/")) {
                order(exchange);
            } else if (method.equals("GET") || method.equals("HEAD")) {
                show(exchange);
            } else {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                answer(exchange, 405, TEXT, "Only GET and HEAD are served here.\n");
            }
        }
    }

    private void show(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        Map<String, String> query = decoded(exchange.getRequestURI().getRawQuery());
        Site site = site(query);
        if (path.equals("/style.css")) {
            answer(exchange, 200, "text/css; charset=utf-8", STYLE);
        } else if (path.equals("/page.js")) {
            answer(exchange, 200, "text/javascript; charset=utf-8", SCRIPT);
        } else if (site == null) {
            answer(exchange, 404, TEXT, NO_NAMESPACE);
        } else {
            show(exchange, path, site, query);
        }
    }

    private void show(HttpExchange exchange, String path, Site site, Map<String, String> query) throws IOException {
        switch (path) {
            case "/" ->
                show(
                        exchange,
                        site,
                        () -> OverviewPage.of(site, Selection.of(site.observer().namespace(), query)));
            case "/lease" ->
                show(
                        exchange,
                        site,
                        () -> pages.lease(site, query.getOrDefault("name", ""), taken(query.get("result"))));
            case "/engine" -> show(exchange, site, () -> EnginePage.of(site, query.getOrDefault("key", "")));
            default -> answer(exchange, 404, TEXT, "There is no such page.\n");
        }
    }

    /** The namespace that is asked for; the first one if none is, and null if it is not served. */
    private @Nullable Site site(Map<String, String> query) {
        String namespace = query.getOrDefault("ns", "");
        return namespace.isEmpty() ? sites.values().iterator().next() : sites.get(namespace);
    }

    /** The script of the page asks for the board alone, and says which one it has. */
    private void show(HttpExchange exchange, Site site, Supplier<Pages.Content> made) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        Instant takenAt = site.observer().latest().takenAt();
        headers.set("Leasehold-Now", Instant.now().toString());
        if (takenAt != null) {
            headers.set("Leasehold-Seen", takenAt.toString());
        }
        Pages.Content content = made.get();
        if (!"board".equals(exchange.getRequestHeaders().getFirst("Leasehold-Part"))) {
            answer(exchange, 200, HTML, pages.page(content));
            return;
        }
        String tag = tag(content.board());
        headers.set("ETag", tag);
        if (tag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
            answer(exchange, 304, HTML, "");
        } else {
            answer(exchange, 200, HTML, content.board());
        }
    }

    private static String tag(String board) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(board.getBytes(StandardCharsets.UTF_8));
            return '"' + HexFormat.of().formatHex(digest, 0, TAG_BYTES) + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has it", e);
        }
    }

    private void order(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) {
            exchange.getResponseHeaders().set("Allow", "POST");
            answer(exchange, 405, TEXT, "Orders are given by POST.\n");
            return;
        }
        byte[] body = body(exchange);
        if (body.length > FORM_BYTES_MAX) {
            answer(exchange, 413, TEXT, "A form has at most " + FORM_BYTES_MAX + " bytes.\n");
            return;
        }
        Map<String, String> form = decoded(new String(body, StandardCharsets.UTF_8));
        Site site = site(form);
        if (site == null) {
            answer(exchange, 404, TEXT, NO_NAMESPACE);
        } else if (site.orders() == null) {
            answer(exchange, 403, TEXT, "No orders are taken here.\n");
        } else if (!guard.isFromUs(exchange.getRequestHeaders(), form)) {
            answer(exchange, 403, TEXT, "That order does not come from this page.\n");
        } else {
            carryOut(exchange, site.observer(), site.orders(), form);
        }
    }

    private static byte[] body(HttpExchange exchange) throws IOException {
        try (InputStream body = exchange.getRequestBody()) {
            return body.readNBytes(FORM_BYTES_MAX + 1);
        }
    }

    private void carryOut(HttpExchange exchange, Observer observer, Orders known, Map<String, String> form)
            throws IOException {
        String lease = form.getOrDefault("lease", "");
        String entity = form.getOrDefault("entity", "");
        String result = switch (exchange.getRequestURI().getPath()) {
            case "/orders/pin" -> known.pin(lease, entity);
            case "/orders/unpin" -> known.unpin(lease, entity);
            case "/orders/force-expire" ->
                known.forceExpire(lease, number(form.get("tenure")), form.getOrDefault("reason", ""));
            default -> null;
        };
        if (result == null) {
            answer(exchange, 404, TEXT, "There is no such order.\n");
            return;
        }
        String told = observer.lookAt(lease)
                ? result
                : result + ". The lease could not be looked at since: what stands here may be from before";
        exchange.getResponseHeaders()
                .set("Location", Parts.leaseLink(observer.namespace(), lease) + "&result=" + kept(told));
        answer(exchange, 303, HTML, "");
    }

    private static long number(@Nullable String text) {
        try {
            return text == null ? 0 : Long.parseLong(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** The text stays here: an address could be made up. */
    private synchronized String kept(String result) {
        String id = UUID.randomUUID().toString();
        results.put(id, result);
        if (results.size() > RESULTS_MAX) {
            results.remove(results.keySet().iterator().next());
        }
        return id;
    }

    private synchronized @Nullable String taken(@Nullable String id) {
        return id == null ? null : results.get(id);
    }

    private static Map<String, String> decoded(@Nullable String text) {
        Map<String, String> fields = new HashMap<>();
        if (text != null) {
            for (String part : text.split("&")) {
                int equals = part.indexOf('=');
                if (equals > 0) {
                    fields.put(decode(part.substring(0, equals)), decode(part.substring(equals + 1)));
                }
            }
        }
        return fields;
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private static String resource(String name) {
        try (InputStream stream =
                Objects.requireNonNull(PageServer.class.getResourceAsStream("/dev/leasehold/pages/" + name), name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }

    private static void answer(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type);
        headers.set("Cache-Control", "no-store");
        headers.set("Vary", "Accept-Encoding, Leasehold-Part");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "same-origin");
        headers.set(
                "Content-Security-Policy",
                "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self';"
                        + " base-uri 'none'; frame-ancestors 'none'");
        if (bytes.length >= COMPRESSED_FROM && acceptsGzip(exchange)) {
            headers.set("Content-Encoding", "gzip");
            bytes = compressed(bytes);
        }
        if (bytes.length == 0 || exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(status, -1);
        } else {
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private static boolean acceptsGzip(HttpExchange exchange) {
        return exchange.getRequestHeaders().getOrDefault("Accept-Encoding", List.of()).stream()
                .anyMatch(accepted -> accepted.matches(".*\\bgzip\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$)).*"));
    }

    private static byte[] compressed(byte[] bytes) throws IOException {
        ByteArrayOutputStream buffer = new ByteArrayOutputStream();
        try (GZIPOutputStream zipped = new GZIPOutputStream(buffer)) {
            zipped.write(bytes);
        }
        return buffer.toByteArray();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }
}
