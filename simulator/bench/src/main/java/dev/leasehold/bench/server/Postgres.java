package dev.leasehold.bench.server;

import dev.leasehold.bench.adapters.JdbcLocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/** One PostgreSQL with its default durability: it syncs its log before a commit is acknowledged. */
final class Postgres {

    private static final String USER = "postgres";
    /** Each of sixteen processes may have sixteen. */
    private static final int CONNECTIONS_MAX = 300;

    private Postgres() {}

    /** As {@link PeerServer.Start}, with {@code initdb} and {@code postgres}: creates a cluster in the folder, with the table of the locks. */
    static String start(List<Path> programs, Path folder, List<ServerProcess> processes)
            throws IOException, InterruptedException {
        Path own = Files.createDirectories(folder.resolve("postgres"));
        Account account = Account.withoutRoot(own);
        Path data = own.resolve("data");
        initialize(account, programs.get(0), own, data);
        int port = ServerProcess.freePort();
        ServerProcess process = ServerProcess.start(
                own,
                account.command(List.of(
                        programs.get(1).toString(),
                        "-D",
                        data.toString(),
                        "-p",
                        String.valueOf(port),
                        "-c",
                        "listen_addresses=127.0.0.1",
                        // No client uses sockets with a path, which might be too long for one here.
                        "-c",
                        "unix_socket_directories=",
                        "-c",
                        "max_connections=" + CONNECTIONS_MAX)));
        processes.add(process);
        process.awaitPort(port);
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + USER;
        try {
            JdbcLocks.prepare(url);
        } catch (SQLException e) {
            throw new IOException(e.getMessage(), e);
        }
        return url;
    }

    private static void initialize(Account account, Path initdb, Path folder, Path data)
            throws IOException, InterruptedException {
        Path log = folder.resolve("log-of-initdb");
        // It syncs nothing itself. The server does.
        List<String> command = List.of(
                initdb.toString(),
                "-D",
                data.toString(),
                "-U",
                USER,
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--no-locale",
                "--no-sync");
        Process process = new ProcessBuilder(account.command(command))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        int status = process.waitFor();
        if (status != 0) {
            throw new IOException("initdb ended with " + status + ": "
                    + Files.readString(log).strip().replace('\n', ' '));
        }
    }
}
