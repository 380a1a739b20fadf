package dev.leasehold.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Main.execute(new Terminal(new PrintWriter(out), new PrintWriter(err)), arguments);
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of("--only nothing", "--only nothing is refused: rows are uncontended, contention-64"),
                Arguments.of("--rounds 0", "--rounds 0 is refused: 1 to 100"),
                Arguments.of("--rounds many", "'many'"),
                Arguments.of("--duration 20", "duration '20' is refused: it is written like 20s"),
                Arguments.of("--duration -1s", "duration '-1s' is refused"),
                Arguments.of("--duration 0s", "duration '0s' is refused: 1ms to 60m"),
                Arguments.of("--duration 2h", "duration '2h' is refused"),
                Arguments.of("--uri localhost:27017", "--uri is refused"),
                Arguments.of("--quick", "Unknown option: '--quick'"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void whatIsWrongIsSaidBeforeAnythingStarts(String arguments, String message) {
        assertThat(run(arguments.split(" "))).isEqualTo(64);
        assertThat(err.toString()).contains(message);
        assertThat(out.toString()).doesNotContain("leasehold-bench");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"mongodb://user:12%qzsecret@db", "mongodb://user:12/qzsecret@db", "mongodb://user:12?qzsecret@db"
            })
    void aConnectionStringThatIsRefusedIsNotShown(String uri) {
        assertThat(run("--only", "uncontended", "--uri", uri)).isEqualTo(64);
        assertThat(err.toString())
                .contains("--uri is refused")
                .doesNotContain("user:12", "qz")
                .doesNotContain("secret");
    }

    @Test
    void anOutputThatIsAFileIsRefused(@TempDir Path folder) throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        assertThat(run("--only", "start", "--output", file.toString())).isEqualTo(64);
        assertThat(err.toString()).contains("it is no folder");
    }

    @Test
    void anOutputWithoutANameIsRefused() {
        assertThat(run("--only", "start", "--output", "")).isEqualTo(64);
        assertThat(err.toString()).contains("--output '' is refused: name a folder");
    }

    /** As behind {@code head}. */
    @Test
    void outputThatIsLostIsNoSuccess() {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                throw new IOException("broken pipe");
            }
        };

        assertThat(Main.execute(new Terminal(new PrintWriter(closed), new PrintWriter(err)), "--help"))
                .isEqualTo(74);
        assertThat(err.toString()).contains("the output could not be written to its end");
    }

    @Test
    void everythingNeedsAPlaceForThePage() {
        // The tests run in the folder of the module, which has no folder for pages.
        assertThat(run()).isEqualTo(64);
        assertThat(err.toString()).contains("there is no folder docs here");
    }

    @Test
    void aReplicaSetThatIsNotThereIsSaidInALine() {
        assertThat(run("--only", "uncontended", "--uri", "mongodb://localhost:1/?serverSelectionTimeoutMS=200"))
                .isEqualTo(5);
        assertThat(err.toString().strip().lines()).singleElement().asString().contains("localhost:1");
    }

    @Test
    void helpNamesEveryOptionAndRow() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString())
                .contains("--only", "--duration", "--rounds", "--output", "--uri", "contention-64", "64 wrong usage");
    }
}
