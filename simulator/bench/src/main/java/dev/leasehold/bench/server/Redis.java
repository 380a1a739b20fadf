package dev.leasehold.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** One Redis, which syncs its file before it answers a write. */
final class Redis implements AutoCloseable {

    private final ServerProcess process;
    private final int port;

    private Redis(ServerProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    static Redis start(Path program, Path folder) throws IOException, InterruptedException {
        int port = ServerProcess.freePort();
        Path data = Files.createDirectories(folder.resolve("redis"));
        Redis redis = new Redis(
                ServerProcess.start(
                        data,
                        List.of(
                                program.toString(),
                                "--port",
                                String.valueOf(port),
                                "--bind",
                                "127.0.0.1",
                                "--dir",
                                data.toString(),
                                "--save",
                                "",
                                "--appendonly",
                                "yes",
                                "--appendfsync",
                                "always")),
                port);
        try {
            redis.process.awaitPort(port);
            return redis;
        } catch (IOException | InterruptedException e) {
            redis.close();
            throw e;
        }
    }

    String address() {
        return "redis://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        process.close();
    }
}
