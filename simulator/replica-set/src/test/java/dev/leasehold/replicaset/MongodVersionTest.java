package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MongodVersionTest {

    @TempDir
    private Path folder;

    private Path mongodThatSays(String output) throws IOException {
        Path script = Files.writeString(folder.resolve("mongod"), "#!/bin/sh\ncat <<'END'\n" + output + "\nEND\n");
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"4.4.29", "5.0.31", "6.0.5", "7.0.14", "8.0.4", "8.2.0-rc3", "9.0.0"})
    @DisplayName("A mongod of each series is taken")
    void eachSeries(String version) throws IOException {
        Path mongod =
                mongodThatSays("db version v" + version + "\nBuild Info: {\n    \"version\": \"" + version + "\"\n}");

        assertThat(MongodVersion.of(mongod)).isEqualTo(version);
    }

    @Test
    @DisplayName("What is no mongod is refused, with what it said")
    void noMongod() throws IOException {
        Path other = mongodThatSays("mongosh 2.3.0");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> MongodVersion.of(other))
                .withMessageContaining("mongosh 2.3.0");
    }

    @Test
    @DisplayName("What it said is shown in whichever encoding it is")
    void anotherEncoding() throws IOException {
        Path other = mongodThatSays("libm.so: kann nicht ge\u00f6ffnet werden");
        Files.write(other, Files.readString(other).getBytes(StandardCharsets.ISO_8859_1));

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> MongodVersion.of(other))
                .withMessageContaining("libm.so: kann nicht ge");
    }
}
