package dev.leasehold.mergequeue.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Connections that are held open by bytes alone. The limits are short here, and an hour where they must not end the test. */
class ConnectionsTest {

    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofHours(1);
    private static final int MAX = 20;
    private static final int TRICKLE_MAX = 3_000;
    /** More than the buffers of the operating system take, so that an answer that is not read is not sent either. */
    private static final int LARGE = 32 * 1024 * 1024;

    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);
    private Connections connections;

    @BeforeEach
    void listen() {
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
        connections.close();
    }

    private void start(Duration headLimit, Duration answerLimit) throws Exception {
        connections = new Connections(headLimit, answerLimit, MAX, LARGE + LARGE / 2);
        connector.addBean(connections);
        server.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                connections.began(request);
                if (request.getHttpURI().getPath().equals("/answered")) {
                    response.write(true, ByteBuffer.wrap("Zes".getBytes(StandardCharsets.UTF_8)), callback);
                } else if (request.getHttpURI().getPath().endsWith("large")) {
                    BufferedAnswer answer = new BufferedAnswer(request, response, callback, connections);
                    int times = request.getHttpURI().getPath().equals("/very-large") ? 2 : 1;
                    answer.write(true, ByteBuffer.allocate(times * LARGE), answer);
                }
                return true; // any other is never answered
            }
        });
        server.start();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort());
        socket.setSoTimeout(60_000);
        return socket;
    }

    @Test
    @DisplayName("A head that comes byte by byte is given up, however steadily it comes")
    void tricklingHeadIsGivenUp() throws Exception {
        start(SHORT, LONG);
        try (Socket socket = connect()) {
            send(socket, "GET /answered HTTP/1.1\r\nHost: x\r\nX: ");

            assertThat(isClosedWhileTrickling(socket)).isTrue();
        }
    }

    @Test
    @DisplayName("A request whose answer does not end is given up")
    void endlessAnswerIsGivenUp() throws Exception {
        start(LONG, SHORT);
        try (Socket socket = connect()) {
            send(socket, "GET /never HTTP/1.1\r\nHost: x\r\n\r\n");

            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    @DisplayName("Requests that come and are answered keep their connection")
    void answeredRequestsKeepTheirConnection() throws Exception {
        start(LONG, LONG);
        try (Socket socket = connect()) {
            for (int request = 0; request < 3; request++) {
                send(socket, "GET /answered HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThat(socket.getInputStream().read()).isEqualTo('H');
                while (socket.getInputStream().read() != 'Z') {
                    // the rest of the head
                }
                assertThat(new String(socket.getInputStream().readNBytes(2), StandardCharsets.UTF_8))
                        .isEqualTo("es");
            }
        }
    }

    @Test
    @DisplayName(
            "When there are as many connections as may be, a new one takes the place of the idlest, and is answered")
    void newConnectionTakesThePlaceOfTheIdlest() throws Exception {
        start(LONG, LONG);
        List<Socket> idle = new ArrayList<>();
        try {
            for (int i = 0; i < MAX + 10; i++) {
                idle.add(connect());
            }
            try (Socket socket = connect()) {
                send(socket, "GET /answered HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThat(socket.getInputStream().read()).isEqualTo('H');
            }
            assertThat(idle.get(0).getInputStream().read()).isEqualTo(-1);
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }

    @Test
    @DisplayName(
            "When answers that were not taken occupy as much memory as they may, a new one takes the place of the oldest")
    void newAnswerTakesThePlaceOfTheOldest() throws Exception {
        start(LONG, LONG);
        try (Socket silent = connect();
                Socket reader = connect()) {
            send(silent, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(silent.getInputStream().read()).isEqualTo('H');

            send(reader, "GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

            assertThat(reader.getInputStream().readAllBytes()).hasSizeGreaterThan(LARGE);
            assertThat(silent.getInputStream().readAllBytes()).hasSizeLessThan(LARGE);
        }
    }

    @Test
    @DisplayName(
            "An answer that is greater than all may be takes the place of no other, and is the first to lose its own")
    void oversizedAnswerTakesNoPlace() throws Exception {
        start(LONG, LONG);
        try (Socket slow = connect();
                Socket oversized = connect();
                Socket silent = connect();
                Socket last = connect()) {
            send(slow, "GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertThat(slow.getInputStream().read()).isEqualTo('H');
            send(oversized, "GET /very-large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertThat(oversized.getInputStream().readAllBytes()).hasSizeGreaterThan(2 * LARGE);
            assertThat(slow.getInputStream().readAllBytes()).hasSizeGreaterThan(LARGE);

            send(silent, "GET /very-large HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(silent.getInputStream().read()).isEqualTo('H');
            send(last, "GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

            assertThat(last.getInputStream().readAllBytes()).hasSizeGreaterThan(LARGE);
            assertThat(silent.getInputStream().readAllBytes()).hasSizeLessThan(2 * LARGE);
        }
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static boolean isClosedWhileTrickling(Socket socket) throws InterruptedException {
        for (int sent = 0; sent < TRICKLE_MAX; sent++) {
            try {
                send(socket, "a");
            } catch (IOException e) {
                return true;
            }
            Thread.sleep(10);
        }
        return false;
    }
}
