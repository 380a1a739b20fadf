package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;

/** An application that Spring Boot has processed ahead of time, in a JVM with {@code spring.aot.enabled}: its beans are defined by generated code. */
@WithReplicaSet
class AotIT {

    @TempDir
    private Path folder;

    @Test
    @DisplayName("Annotated methods are guarded as they say: names, gates, occurrences and elections")
    void annotatedMethodsAreGuarded(TestDatabase database) throws Exception {
        assertThat(run(database))
                .contains("defined by generated code: true", "counted stock-north-eu")
                .contains("wrote under a lease: true, 1", "caught up, and led");
    }

    @Test
    @DisplayName("A method that cannot be guarded is refused when the application starts")
    void methodThatCannotBeGuardedIsRefused(TestDatabase database) throws Exception {
        assertThat(run(database, "--shop.unguarded=true"))
                .anyMatch(line -> line.contains("Unguarded.run of bean 'unguarded': the method is final"))
                .noneMatch(line -> line.startsWith("counted"));
    }

    /** @return what it printed */
    private List<String> run(TestDatabase database, String... properties) throws Exception {
        String generated = generate(properties).toString();
        Path output = folder.resolve("output.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dspring.aot.enabled=true",
                "-cp",
                generated + File.pathSeparator + System.getProperty("java.class.path"),
                AotApplication.class.getName(),
                "--spring.application.name=shop",
                "--shop.region=eu",
                "--spring.mongodb.uri=" + database.uri(),
                "--spring.mongodb.database=" + database.name()));
        command.addAll(List.of(properties));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            process.waitFor();
        } finally {
            process.destroyForcibly();
        }
        return Files.readAllLines(output);
    }

    /** As the plugins for Maven and Gradle do it, while nothing is known of the database. */
    private Path generate(String... properties) throws Exception {
        Path sources = folder.resolve("sources");
        Path classes = folder.resolve("classes");
        List<String> arguments = new ArrayList<>(List.of(
                AotApplication.class.getName(),
                sources.toString(),
                classes.toString(),
                classes.toString(),
                "shop",
                "shop"));
        arguments.addAll(List.of(properties));
        SpringApplicationAotProcessor.main(arguments.toArray(String[]::new));
        List<String> options = new ArrayList<>(List.of("-nowarn", "-proc:none", "-d", classes.toString(), "-cp"));
        options.add(classes + File.pathSeparator + System.getProperty("java.class.path"));
        options.addAll(filesIn(sources));
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new)))
                .as("exit code of the compiler")
                .isZero();
        return classes;
    }

    private static List<String> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).map(Path::toString).toList();
        }
    }
}
