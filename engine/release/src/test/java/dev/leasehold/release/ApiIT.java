package dev.leasehold.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The API of the bundle beside that of the last release, which is kept in the folder {@code baseline}. */
class ApiIT {

    private static final Path BASELINE = Path.of("baseline");
    private static final String VERSION = System.getProperty("leasehold.version");

    @Test
    @EnabledIfSystemProperty(named = "leasehold.api.kept", matches = "true")
    @DisplayName("A version that keeps the API breaks no caller of the last release")
    void keepsTheApi(@TempDir Path folder) throws IOException {
        String released = Files.readString(BASELINE.resolve("VERSION")).strip();
        Path repository = Bundle.read().unpackedInto(folder);
        List<String> breaks = new ArrayList<>();
        int compared = 0;
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(BASELINE, "*.jar")) {
            for (Path older : jars) {
                String artifact = older.getFileName().toString().replace(".jar", "");
                Path newer = repository.resolve("dev/leasehold/%1$s/%2$s/%1$s-%2$s.jar".formatted(artifact, VERSION));
                breaks.addAll(Files.exists(newer) ? ApiBreaks.between(older, newer) : List.of(artifact + ": removed"));
                compared++;
            }
        }

        assertThat(compared).isPositive();
        if (!ReleaseLine.mayBreak(released, VERSION)) {
            assertThat(breaks).as("%s breaks callers of %s", VERSION, released).isEmpty();
        }
    }
}
