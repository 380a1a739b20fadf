package dev.leasehold.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Three nodes of etcd with its default settings. */
final class Etcd implements AutoCloseable {

    private static final int NODES = 3;

    private final List<ServerProcess> nodes = new ArrayList<>();
    private final List<Integer> clientPorts = new ArrayList<>();

    private Etcd() {}

    static Etcd start(Path program, Path folder) throws IOException, InterruptedException {
        Etcd etcd = new Etcd();
        try {
            etcd.startNodes(program, folder);
            return etcd;
        } catch (IOException | InterruptedException e) {
            etcd.close();
            throw e;
        }
    }

    private void startNodes(Path program, Path folder) throws IOException, InterruptedException {
        List<Integer> peerPorts = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            peerPorts.add(ServerProcess.freePort());
            clientPorts.add(ServerProcess.freePort());
        }
        String cluster = IntStream.range(0, NODES)
                .mapToObj(node -> "node" + node + "=" + url(peerPorts.get(node)))
                .collect(Collectors.joining(","));
        for (int node = 0; node < NODES; node++) {
            Path data = Files.createDirectories(folder.resolve("etcd-" + node));
            nodes.add(ServerProcess.start(
                    data,
                    List.of(
                            program.toString(),
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
            nodes.get(node).awaitPort(clientPorts.get(node));
        }
    }

    private static String url(int port) {
        return "http://127.0.0.1:" + port;
    }

    String endpoints() {
        return clientPorts.stream().map(Etcd::url).collect(Collectors.joining(","));
    }

    @Override
    public void close() {
        nodes.forEach(ServerProcess::close);
    }
}
