package dev.leasehold.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** The browser of this machine without a window, told what to do by its own protocol: it lays pages out, which HtmlUnit does not. */
public final class Chromium implements AutoCloseable {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path profile;
    private final Process process;
    private final WebSocket socket;
    private final AtomicInteger sent = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> awaited = new ConcurrentHashMap<>();

    private Chromium(Path program) throws IOException, InterruptedException {
        profile = Files.createTempDirectory("chromium");
        process = new ProcessBuilder(
                        program.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--window-size=1280,1000",
                        "--user-data-dir=" + profile,
                        "--remote-debugging-port=0",
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(profile.resolve("log").toFile())
                .start();
        Path port = profile.resolve("DevToolsActivePort");
        Awaitility.await().atMost(PATIENCE).until(() -> Files.exists(port) && Files.size(port) > 0);
        String list = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                                        + Files.readAllLines(port).get(0) + "/json/list"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(
                        URI.create(MAPPER.readTree(list)
                                .get(0)
                                .path("webSocketDebuggerUrl")
                                .asText()),
                        new Answers())
                .join();
    }

    /** Where it is; empty if this machine has none. */
    public static Optional<Path> program() {
        return Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(name -> Stream.of(System.getenv("PATH").split(java.io.File.pathSeparator))
                        .map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    public static Chromium start() throws IOException, InterruptedException {
        return new Chromium(program().orElseThrow());
    }

    /** Collects the parts of each answer. */
    private final class Answers implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
            text.append(part);
            if (isLast) {
                try {
                    JsonNode answer = MAPPER.readTree(text.toString());
                    CompletableFuture<JsonNode> waiting =
                            awaited.remove(answer.path("id").asInt(-1));
                    if (waiting != null) {
                        waiting.complete(answer);
                    }
                } catch (IOException e) {
                    throw new AssertionError("no JSON: " + text, e);
                }
                text.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedFuture(null);
        }
    }

    private JsonNode send(String method, ObjectNode parameters) {
        int id = sent.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        awaited.put(id, answer);
        ObjectNode message = MAPPER.createObjectNode().put("id", id).put("method", method);
        message.set("params", parameters);
        socket.sendText(message.toString(), true).join();
        return answer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }

    private static ObjectNode parameters() {
        return MAPPER.createObjectNode();
    }

    /** Opens a page, and waits until all of it is there. */
    public void open(String url) {
        send("Page.navigate", parameters().put("url", url));
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> evaluate("document.readyState === 'complete' && location.href !== 'about:blank'")
                        .asBoolean());
    }

    /** As a machine with these preferences and this size shows pages. */
    public void emulate(String colorScheme, int width) {
        ObjectNode media = parameters();
        media.putArray("features")
                .addObject()
                .put("name", "prefers-color-scheme")
                .put("value", colorScheme);
        send("Emulation.setEmulatedMedia", media);
        send(
                "Emulation.setDeviceMetricsOverride",
                parameters()
                        .put("width", width)
                        .put("height", 600)
                        .put("deviceScaleFactor", 1)
                        .put("mobile", false));
    }

    /** The value of an expression in the page, also of a promise. */
    public JsonNode evaluate(String expression) {
        JsonNode result = send(
                        "Runtime.evaluate",
                        parameters()
                                .put("expression", expression)
                                .put("returnByValue", true)
                                .put("awaitPromise", true))
                .path("result");
        if (result.has("exceptionDetails")) {
            throw new AssertionError(expression + ": " + result.path("exceptionDetails"));
        }
        return result.path("result").path("value");
    }

    /** What axe-core, of the class path, finds wrong with the page. */
    public List<String> violations() throws IOException {
        evaluate(axe() + "; true");
        JsonNode result = evaluate("axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map(v =>"
                + " v.id + ': ' + v.nodes.map(n => n.html + ' ' + n.failureSummary).join(' | ')))");
        List<String> violations = new ArrayList<>();
        result.forEach(violation -> violations.add(violation.asText()));
        return violations;
    }

    private static String axe() throws IOException {
        try (InputStream script = Objects.requireNonNull(Chromium.class.getResourceAsStream("/axe.min.js"))) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Whether nothing is wider than the window. */
    public boolean fitsInWidth() {
        return evaluate("document.documentElement.scrollWidth <= innerWidth").asBoolean();
    }

    /** Presses a key that has a name, such as Tab. */
    public void press(String key) {
        for (String type : List.of("rawKeyDown", "keyUp")) {
            send(
                    "Input.dispatchKeyEvent",
                    parameters()
                            .put("type", type)
                            .put("key", key)
                            .put("code", key)
                            .put("windowsVirtualKeyCode", key.equals("Tab") ? 9 : 13));
        }
    }

    @Override
    public void close() throws IOException {
        socket.abort();
        process.destroy();
        process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        try (Stream<Path> files = Files.walk(profile)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
