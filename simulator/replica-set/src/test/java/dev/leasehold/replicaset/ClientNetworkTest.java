package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.replicaset.ClientNetwork.Cut;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client is the SOCKS client of the JDK, so nothing here knows how the proxy is spoken to. */
@Timeout(60)
class ClientNetworkTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    /** How long nothing is waited for. */
    private static final int SILENCE_MILLIS = 100;

    private final List<Socket> sockets = new ArrayList<>();
    private ServerSocket server;
    private ClientNetwork network;

    @BeforeEach
    void open() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        network = ClientNetwork.open();
    }

    @AfterEach
    void close() throws IOException {
        network.close();
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private record Line(Socket client, Socket server) {

        void asks(int request) throws IOException {
            client.getOutputStream().write(request);
        }

        void answers(int answer) throws IOException {
            server.getOutputStream().write(answer);
        }

        int arrivesAtServer() throws IOException {
            return server.getInputStream().read();
        }

        int arrivesAtClient() throws IOException {
            return client.getInputStream().read();
        }
    }

    private Socket kept(Socket socket) {
        sockets.add(socket);
        return socket;
    }

    private Socket newClient() {
        return kept(new Socket(
                new Proxy(Proxy.Type.SOCKS, new InetSocketAddress(InetAddress.getLoopbackAddress(), network.port()))));
    }

    private InetSocketAddress address() {
        return new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
    }

    private Line connected() throws IOException {
        Socket client = newClient();
        client.connect(address());
        return new Line(client, kept(server.accept()));
    }

    private static void assertNothingArrives(Socket socket) throws IOException {
        socket.setSoTimeout(SILENCE_MILLIS);
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(0);
    }

    private void awaitConnections(int count) {
        Awaiting.answer(
                count + " connections",
                LIMIT,
                () -> Optional.of(count).filter(wanted -> network.connections() == wanted));
    }

    @Test
    void whatIsSentArrivesInBothDirections() throws IOException {
        Line line = connected();

        line.asks(7);
        assertThat(line.arrivesAtServer()).isEqualTo(7);
        line.answers(8);
        assertThat(line.arrivesAtClient()).isEqualTo(8);
        assertThat(network.connections()).isEqualTo(1);
    }

    @Test
    void aNameIsLookedUpForTheClient() throws IOException {
        Socket client = newClient();

        client.connect(InetSocketAddress.createUnresolved("localhost", server.getLocalPort()));

        assertThat(kept(server.accept()).isConnected()).isTrue();
    }

    @Test
    void theEndOfOneSideEndsTheOther() throws IOException {
        Line left = connected();
        Line right = connected();

        left.answers(8);
        left.server().close();
        right.client().close();

        assertThat(left.arrivesAtClient()).isEqualTo(8);
        assertThat(left.arrivesAtClient()).isEqualTo(-1);
        assertThat(right.arrivesAtServer()).isEqualTo(-1);
        awaitConnections(0);
    }

    @Test
    void aServerThatIsNotThereIsRefused() throws IOException {
        server.close();

        assertThatThrownBy(() -> newClient().connect(address())).isInstanceOf(IOException.class);
    }

    @Test
    void aBrokenNetworkResetsWhatIsOpenAndTakesNothingNew() throws IOException {
        Line line = connected();

        network.cut(Cut.BROKEN);

        assertThatThrownBy(line::arrivesAtClient).isInstanceOf(IOException.class);
        assertThatThrownBy(line::arrivesAtServer).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> newClient().connect(address())).isInstanceOf(IOException.class);
        awaitConnections(0);
    }

    @Test
    void aMendedNetworkTakesNewConnections() throws IOException {
        network.cut(Cut.BROKEN);
        network.mend();

        Line line = connected();

        line.asks(7);
        assertThat(line.arrivesAtServer()).isEqualTo(7);
    }

    @Test
    void throughASilentNetworkNothingArrivesUntilItIsMended() throws IOException {
        Line line = connected();
        network.cut(Cut.SILENT);

        line.asks(7);
        line.answers(8);
        assertNothingArrives(line.server());
        assertNothingArrives(line.client());

        network.mend();
        assertThat(line.arrivesAtServer()).isEqualTo(7);
        assertThat(line.arrivesAtClient()).isEqualTo(8);
    }

    @Test
    void aRequestArrivesLateAlsoIfItsSenderHasGivenUp() throws IOException {
        Line line = connected();
        network.cut(Cut.SILENT);
        line.asks(7);
        line.client().close();

        assertNothingArrives(line.server());

        network.mend();
        assertThat(line.arrivesAtServer()).isEqualTo(7);
        assertThat(line.arrivesAtServer()).isEqualTo(-1);
    }

    @Test
    void aNewConnectionIsMadeWhenASilentNetworkIsMended() throws IOException {
        network.cut(Cut.SILENT);
        Socket impatient = newClient();
        assertThatThrownBy(() -> impatient.connect(address(), SILENCE_MILLIS))
                .isInstanceOf(SocketTimeoutException.class);

        network.mend();

        Line line = connected();
        line.answers(8);
        assertThat(line.arrivesAtClient()).isEqualTo(8);
    }

    @Test
    void withoutAnswersTheRequestsStillArrive() throws IOException {
        Line line = connected();
        network.cut(Cut.WITHOUT_ANSWERS);

        line.asks(7);
        assertThat(line.arrivesAtServer()).isEqualTo(7);
        line.answers(8);
        assertNothingArrives(line.client());

        network.mend();
        assertThat(line.arrivesAtClient()).isEqualTo(8);
    }

    @Test
    void aSilentNetworkThatBreaksEndsWhatWasHeldUp() throws IOException {
        Line line = connected();
        network.cut(Cut.SILENT);
        line.asks(7);
        assertNothingArrives(line.server());

        network.cut(Cut.BROKEN);

        assertThatThrownBy(line::arrivesAtServer).isInstanceOf(IOException.class);
        awaitConnections(0);
    }

    @Test
    void aClosedNetworkEndsItsConnectionsAlsoWhileSilent() throws IOException {
        Line line = connected();
        network.cut(Cut.SILENT);

        network.close();

        assertThatThrownBy(line::arrivesAtClient).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> newClient().connect(address())).isInstanceOf(IOException.class);
    }

    @Test
    void theUriNeedsAnOptionToAddTo() {
        assertThat(network.uri("mongodb://127.0.0.1/?replicaSet=rs"))
                .isEqualTo("mongodb://127.0.0.1/?replicaSet=rs&proxyHost=127.0.0.1&proxyPort=" + network.port());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> network.uri("mongodb://127.0.0.1"))
                .withMessageContaining("'mongodb://127.0.0.1'");
    }
}
