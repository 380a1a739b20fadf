package dev.leasehold.mergequeue.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Calls a service over HTTP.
 *
 * @param address of the service
 * @param limit for an answer
 * @param asksAgain whether a call is repeated that no replica could decide at the moment, as by the rules of the service: a new provider
 *     has no replica before its lease was acquired, and on a busy machine that is later than the service waits for
 */
public record Caller(URI address, Duration limit, boolean asksAgain) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    /**
     * What was answered.
     *
     * @param status of HTTP
     * @param body as JSON; null if it is none
     * @param response all of it
     */
    public record Reply(int status, JsonNode body, HttpResponse<String> response) {

        public String requestStatus() {
            return body.path("request").path("status").asText();
        }

        public long token() {
            return body.path("request").path("token").asLong();
        }

        public String error() {
            return body.path("error").asText();
        }
    }

    public Caller(URI address) {
        this(address, Duration.ofSeconds(30));
    }

    public Caller(URI address, Duration limit) {
        this(address, limit, false);
    }

    public Caller askingAgain() {
        return new Caller(address, limit, true);
    }

    public Reply acquire(String provider, String sha, long priority) throws IOException, InterruptedException {
        return post("/" + provider + "/acquire", acquireBody(sha, priority));
    }

    public Reply release(String provider, String sha, String status) throws IOException, InterruptedException {
        return post("/" + provider + "/release", Map.of("head_sha", sha, "status", status));
    }

    public Reply release(String provider, String sha, String status, long token)
            throws IOException, InterruptedException {
        return post("/" + provider + "/release", Map.of("head_sha", sha, "status", status, "token", token));
    }

    public static Map<String, Object> acquireBody(String sha, long priority) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("head_sha", sha);
        body.put("head_ref", "branch-" + sha);
        body.put("priority", priority);
        return body;
    }

    public Reply post(String path, Map<String, Object> body) throws IOException, InterruptedException {
        return send("POST", path, JSON.writeValueAsBytes(body));
    }

    public Reply get(String path) throws IOException, InterruptedException {
        return send("GET", path, new byte[0]);
    }

    public Reply delete(String path) throws IOException, InterruptedException {
        return send("DELETE", path, new byte[0]);
    }

    public Reply send(String method, String path, byte[] body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path))
                .timeout(limit)
                .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        if (body.length > 0 && !List.of(headers).contains("Content-Type")) {
            request.header("Content-Type", "application/json");
        }
        long endNanos = System.nanoTime() + limit.toNanos();
        Reply reply;
        do {
            reply = send(request.build());
        } while (asksAgain && reply.error().equals("no-owner") && System.nanoTime() - endNanos < 0);
        return reply;
    }

    private static Reply send(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response = CLIENT.send(request, BodyHandlers.ofString());
        return new Reply(response.statusCode(), json(response.body()), response);
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            return JSON.nullNode();
        }
    }
}
