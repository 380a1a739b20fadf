package dev.leasehold.replicaset;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.Executor;

/** One connection of a client through its {@link ClientNetwork}, from the greeting to the end. */
final class ProxyConnection {

    private static final int CONNECT_MILLIS_MAX = 5_000;
    private static final int CHUNK_BYTES = 64 * 1024;

    /** What can end by the end of a connection. */
    private interface Carrying {
        void run() throws IOException;
    }

    private final Socket client;
    private final Socket server = new Socket();
    private final Gate requests;
    private final Gate answers;

    ProxyConnection(Socket client, Gate requests, Gate answers) {
        this.client = client;
        this.requests = requests;
        this.answers = answers;
    }

    /** Carries bytes in both directions until one side ends it. Another thread carries the answers. */
    void run(Executor threads) {
        untilTheEnd(() -> {
            requests.pass();
            answers.pass();
            connect();
            threads.execute(() -> untilTheEnd(() -> carry(server.getInputStream(), answers, client.getOutputStream())));
            carry(client.getInputStream(), requests, server.getOutputStream());
        });
    }

    /** Ends it on both sides at once, without the usual farewell: what was not delivered is lost. */
    void reset() {
        // Both first: as soon as one of them is closed, the thread that carries closes the other one too.
        resetWhenClosed(client);
        resetWhenClosed(server);
        close(client);
        close(server);
    }

    private void untilTheEnd(Carrying carrying) {
        try (client;
                server) {
            carrying.run();
        } catch (IOException e) {
            // Either side may end at any time; the other one is told by the end of its own connection.
        }
    }

    private void connect() throws IOException {
        SocksRequest request =
                SocksRequest.read(new DataInputStream(client.getInputStream()), client.getOutputStream());
        try {
            server.connect(request.target(), CONNECT_MILLIS_MAX);
        } catch (IOException e) {
            SocksRequest.refuse(client.getOutputStream());
            throw e;
        }
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        SocksRequest.grant(client.getOutputStream());
    }

    /** That one side ended has to pass the gate too: through a silent network it is not heard. */
    private static void carry(InputStream from, Gate gate, OutputStream to) throws IOException {
        byte[] chunk = new byte[CHUNK_BYTES];
        int length;
        do {
            length = read(from, chunk);
            gate.pass();
            to.write(chunk, 0, Math.max(0, length));
        } while (length >= 0);
    }

    private static int read(InputStream from, byte[] chunk) {
        try {
            return from.read(chunk);
        } catch (IOException e) {
            return -1;
        }
    }

    private static void resetWhenClosed(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // It is closed already.
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is not open any more in any case.
        }
    }
}
