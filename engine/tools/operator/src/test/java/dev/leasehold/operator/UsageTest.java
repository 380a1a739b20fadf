package dev.leasehold.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line without a database. */
class UsageTest {

    private static final String SECRET = "mongodb://ann:s3cr3t@db.example:27017/shop";

    private static Tool tool() {
        return Tool.alone()
                .with("LEASEHOLD_URI", SECRET)
                .with("LEASEHOLD_DATABASE", "shop")
                .with("LEASEHOLD_NAMESPACE", "billing");
    }

    private static void assertNothingIsShown(Tool.Result result) {
        assertThat(result.out() + result.err())
                .doesNotContain("s3cr3t")
                .doesNotContain("ann:")
                .doesNotContain("db.example");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "list",
                "inspect",
                "watch",
                "writers",
                "pin",
                "unpin",
                "force-expire",
                "doctor",
                "housekeeping",
                "serve",
                "completion"
            })
    void eachCommandHasHelpThatShowsNoConnection(String command) {
        Tool.Result help = tool().run(command, "--help");

        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).startsWith("Usage: leasehold " + command);
        assertNothingIsShown(help);
    }

    @Test
    void theHelpExplainsEveryExitCode() {
        Tool.Result help = Tool.alone().run("--help");

        assertThat(help.out().replaceAll("\\s+", " ")).contains(ExitCode.inWords());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "--version", "list --help", "completion"})
    void lostOutputIsNoSuccessOfACommandWithoutADatabaseEither(String command) {
        StringWriter err = new StringWriter();
        CommandContext context = tool().context(new PrintWriter(new ClosedPipe()), new PrintWriter(err));

        assertThat(Main.execute(context, command.split(" "))).isEqualTo(1);
        assertThat(err).asString().contains("the output could not be written");
    }

    @Test
    void aCommandIsNeeded() {
        assertThat(Tool.alone().run().exitCode()).isEqualTo(2);
        assertThat(Tool.alone().run("dance").exitCode()).isEqualTo(2);
    }

    @Test
    @DisplayName("A connection string that stands in the wrong place is not repeated")
    void aConnectionStringInTheWrongPlaceIsNotRepeated() {
        Tool.Result misplaced = tool().run("writers", SECRET);
        assertThat(misplaced.exitCode()).isEqualTo(2);
        assertThat(misplaced.err()).contains("mongodb://(not shown)");
        assertNothingIsShown(misplaced);
        assertNothingIsShown(tool().run("list", "--urii=" + SECRET));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mongodb://ann:s3cr3t@db.example:notaport/",
                "mongodb://ann:s3:cr3t@db.example",
                "ann:s3cr3t@db.example",
                "mongodb://ann:s3cr3t@db.example/?w=-7",
                "mongodb://ann:777/s3cr3t@db.example/shop",
                "mongodb://ann:777/x.s3cr3t@db.example",
                "mongodb://ann:777?s3cr3t@db.example",
                "mongodb://ann:777/s3cr3t?x=y@db.example/shop"
            })
    void aWrongConnectionStringIsNotRepeated(String wrong) {
        Tool.Result refused = tool().run("list", "--timeout", "1s", "--uri", wrong);

        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("connection string");
        assertNothingIsShown(refused);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mongodb://ann:'s3cr3t@db.example/",
                "mongodb://ann: \"s3cr3t@db.example",
                "mongodb://ann:\n's3cr3t@db.example"
            })
    void noPartOfAPasswordIsRepeatedWhateverItsCharacters(String connection) {
        assertNothingIsShown(tool().run("writers", connection, "more"));
        assertNothingIsShown(tool().run("writers", "--urii=" + connection));
    }

    @Test
    void aWrongConnectionStringIsToldHowItMustBegin() {
        assertThat(tool().run("list", "--uri", "ann:s3cr3t@db.example").err())
                .contains("mongodb:// or mongodb+srv:// ");
    }

    @ParameterizedTest
    @CsvSource({
        "list, --look",
        "doctor, --look",
        "inspect x, --look",
        "watch, --for",
        "run x -- true, --at-least",
        "run x -- true, --wait",
        "serve, --every"
    })
    void aDurationBeyondACenturyIsWrongUsage(String command, String option) {
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        words.addAll(1, List.of(option, "36501d"));

        Tool.Result refused = tool().run(words.toArray(String[]::new));

        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("'36501d' is too long").contains("36500d");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run nightly backup",
                "run nightly backup -d prod",
                "run nightly backup --json -- now",
                "run nightly backup --"
            })
    @DisplayName("A command that does not stand behind -- is refused, since its options would be those of the tool")
    void aCommandThatIsNotMarkedIsRefused(String line) {
        Tool.Result refused = tool().run(line.split(" "));

        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("behind '--'");
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThat(Tool.alone().run("list").err()).contains("--uri or LEASEHOLD_URI is missing");
        assertThat(Tool.alone()
                        .with("LEASEHOLD_URI", "mongodb://localhost")
                        .run("list")
                        .err())
                .contains("--database or LEASEHOLD_DATABASE is missing");
        assertThat(Tool.alone()
                        .with("LEASEHOLD_URI", "mongodb://localhost/shop")
                        .run("list")
                        .err())
                .contains("--namespace or LEASEHOLD_NAMESPACE is missing");
        Tool.Result json = Tool.alone().run("list", "--json");
        assertThat(json.jsonError().path("exitCode").asInt()).isEqualTo(2);
    }

    @Test
    void badArgumentsAreRefusedBeforeAnythingIsSent() {
        assertThat(tool().run("list", "--timeout", "1ms").exitCode()).isEqualTo(2);
        assertThat(tool().run("list", "--timeout", "soon").err()).contains("'soon' is no duration");
        assertThat(tool().run("list", "--namespace", "a b", "--timeout", "1s").exitCode())
                .isEqualTo(2);
        assertThat(tool().run("housekeeping", "--rounds", "0").exitCode()).isEqualTo(2);
        assertThat(tool().run("force-expire", "name").err()).contains("--reason");
    }

    @ParameterizedTest
    @CsvSource({
        "list --timeout 1ms, '--timeout must be 100ms to 1h, and is 1ms'",
        "housekeeping --rounds 0, '--rounds must be 1 or more, and is 0'",
        "watch --count 0, '--count must be 1 or more, and is 0'",
        "watch --count -3, '--count must be 1 or more, and is -3'",
        "serve --port 70000, '--port must be 0 to 65535, and is 70000'",
        "serve --port -1, '--port must be 0 to 65535, and is -1'",
        "occurrences x --limit 0, '--limit must be 1 to 1000, and is 0'"
    })
    void aNumberOutOfRangeIsRefusedWithTheRule(String line, String message) {
        Tool.Result refused = tool().run(line.split(" "));

        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains(message);
    }

    @Test
    void whatCannotBeReachedIsUnavailable() {
        Tool.Result away = Tool.alone()
                .run("list", "--uri", "mongodb://ann:s3cr3t@127.0.0.1:1/shop", "-n", "billing", "--timeout", "200ms");

        assertThat(away.exitCode()).isEqualTo(6);
        assertNothingIsShown(away);
    }

    @Test
    void theCompletionKnowsCommandsAndOptions() {
        Tool.Result script = Tool.alone().run("completion");

        assertThat(script.exitCode()).isZero();
        assertThat(script.out())
                .contains("force-expire")
                .contains("--namespace")
                .contains("complete ");
    }
}
