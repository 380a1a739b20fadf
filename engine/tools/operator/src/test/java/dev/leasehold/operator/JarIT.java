package dev.leasehold.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The one file that users run, as a process. */
@WithReplicaSet
class JarIT {

    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
    private static final Path JAR = Path.of(System.getProperty("leasehold.jar"));

    private static Tool.Result run(TestDatabase database, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(JAVA.toString(), "-jar", JAR.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("LEASEHOLD_URI", database.uri());
        builder.environment().put("LEASEHOLD_DATABASE", database.name());
        builder.environment().put("LEASEHOLD_NAMESPACE", Tool.NAMESPACE);
        builder.redirectError(ProcessBuilder.Redirect.PIPE);
        Process process = builder.start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Tool.Result(process.exitValue(), out, err);
    }

    @Test
    @DisplayName("The jar lists, forces and answers with its exit codes, and says nothing else")
    void theJarWorksAsAProcess(TestDatabase database) throws Exception {
        try (Service service = Service.on(database, "shop:1")) {
            service.holds("invoices");

            Tool.Result listed = run(database, "list", "--json");
            assertThat(listed.exitCode()).as(listed.err()).isZero();
            assertThat(listed.err()).isEmpty();
            assertThat(listed.json().get(0).path("name").asText()).isEqualTo("invoices");

            Tool.Result notAsked = run(database, "force-expire", "invoices", "--reason", "it hangs");
            assertThat(notAsked.exitCode()).isEqualTo(2);
            assertThat(notAsked.err()).contains("say --yes");

            Tool.Result forced = run(database, "force-expire", "invoices", "--reason", "it hangs", "--yes");
            assertThat(forced.exitCode()).as(forced.err()).isZero();
            assertThat(forced.err()).contains("expired by an operator: it hangs");
        }
    }

    @Test
    @DisplayName("The jar has the licence, the notices, and the list of all that it contains of others")
    void theJarHasTheLicences() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            assertThat(text(jar, "META-INF/LICENSE")).contains("Apache License");
            assertThat(text(jar, "META-INF/NOTICE")).contains("Leasehold").contains("Jackson");
            assertThat(text(jar, "META-INF/licenses/MIT-slf4j.txt")).contains("QOS.ch");
            String others = text(jar, "META-INF/THIRD-PARTY.txt");
            assertThat(List.of("mongodb-driver-sync", "bson", "picocli", "jackson-databind", "slf4j-api"))
                    .allSatisfy(other -> assertThat(others).contains(":" + other + ":"));
        }
    }

    private static String text(JarFile jar, String entry) throws IOException {
        return new String(jar.getInputStream(jar.getJarEntry(entry)).readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void theJarSaysWhichItIs(TestDatabase database) throws Exception {
        assertThat(run(database, "--version").out()).startsWith("leasehold 0.");
    }
}
