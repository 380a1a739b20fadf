package dev.leasehold.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** One PostgreSQL with its default durability: it syncs its log before a commit is acknowledged. */
final class Postgres implements AutoCloseable {

    private static final String USER = "postgres";
    /** Each of sixteen processes may have sixteen. */
    private static final int CONNECTIONS_MAX = 300;

    private final ServerProcess process;
    private final int port;

    private Postgres(ServerProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Creates a cluster in the folder and starts it; it takes connections, but may not be ready for them. */
    static Postgres start(Path initdb, Path program, Path folder) throws IOException, InterruptedException {
        Path own = Files.createDirectories(folder.resolve("postgres"));
        Account account = Account.withoutRoot(own);
        Path data = own.resolve("data");
        initialize(account, initdb, own, data);
        int port = ServerProcess.freePort();
        Postgres postgres = new Postgres(
                ServerProcess.start(
                        own,
                        account.command(List.of(
                                program.toString(),
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
                                "max_connections=" + CONNECTIONS_MAX))),
                port);
        try {
            postgres.process.awaitPort(port);
            return postgres;
        } catch (IOException | InterruptedException e) {
            postgres.close();
            throw e;
        }
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

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + USER;
    }

    /** Without waiting for connections that were left open. */
    @Override
    public void close() {
        process.interrupt();
        process.close();
    }
}
