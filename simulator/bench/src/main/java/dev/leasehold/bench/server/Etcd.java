package dev.leasehold.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Three nodes of etcd with its default settings. */
final class Etcd {

    private static final int NODES = 3;

    private Etcd() {}

    /** As {@link PeerServer.Start}. */
    static String start(List<Path> programs, Path folder, List<ServerProcess> processes)
            throws IOException, InterruptedException {
        List<Integer> peerPorts = ServerProcess.freePorts(NODES);
        List<Integer> clientPorts = ServerProcess.freePorts(NODES);
        String cluster = IntStream.range(0, NODES)
                .mapToObj(node -> "node" + node + "=" + url(peerPorts.get(node)))
                .collect(Collectors.joining(","));
        for (int node = 0; node < NODES; node++) {
            Path data = Files.createDirectories(folder.resolve("etcd-" + node));
            processes.add(ServerProcess.start(
                    data,
                    List.of(
                            programs.get(0).toString(),
                            "--name",
                            "node" + node,
                            "--data-dir",
                            data.resolve("data").toString(),
                            "--listen-peer-urls",
                            url(peerPorts.get(node)),
                            "--initial-advertise-peer-urls",
                            url(peerPorts.get(node)),
                            "--listen-client-urls",
                            url(clientPorts.get(node)),
                            "--advertise-client-urls",
                            url(clientPorts.get(node)),
                            "--initial-cluster",
                            cluster)));
        }
        for (int node = 0; node < NODES; node++) {
            processes.get(node).awaitPort(clientPorts.get(node));
        }
        return clientPorts.stream().map(Etcd::url).collect(Collectors.joining(","));
    }

    private static String url(int port) {
        return "http://127.0.0.1:" + port;
    }
}
