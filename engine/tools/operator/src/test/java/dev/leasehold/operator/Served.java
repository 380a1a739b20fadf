package dev.leasehold.operator;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** The page, served by the command itself until this is closed. */
final class Served implements AutoCloseable {

    private static final Pattern URL = Pattern.compile("http://\\S+/");

    private final CompletableFuture<Integer> ended = new CompletableFuture<>();
    private final Thread serving;
    private final String url;

    private Served(Tool tool, List<String> arguments) {
        StringCollector out = new StringCollector();
        serving = new Thread(() -> ended.complete(
                Main.execute(tool.context(out.writer(), out.writer()), arguments.toArray(String[]::new))));
        serving.start();
        Matcher[] found = new Matcher[1];
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            found[0] = URL.matcher(out.text());
            return found[0].find();
        });
        url = found[0].group();
    }

    static Served by(Tool tool, String... more) {
        List<String> arguments = new ArrayList<>(List.of("serve", "--port=0", "--every=200ms"));
        arguments.addAll(List.of(more));
        return new Served(tool, arguments);
    }

    String url() {
        return url;
    }

    /** What the script of the page fetches. */
    String board() throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(url))
                                .header("Leasehold-Part", "board")
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Override
    public void close() {
        serving.interrupt();
        ended.orTimeout(60, TimeUnit.SECONDS).join();
    }
}
