package dev.leasehold.bench.server;

import dev.leasehold.bench.process.JavaCommand;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Three nodes of ZooKeeper with its default settings, in processes of their own. Its server comes with its client. */
final class ZooKeeper {

    private static final int NODES = 3;
    private static final String SERVER = "org.apache.zookeeper.server.quorum.QuorumPeerMain";

    private ZooKeeper() {}

    /** As {@link PeerServer.Start}, without a program. */
    static String start(List<Path> programs, Path folder, List<ServerProcess> processes)
            throws IOException, InterruptedException {
        List<Integer> clientPorts = ServerProcess.freePorts(NODES);
        List<String> servers = new ArrayList<>();
        for (int node = 1; node <= NODES; node++) {
            servers.add("server." + node + "=127.0.0.1:" + ServerProcess.freePort() + ":" + ServerProcess.freePort());
        }
        for (int node = 1; node <= NODES; node++) {
            Path data = Files.createDirectories(folder.resolve("zookeeper-" + node));
            Files.writeString(data.resolve("myid"), String.valueOf(node));
            List<String> settings = new ArrayList<>(List.of(
                    "dataDir=" + data,
                    "clientPort=" + clientPorts.get(node - 1),
                    "clientPortAddress=127.0.0.1",
                    "tickTime=2000",
                    "initLimit=10",
                    "syncLimit=5",
                    "maxClientCnxns=0",
                    "admin.enableServer=false"));
            settings.addAll(servers);
            processes.add(ServerProcess.start(
                    data,
                    JavaCommand.of(
                            List.of("-Xmx256m"),
                            SERVER,
                            List.of(Files.write(data.resolve("settings"), settings)
                                    .toString()))));
        }
        for (int node = 0; node < NODES; node++) {
            int port = clientPorts.get(node);
            // A node takes connections before it has a leader, and closes them again.
            processes.get(node).await("part of a quorum", () -> mode(port).contains("Mode: "));
        }
        return clientPorts.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }

    /** What a node answers when it is asked for its part, which is nothing while it has none. */
    private static String mode(int port) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }
}
