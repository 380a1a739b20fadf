package dev.leasehold.examples.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The compiler checks for nulls only where a package says that it is null-marked. */
class NullMarkedPackagesTest {

    private static final Path MAIN = Path.of("src", "main", "java");

    /** A service that shows that the engine needs no annotations. */
    private static final String UNMARKED =
            "engine/testing/without-micrometer/src/main/java/dev/leasehold/withoutmicrometer";

    @Test
    @DisplayName("Every package of the main sources is null-marked")
    void everyPackageOfTheMainSourcesIsNullMarked() throws IOException {
        Set<String> packages = new TreeSet<>();
        for (Path file : Repository.files()) {
            String name = Repository.ROOT.relativize(file).toString().replace('\\', '/');
            if (name.endsWith(".java")
                    && Repository.isBelow(file, MAIN)
                    && !file.getFileName().toString().equals("module-info.java")) {
                packages.add(name.substring(0, name.lastIndexOf('/')));
            }
        }
        packages.remove(UNMARKED);

        List<String> unmarked =
                packages.stream().filter(each -> !isNullMarked(each)).toList();

        assertThat(packages).contains("engine/core/src/main/java/dev/leasehold/engine");
        assertThat(unmarked).isEmpty();
    }

    private static boolean isNullMarked(String folder) {
        Path info = Repository.ROOT.resolve(folder).resolve("package-info.java");
        try {
            return Files.exists(info) && Files.readString(info).contains("@NullMarked");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
