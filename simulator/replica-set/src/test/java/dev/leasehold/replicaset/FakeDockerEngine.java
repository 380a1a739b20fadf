package dev.leasehold.replicaset;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Answers everything that comes to a socket with one line. */
final class FakeDockerEngine implements AutoCloseable {

    private static final byte[] ANSWER = "HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Path socket;
    private final ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);

    FakeDockerEngine(Path folder) throws IOException {
        socket = folder.resolve("docker.sock");
        server.bind(UnixDomainSocketAddress.of(socket));
        Thread thread = new Thread(this::serve, "fake-docker-engine");
        thread.setDaemon(true);
        thread.start();
    }

    String host() {
        return "unix://" + socket;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    private void serve() {
        try {
            while (true) {
                try (SocketChannel client = server.accept()) {
                    // A socket that is closed with something unread loses its answer.
                    client.read(ByteBuffer.allocate(1_000));
                    client.write(ByteBuffer.wrap(ANSWER));
                }
            }
        } catch (ClosedChannelException e) {
            // The test is over.
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
