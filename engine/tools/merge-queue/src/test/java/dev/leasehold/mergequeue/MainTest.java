package dev.leasehold.mergequeue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What is said of a command line that is refused. */
class MainTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "serve|--mongodb-url=%s",
                "serve|--mongo-uri|%s",
                "serve|--mongodb-uri|mongodb://127.0.0.1|%s",
                "serve|--mongodb-uri|mongodb://127.0.0.1|--mongodb-uri|%s",
                "serve|--embedded|--address|%s",
                "serve|--port|%s",
                "server|%s"
            })
    void aConnectionStringInTheWrongPlaceIsNotRepeated(String line) {
        for (String secret : new String[] {"mongodb://u:hunter2@db/", "mongodb+srv://u:' hunter2@db"}) {
            StringWriter err = new StringWriter();
            CommandLine command = Main.commandLine().setErr(new PrintWriter(err));

            int code = command.execute(
                    (line + "|--config|none.yaml|--port|8080").formatted(secret).split("[|]"));

            assertThat(code).isEqualTo(2);
            assertThat(err.toString()).isNotEmpty().doesNotContain("hunter2");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mongodb://u:hunter2%@127.0.0.1",
                "mongodb://u:777/x.hunter2@127.0.0.1",
                "mongodb://u:777/hunter2?x=y@127.0.0.1",
                "mongodb://u:777?hunter2@127.0.0.1",
                "postgres://u:hunter2@127.0.0.1"
            })
    void aConnectionStringThatIsRefusedIsToldTheRuleAndNotRepeated(String uri, @TempDir Path folder)
            throws IOException {
        Path config = Files.writeString(
                folder.resolve("config.yaml"), "providers: [{owner: acme, repo: shop, base-ref: main}]");
        StringWriter err = new StringWriter();

        int code = Main.commandLine()
                .setErr(new PrintWriter(err))
                .execute("serve", "--config", config.toString(), "--port", "8080", "--mongodb-uri", uri);

        assertThat(code).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("--mongodb-uri is refused: ")
                .contains("%XX")
                .doesNotContain("hunter2", "(not shown)");
    }

    /** As behind {@code head}. */
    @ParameterizedTest
    @ValueSource(strings = {"--help", "--version", "serve --help"})
    void outputThatIsLostIsNoSuccess(String line) {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                throw new IOException("broken pipe");
            }
        };
        StringWriter err = new StringWriter();

        int code = Main.execute(
                Main.commandLine().setOut(new PrintWriter(closed)).setErr(new PrintWriter(err)), line.split(" "));

        assertThat(code).isEqualTo(1);
        assertThat(err.toString()).contains("the output could not be written to its end");
    }
}
