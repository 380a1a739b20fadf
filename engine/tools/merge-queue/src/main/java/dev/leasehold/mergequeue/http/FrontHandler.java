package dev.leasehold.mergequeue.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The first that sees a request. The server's own threads run this alone, and nothing here waits: they answer for the health whatever the
 * rest does. All else runs on threads of its own, of which there are only so many; when they are busy and the line before them is full,
 * callers are told to come again.
 */
final class FrontHandler extends Handler.Wrapper {

    /** Nothing that they do waits for a database or for a caller: its body comes, and its answer goes, without a thread. */
    private static final int WORKERS = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());

    private static final int LINE = 2_048;
    private static final long IDLE_SECONDS = 30;
    private static final long LOOK_PERIOD_MILLIS = 5;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Health health;
    private final Connections connections;
    private final RequestMeter meter;
    private final ThreadPoolExecutor workers;
    private final UnderWay underWay = new UnderWay();
    private volatile boolean draining;

    FrontHandler(Health health, Connections connections, RequestMeter meter) {
        this.health = health;
        this.connections = connections;
        this.meter = meter;
        this.workers = new ThreadPoolExecutor(
                WORKERS,
                WORKERS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(LINE),
                task -> Threads.daemon(task, "merge-queue-request"));
        workers.allowCoreThreadTimeOut(true);
    }

    /** Is told of what was answered here. */
    @FunctionalInterface
    interface RequestMeter {
        void answered(String method, String route, int status, String error, Duration duration);
    }

    @Override
    public boolean handle(Request given, Response response, Callback callback) {
        // The server itself leaves out the body of an answer to HEAD.
        Request request = given.getMethod().equals("HEAD") ? new AsGet(given) : given;
        connections.began(request);
        String path = request.getHttpURI().getPath();
        if (request.getMethod().equals("GET") && path != null && Admission.isHealth(path)) {
            answerHealth(path, response, callback);
            return true;
        }
        if (draining) {
            refuse(response, callback, "this replica is about to end");
            return true;
        }
        underWay.count(request);
        try {
            workers.execute(() -> passOn(request, response, callback));
        } catch (RejectedExecutionException e) {
            refuse(response, callback, "too many requests are under way");
        }
        return true;
    }

    private static final class AsGet extends Request.Wrapper {

        AsGet(Request request) {
            super(request);
        }

        @Override
        public String getMethod() {
            return "GET";
        }
    }

    private void passOn(Request request, Response response, Callback callback) {
        BufferedAnswer answer = new BufferedAnswer(request, response, callback, connections);
        try {
            if (!super.handle(request, answer, answer)) {
                Response.writeError(request, answer, answer, 404);
            }
        } catch (Exception e) {
            answer.failed(e);
        }
    }

    private void answerHealth(String path, Response response, Callback callback) {
        long startNanos = System.nanoTime();
        Map<String, Object> body = path.equals(Admission.LIVE) ? Health.LIVE : health.ready(draining);
        int status = Health.status(body);
        write(response, callback, status, body);
        meter.answered("GET", path, status, "none", Duration.ofNanos(System.nanoTime() - startNanos));
    }

    private void refuse(Response response, Callback callback, String message) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("error", "busy");
        body.put("message", message);
        body.put("rule", "Ask again; it does no harm.");
        body.put("repeat", "yes");
        response.getHeaders().put(ErrorBody.HEADER, "busy");
        response.getHeaders().put(HttpHeader.RETRY_AFTER, ErrorBody.RETRY_AFTER_SECONDS);
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        write(response, callback, ErrorBody.UNAVAILABLE, body);
        meter.answered("other", "none", ErrorBody.UNAVAILABLE, "busy", Duration.ZERO);
    }

    private static void write(Response response, Callback callback, int status, Map<String, Object> body) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
        response.write(true, ByteBuffer.wrap(json(body).getBytes(StandardCharsets.UTF_8)), callback);
    }

    private static String json(Map<String, Object> body) {
        try {
            return JSON.writeValueAsString(body);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("texts can be written", e);
        }
    }

    /** From now on new requests are refused. Returns when those under way are answered, or when the limit is over. */
    void drain(Duration limit) throws InterruptedException {
        draining = true;
        long startNanos = System.nanoTime();
        while (!underWay.isEmpty() && System.nanoTime() - startNanos < limit.toNanos()) {
            Thread.sleep(LOOK_PERIOD_MILLIS);
        }
    }

    void end() {
        workers.shutdownNow();
    }
}
