package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.spring.test.ReplicaSetContainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;

/** Spring closes the applications that tests keep when the JVM ends, in a shutdown hook. */
class EndOfJvmIT {

    /** The program of another JVM: it leaves its application open, as Spring's tests do, and exits. */
    static final class Program {

        private Program() {}

        @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
        static class AutoConfigured {
            @Bean
            AtClose atClose(MongoClient client, LeaseEngine engine) {
                return new AtClose(client, engine);
            }

            /** Without it there is a warning. */
            @Bean
            MongoClientSettingsBuilderCustomizer socketTimeout() {
                return settings -> settings.applyToSocketSettings(socket -> socket.readTimeout(10, TimeUnit.SECONDS));
            }
        }

        static class WithConnection {
            @Bean
            @ServiceConnection
            ReplicaSetContainer replicaSet() {
                return new ReplicaSetContainer();
            }
        }

        /** Closed before the client and the engine. */
        record AtClose(MongoClient client, LeaseEngine engine) implements DisposableBean {
            @Override
            public void destroy() throws InterruptedException {
                // The set's own hook waits now; or it has ended, and is not to be found.
                for (int i = 0; i < 1_000 && !isWaiting("leasehold-replica-set-end"); i++) {
                    Thread.sleep(10);
                }
                client.getDatabase("admin").runCommand(new Document("ping", 1));
                System.out.println("at the close: the database answers, " + engine.tryAcquire("at-close"));
            }

            private static boolean isWaiting(String name) {
                return Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().equals(name))
                        .anyMatch(thread -> Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING)
                                .contains(thread.getState()));
            }
        }

        public static void main(String[] arguments) {
            SpringApplicationBuilder builder = new SpringApplicationBuilder(AutoConfigured.class)
                    .web(WebApplicationType.NONE)
                    .properties(
                            "spring.application.name=shop",
                            "spring.main.banner-mode=off",
                            "logging.level.root=warn",
                            "spring.mongodb.uri=mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=5000");
            if (arguments[0].equals("service-connection")) {
                builder.sources(WithConnection.class).run();
            } else {
                TestDatabase database = ReplicaSet.shared().newDatabase();
                builder.run("--spring.mongodb.uri=" + database.uri(), "--spring.mongodb.database=" + database.name());
            }
            System.exit(0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"service-connection", "dynamic-property"})
    @DisplayName(
            "An application that Spring closes when the JVM ends still has its database, and nothing is left afterwards")
    void databaseOutlivesTheApplications(String way, @TempDir Path folder) throws Exception {
        Path output = folder.resolve("output.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.io.tmpdir=" + Files.createDirectory(folder.resolve("tmp")),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName(),
                        way)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor()).isZero();
        } finally {
            process.destroyForcibly();
        }

        assertThat(Files.readAllLines(output))
                .as("what the other JVM printed")
                .anyMatch(line -> line.startsWith("at the close: the database answers, Acquired"))
                .noneMatch(line -> line.contains("WARN") || line.contains("ERROR") || line.contains("Exception"));
        assertThat(runFolders(folder)).isEmpty();
    }

    private static Stream<Path> runFolders(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("run-")).toList().stream();
        }
    }
}
