package dev.leasehold.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.leasehold.bench.adapters.Access;
import dev.leasehold.bench.adapters.Held;
import dev.leasehold.bench.adapters.Library;
import dev.leasehold.bench.adapters.Locks;
import dev.leasehold.bench.adapters.ServerAddresses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Takes part where PostgreSQL is on the {@code PATH}, as the peer itself does. */
class PostgresIT {

    @TempDir
    private Path folder;

    private PeerServer postgres;
    private Access access;

    @BeforeEach
    void start() throws Exception {
        Optional<Path> initdb = OnPath.find("initdb");
        Optional<Path> program = OnPath.find("postgres");
        assumeThat(initdb).as("initdb on the PATH").isPresent();
        assumeThat(program).as("postgres on the PATH").isPresent();
        postgres = PeerServer.start(Postgres::start, List.of(initdb.orElseThrow(), program.orElseThrow()), folder);
        access = Access.to(new ServerAddresses("mongodb://127.0.0.1:1", "none", null, null, null, postgres.address()));
    }

    @AfterEach
    void stop() {
        Optional.ofNullable(postgres).ifPresent(PeerServer::close);
    }

    private Locks open() throws Exception {
        return Library.JDBC.open(access, "namespace", Duration.ofSeconds(30));
    }

    @Test
    void waiterHasTheLockWhenItWasGivenUpElsewhere() throws Exception {
        try (Locks one = open();
                Locks other = open()) {
            AtomicBoolean isGivenUp = new AtomicBoolean();
            Held held = one.acquire("a");
            CountDownLatch asks = new CountDownLatch(1);
            CompletableFuture<Boolean> wasGivenUp = CompletableFuture.supplyAsync(() -> {
                asks.countDown();
                acquire(other, "a");
                return isGivenUp.get();
            });
            assertThat(asks.await(1, TimeUnit.MINUTES)).isTrue();
            assertThat(wasGivenUp).isNotDone();

            isGivenUp.set(true);
            held.release();

            assertThat(wasGivenUp.get()).isTrue();
        }
    }

    @Test
    void oneThreadTakesALockAndAnotherGivesItUp() throws Exception {
        try (Locks one = open();
                Locks other = open()) {
            Held held = CompletableFuture.supplyAsync(() -> acquire(one, "a")).get();
            held.release();

            other.acquire("a").release();
        }
    }

    @Test
    void anotherNameIsAnotherLock() throws Exception {
        try (Locks one = open();
                Locks other = open()) {
            one.acquire("a");
            other.acquire("b").release();
        }
    }

    @Test
    void nothingIsLeftBehindEvenWhereConnectionsAreOpen() throws Exception {
        // Not closed, since it could not be afterwards: it would wait for the server.
        open();
        Path data = folder.resolve("postgres").resolve("data");
        assertThat(data.resolve("postmaster.pid")).exists();

        postgres.close();

        assertThat(data.resolve("postmaster.pid")).doesNotExist();
        assertThat(ProcessHandle.current().descendants().filter(PostgresIT::isPostgres))
                .isEmpty();
        assertThat(log()).contains("fast shutdown request");
    }

    @Test
    void whyThereIsNoClusterIsSaid() throws IOException {
        Path initdb = Files.writeString(folder.resolve("initdb"), "#!/bin/sh\necho no space\necho left\nexit 3\n");
        Files.setPosixFilePermissions(initdb, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));

        assertThatIOException()
                .isThrownBy(() -> PeerServer.start(Postgres::start, List.of(initdb, Path.of("postgres")), elsewhere))
                .withMessage("initdb ended with 3: no space left");
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("postgres").resolve("log"));
    }

    private static boolean isPostgres(ProcessHandle process) {
        return process.info().command().orElse("").endsWith("postgres");
    }

    private static Held acquire(Locks locks, String name) {
        try {
            return locks.acquireForAnyThread(name);
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }
}
