package dev.leasehold.operator.serve;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Serves the page by HTTP. Orders are served only if there are any. */
public final class PageServer implements AutoCloseable {

    private static final int THREADS = 4;
    private static final int FORM_BYTES_MAX = 16_384;
    private static final int RESULTS_MAX = 100;
    private static final String HTML = "text/html; charset=utf-8";

    private final HttpServer server;
    private final ExecutorService threads;
    private final Guard guard;
    private final Pages pages;
    private final @Nullable Orders orders;

    /** What came of orders, until it was shown. */
    private final Map<String, String> results = new LinkedHashMap<>();

    /**
     * Begins at once.
     *
     * @param address where to listen; port 0 for any that is free
     * @param orders what may be done; null for nothing
     * @throws IOException if nobody can listen there
     */
    public PageServer(InetSocketAddress address, Observer observer, @Nullable Orders orders) throws IOException {
        this.server = HttpServer.create(address, 0);
        this.orders = orders;
        this.guard = new Guard(hosts(address));
        this.pages = new Pages(observer, orders != null, guard.token());
        this.threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "leasehold-page");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    private Set<String> hosts(InetSocketAddress address) {
        int port = server.getAddress().getPort();
        String literal = address.getAddress().getHostAddress();
        String own = literal.indexOf(':') < 0 ? literal : "[" + literal + "]";
        return address.getAddress().isLoopbackAddress()
                ? Set.of("localhost:" + port, "127.0.0.1:" + port, "[::1]:" + port)
                : Set.of(own + ":" + port, address.getHostString() + ":" + port);
    }

    /** Where it is. */
    public String url() {
        InetSocketAddress address = server.getAddress();
        String host = address.getAddress().getHostAddress();
        return "http://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort() + "/";
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!guard.isForUs(exchange.getRequestHeaders())) {
                answer(exchange, 403, "text/plain; charset=utf-8", "This page is not served under that name.\n");
            } else if (exchange.getRequestURI().getPath().startsWith("/orders/")) {
                order(exchange);
            } else if (exchange.getRequestMethod().equals("GET")) {
                show(exchange);
            } else {
                answer(exchange, 405, "text/plain; charset=utf-8", "Only GET is served here.\n");
            }
        }
    }

    private void show(HttpExchange exchange) throws IOException {
        Map<String, String> query = decoded(exchange.getRequestURI().getRawQuery());
        switch (exchange.getRequestURI().getPath()) {
            case "/" -> answer(exchange, 200, HTML, pages.overview());
            case "/board" -> answer(exchange, 200, HTML, pages.board());
            case "/lease" ->
                answer(exchange, 200, HTML, pages.lease(query.getOrDefault("name", ""), taken(query.get("result"))));
            case "/style.css" -> answer(exchange, 200, "text/css; charset=utf-8", resource("style.css"));
            case "/page.js" -> answer(exchange, 200, "text/javascript; charset=utf-8", resource("page.js"));
            default -> answer(exchange, 404, "text/plain; charset=utf-8", "There is no such page.\n");
        }
    }

    private void order(HttpExchange exchange) throws IOException {
        if (orders == null) {
            answer(exchange, 403, "text/plain; charset=utf-8", "No orders are taken here.\n");
        } else if (!exchange.getRequestMethod().equals("POST")) {
            answer(exchange, 405, "text/plain; charset=utf-8", "Orders are given by POST.\n");
        } else {
            byte[] body = body(exchange);
            Map<String, String> form = decoded(new String(body, StandardCharsets.UTF_8));
            if (!guard.isFromUs(exchange.getRequestHeaders(), form)) {
                answer(exchange, 403, "text/plain; charset=utf-8", "That order does not come from this page.\n");
            } else {
                carryOut(exchange, orders, form);
            }
        }
    }

    private static byte[] body(HttpExchange exchange) throws IOException {
        try (InputStream body = exchange.getRequestBody()) {
            return body.readNBytes(FORM_BYTES_MAX);
        }
    }

    private void carryOut(HttpExchange exchange, Orders known, Map<String, String> form) throws IOException {
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
            answer(exchange, 404, "text/plain; charset=utf-8", "There is no such order.\n");
            return;
        }
        exchange.getResponseHeaders().set("Location", Pages.link(lease) + "&result=" + kept(result));
        answer(exchange, 303, HTML, "");
    }

    private static long number(@Nullable String text) {
        try {
            return text == null ? 0 : Long.parseLong(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** The text stays here: an address could be made up by anybody. */
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

    private static String resource(String name) throws IOException {
        try (InputStream stream = Objects.requireNonNull(PageServer.class.getResourceAsStream(name), name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void answer(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        var headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type);
        headers.set("Cache-Control", "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "same-origin");
        headers.set(
                "Content-Security-Policy",
                "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self';"
                        + " base-uri 'none'; frame-ancestors 'none'");
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }
}
