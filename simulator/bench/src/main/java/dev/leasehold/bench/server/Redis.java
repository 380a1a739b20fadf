package dev.leasehold.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** One Redis, which syncs its file before it answers a write. */
final class Redis {

    private Redis() {}

    /** As {@link PeerServer.Start}. */
    static String start(List<Path> programs, Path folder, List<ServerProcess> processes)
            throws IOException, InterruptedException {
        int port = ServerProcess.freePort();
        Path data = Files.createDirectories(folder.resolve("redis"));
        ServerProcess process = ServerProcess.start(
                data,
                List.of(
                        programs.get(0).toString(),
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
                        "always"));
        processes.add(process);
        process.awaitPort(port);
        return "redis://127.0.0.1:" + port;
    }
}
