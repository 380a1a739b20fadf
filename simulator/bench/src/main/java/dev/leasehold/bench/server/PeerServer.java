package dev.leasehold.bench.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The server of a peer, of one process or several, which end together. */
final class PeerServer implements AutoCloseable {

    private final List<ServerProcess> processes = new ArrayList<>();
    private String address = "";

    private PeerServer() {}

    /** Starts the processes of a server. */
    interface Start {

        /**
         * Returns when they take connections.
         *
         * @param programs that were found on the {@code PATH}
         * @param folder for what they keep
         * @param processes gets each of them; also when this throws
         * @return where clients find them
         */
        String start(List<Path> programs, Path folder, List<ServerProcess> processes)
                throws IOException, InterruptedException;
    }

    /** Starts a server, or leaves nothing behind. */
    static PeerServer start(Start start, List<Path> programs, Path folder) throws IOException, InterruptedException {
        PeerServer server = new PeerServer();
        try {
            server.address = start.start(programs, folder, server.processes);
            return server;
        } catch (IOException | InterruptedException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** {@return where clients find it} */
    String address() {
        return address;
    }

    @Override
    public void close() {
        processes.forEach(ServerProcess::close);
    }
}
