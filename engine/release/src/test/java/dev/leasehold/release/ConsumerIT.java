package dev.leasehold.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A project of a user, whose Maven finds Leasehold in the bundle and nowhere else. */
class ConsumerIT {

    private static final Path CONSUMER = Path.of("consumer").toAbsolutePath();
    private static final String VERSION = System.getProperty("leasehold.version");

    /** Stays until the next clean build: JUnit would warn of each link that it deletes. */
    private Path folder;

    @BeforeEach
    void createFolder() throws IOException {
        folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "consumer");
    }

    @Test
    @DisplayName(
            "A project with the bundle as its repository compiles against all modules, and its program has a lease")
    void buildsAndRuns() throws Exception {
        Path repository = Bundle.read().unpackedInto(folder.resolve("repository"));
        Path project = copied();

        List<String> arguments = new ArrayList<>(List.of(
                "-Dleasehold.version=" + VERSION,
                "-Dleasehold.repository=" + repository.toUri(),
                "-Dmaven.repo.local=" + repositoryWithoutLeasehold(),
                "compile",
                "exec:java"));
        if (System.getProperty("leasehold.network").equals("offline=true")) {
            // As the build that runs this. The bundle is on this machine.
            arguments.addAll(List.of("--offline", "-Daether.offline.protocols=file"));
        }
        String output = maven(project, arguments);

        assertThat(output).contains("holds orders with token", "BUILD SUCCESS");
    }

    private Path copied() throws IOException {
        Path project = folder.resolve("project");
        try (Stream<Path> files = Files.walk(CONSUMER)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = project.resolve(CONSUMER.relativize(file));
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
        return project;
    }

    /** All that was fetched before, so that it is not fetched again, but nothing of this project. */
    private Path repositoryWithoutLeasehold() throws IOException {
        Path local = Path.of(System.getProperty("leasehold.repository"));
        Path own = Files.createDirectories(folder.resolve("local"));
        link(local, own, "dev");
        link(local.resolve("dev"), Files.createDirectories(own.resolve("dev")), "leasehold");
        return own;
    }

    private static void link(Path from, Path to, String except) throws IOException {
        if (Files.isDirectory(from)) {
            try (Stream<Path> entries = Files.list(from)) {
                for (Path entry : entries.toList()) {
                    if (!entry.getFileName().toString().equals(except)) {
                        Files.createSymbolicLink(to.resolve(entry.getFileName()), entry);
                    }
                }
            }
        }
    }

    private static String maven(Path project, List<String> arguments) throws IOException, InterruptedException {
        Path log = project.resolve("maven.log");
        ProcessBuilder builder = new ProcessBuilder(
                Stream.concat(Stream.of(System.getProperty("leasehold.maven"), "-B"), arguments.stream())
                        .toList());
        // The key is for the release alone, and the options of this build are not those of a user.
        builder.environment().keySet().removeAll(List.of("MAVEN_GPG_KEY", "MAVEN_GPG_PASSPHRASE", "MAVEN_ARGS"));
        Process process = builder.directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String output = Files.readString(log, UTF_8);
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }
}
