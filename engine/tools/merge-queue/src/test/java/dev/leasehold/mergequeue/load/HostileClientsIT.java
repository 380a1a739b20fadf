package dev.leasehold.mergequeue.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.leasehold.mergequeue.http.Caller;
import dev.leasehold.mergequeue.http.RunningService;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** What hundreds of hostile connections of each kind do to a replica, for some seconds. */
@WithReplicaSet
class HostileClientsIT {

    private static final int CONNECTIONS = 500;
    /** So few that the buffers of the operating system are full soon. */
    private static final int CONNECTIONS_NOT_READ = 20;

    /** Of one queue, whose answer is then greater than the buffers of the operating system. */
    private static final int REQUESTS = 600;

    private static final int UNREAD = 60;

    private static final long STALL_STEP_MILLIS = 20;
    private static final int SENDERS = 10;
    private static final long METRIC_LINES_MAX = 700;
    private static final long SECONDS = 3;
    /** Between the pieces of a connection, so that it is the service that is tried, and not the machine of the test. */
    private static final long PAUSE_MILLIS = 200;

    private static final Duration HEALTH_LIMIT = Duration.ofSeconds(1);
    /** Less than the time after which the service closes connections that do not go on. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);

    /** By which the heap may have grown: some 100 kB for each connection. */
    private static final long GROWTH_BYTES_MAX = 48L * 1024 * 1024;

    private static final int PROVIDERS_MAX = 20;
    private static final String YAML = String.format(Locale.ROOT, """
            limits: {providers: %d}
            providers:
              - {owner: acme, repo: shop, base-ref: "**", expected-requests: 1}
            """, PROVIDERS_MAX);

    private static final byte[] PROBE = "GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            .getBytes(StandardCharsets.ISO_8859_1);

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private final List<Socket> sockets = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private RunningService service;

    /** What a connection sends: an opening, and then a piece again and again. */
    private enum Kind {
        HALF_HEADS("GET / HTTP/1.1\r\nHost: loc", "a"),
        HALF_BODIES(
                "POST /acme/shop/main/acquire HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Content-Length: 16000\r\n\r\n",
                "{"),
        CHUNKS_WITHOUT_END(
                "POST /acme/shop/main/acquire HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n",
                "1\r\n{\r\n"),
        MADE_UP_METHODS("", "Q%1$d / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        MADE_UP_PATHS("", "GET /acme/none/x%1$d HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        NEW_BRANCHES(
                "",
                "POST /acme/shop/b%1$d/acquire HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Content-Length: 48\r\n\r\n{\"head_sha\": \"a\", \"head_ref\": \"r\", \"priority\": 1}"),
        /** More at once than the buffers of the operating system take. */
        ANSWERS_NOT_READ(
                "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(80),
                "GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        NO_HTTP("\u0016\u0003\u0001", "\u0000"),
        HANGS_UP(
                "POST /acme/shop/main/acquire HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Content-Length: 100\r\n\r\n{",
                "");

        private final String opening;
        private final String piece;

        Kind(String opening, String piece) {
            this.opening = opening;
            this.piece = piece;
        }
    }

    @BeforeEach
    void start(TestDatabase database) throws Exception {
        service = RunningService.start(database, YAML);
        log.start();
        logger().addAppender(log);
        service.caller().acquire("acme/shop/main", "first", 1);
    }

    @AfterEach
    void end() throws Exception {
        over.set(true);
        threads.shutdownNow();
        for (Socket socket : sockets) {
            socket.close();
        }
        logger().detachAppender(log);
        service.close();
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    @DisplayName(
            "Health answers within a second throughout, other callers are answered, memory stays bounded, and the log has no stack trace")
    void healthAnswersThroughout(Kind kind) throws Exception {
        AtomicInteger sent = new AtomicInteger();
        long keptBefore = keptBytes();
        int connections = kind == Kind.ANSWERS_NOT_READ ? CONNECTIONS_NOT_READ : CONNECTIONS;
        for (int sender = 0; sender < SENDERS; sender++) {
            List<Socket> own = connect(connections / SENDERS);
            threads.execute(() -> harass(own, kind, sent));
        }

        long slowestNanos = slowestHealth();
        Caller other = new Caller(service.address(), ANSWER_LIMIT);
        // A flood of new connections may fill the line, and then callers are told to come again.
        assertThat(other.get("/openapi.json").status()).isIn(kind == Kind.HANGS_UP ? List.of(200, 503) : List.of(200));

        long growth = keptBytes() - keptBefore;
        over.set(true);
        assertThat(sent).hasPositiveValue();
        assertThat(Duration.ofNanos(slowestNanos)).isLessThan(HEALTH_LIMIT);
        assertThat(growth).isLessThan(GROWTH_BYTES_MAX);
        assertThat(log.list)
                .filteredOn(event ->
                        event.getThrowableProxy() != null && event.getLevel().isGreaterOrEqual(Level.INFO))
                .isEmpty();
        assertThat(log.list)
                .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.ERROR))
                .isEmpty();
        // The machine was busy, too: the lease of the provider may have to be taken again.
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(service.caller()
                                .acquire("acme/shop/main", "first", 1)
                                .status())
                        .isEqualTo(200));
        assertThat(service.caller().get("/metrics").response().body().lines().count())
                .isLessThan(METRIC_LINES_MAX);
    }

    @Test
    @DisplayName("An answer that its caller does not read is kept in memory once")
    void answersThatAreNotReadAreKeptOnce() throws Exception {
        Map<String, Object> body = new HashMap<>(Caller.acquireBody("", 1));
        body.put("head_ref", "r".repeat(250));
        for (int request = 0; request < REQUESTS; request++) {
            body.put("head_sha", "sha-" + request);
            assertThat(service.caller().post("/acme/shop/main/acquire", body).status())
                    .isEqualTo(200);
        }
        long answerBytes =
                service.caller().get("/acme/shop/main").response().body().length();
        long keptBefore = keptBytes();

        for (Socket socket : connect(UNREAD)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write("GET /acme/shop/main HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().read()).isEqualTo('H');
        }

        assertThat(keptBytes() - keptBefore)
                .as("answers of %d bytes", answerBytes)
                .isBetween(UNREAD * answerBytes * 3 / 4, UNREAD * answerBytes * 7 / 4);
    }

    private List<Socket> connect(int count) throws IOException {
        List<Socket> own = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Socket socket = new Socket();
            socket.setReceiveBufferSize(4_096); // so that answers that are not read soon fill it
            socket.connect(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), service.address().getPort()));
            socket.setSoTimeout(1);
            own.add(socket);
        }
        sockets.addAll(own);
        return own;
    }

    private void harass(List<Socket> own, Kind kind, AtomicInteger sent) {
        List<Socket> open = new ArrayList<>(own);
        open.forEach(socket -> send(socket, kind.opening, sent));
        if (kind == Kind.HANGS_UP) {
            hangUp(open, kind, sent);
            return;
        }
        byte[] answers = new byte[4_096];
        while (!over.get() && !open.isEmpty()) {
            open.removeIf(socket -> !send(socket, kind.piece.formatted(sent.get()), sent));
            if (kind != Kind.ANSWERS_NOT_READ) {
                open.forEach(socket -> read(socket, answers));
            }
            pause();
        }
    }

    private void hangUp(List<Socket> open, Kind kind, AtomicInteger sent) {
        List<Socket> present = open;
        while (!over.get()) {
            try {
                for (Socket socket : present) {
                    socket.setSoLinger(true, 0);
                    socket.close();
                }
                present = new ArrayList<>();
                for (int i = 0; i < CONNECTIONS / SENDERS; i++) {
                    Socket socket = new Socket(
                            InetAddress.getLoopbackAddress(), service.address().getPort());
                    present.add(socket);
                    send(socket, kind.opening, sent);
                }
                pause();
            } catch (IOException e) {
                // refused for the moment; again
            }
        }
    }

    private static void pause() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
    }

    private static boolean send(Socket socket, String text, AtomicInteger sent) {
        try {
            if (socket.getSendBufferSize() == 0 || socket.isClosed()) {
                return false;
            }
            OutputStream out = socket.getOutputStream();
            out.write(text.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            sent.incrementAndGet();
            return true;
        } catch (IOException e) {
            return false; // the service has closed it, as it may
        }
    }

    private static void read(Socket socket, byte[] answers) {
        try {
            if (socket.getInputStream().available() > 0) {
                socket.getInputStream().read(answers);
            }
        } catch (IOException e) {
            // closed; the next write finds out
        }
    }

    /**
     * Asked by new connections, as probes do. What a thread of this process oversleeps meanwhile is of the machine, which others use as well,
     * and does not count.
     */
    private long slowestHealth() throws Exception {
        AtomicLong stallNanos = new AtomicLong();
        threads.execute(() -> watchStalls(stallNanos));
        AtomicLong slowestNanos = new AtomicLong();
        long startNanos = System.nanoTime();
        while (System.nanoTime() - startNanos < TimeUnit.SECONDS.toNanos(SECONDS)) {
            stallNanos.set(0);
            long askedNanos = System.nanoTime();
            String answer;
            try (Socket probe = new Socket()) {
                probe.connect(new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), service.address().getPort()));
                probe.setSoTimeout(20_000);
                probe.getOutputStream().write(PROBE);
                answer = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            }
            slowestNanos.accumulateAndGet(System.nanoTime() - askedNanos - stallNanos.get(), Math::max);
            assertThat(answer).startsWith("HTTP/1.1 200");
            Thread.sleep(50);
        }
        return slowestNanos.get();
    }

    private void watchStalls(AtomicLong stallNanos) {
        while (!over.get()) {
            long beforeNanos = System.nanoTime();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(STALL_STEP_MILLIS));
            stallNanos.addAndGet(System.nanoTime() - beforeNanos - TimeUnit.MILLISECONDS.toNanos(STALL_STEP_MILLIS));
        }
    }

    /** What stays after a collection. */
    private static long keptBytes() throws InterruptedException {
        System.gc();
        Thread.sleep(200);
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    @DisplayName("A body that does not come is given up after ten seconds, and its connection is closed")
    void slowBodyIsGivenUp() throws Exception {
        try (Socket socket = new Socket("127.0.0.1", service.address().getPort())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(Kind.HALF_BODIES.opening.getBytes(StandardCharsets.ISO_8859_1));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 408").contains("slow-body", "\"repeat\":\"yes\"");
        }
    }

    @Test
    @DisplayName("New branches beyond the limit are told so with 503, and old ones are served on")
    void branchesBeyondTheLimit() throws Exception {
        Caller caller = service.caller();
        int refused = 0;
        for (int branch = 0; branch < PROVIDERS_MAX + 5; branch++) {
            Caller.Reply reply = caller.acquire("acme/shop/new-" + branch, "sha", 1);
            if (reply.status() == 503 && reply.error().equals("provider-limit")) {
                refused++;
            }
        }
        assertThat(refused).isEqualTo(6);
        assertThat(caller.acquire("acme/shop/main", "first", 1).status()).isEqualTo(200);
    }
}
