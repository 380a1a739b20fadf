package dev.leasehold.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The tool understands the commands that the pages show, and the page of the tool shows every command. */
class CommandsOnPagesTest {

    private static final Path DOCS = Path.of("..", "..", "..", "docs");
    private static final Pattern COMMAND =
            Pattern.compile("(?m)(?:^    (?:java -jar \\S*/)?|^\\$ |`)leasehold(?:\\.jar)? ([^`\\n]+)");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[a-z].*?) \\| .* \\| (?:yes|no) \\|$");
    private static final Pattern OPTION = Pattern.compile("`(--[a-z-]+)");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

    private final CommandLine tool = Main.commandLine(Tool.alone().context(nothing(), nothing()));

    private static PrintWriter nothing() {
        return new PrintWriter(Writer.nullWriter());
    }

    @Test
    void theToolUnderstandsEveryCommand() throws IOException {
        List<String> commands = new ArrayList<>();
        try (Stream<Path> pages = Files.walk(DOCS)) {
            for (Path page :
                    pages.filter(file -> file.toString().endsWith(".md")).toList()) {
                COMMAND.matcher(Files.readString(page)).results().forEach(found -> commands.add(found.group(1)));
            }
        }

        assertThat(commands)
                .hasSizeGreaterThan(5)
                .allSatisfy(command -> assertThatCode(() -> tool.parseArgs(words(command)))
                        .as(command)
                        .doesNotThrowAnyException());
    }

    @Test
    void thePageHasEveryCommandAndNoOther() throws IOException {
        Set<String> documented = new TreeSet<>();
        for (var row : ROW.matcher(page()).results().toList()) {
            for (String command : row.group(1).replace("`", "").split(", ")) {
                documented.add(command.split(" ")[0]);
            }
        }

        assertThat(documented).isEqualTo(tool.getSubcommands().keySet());
    }

    @Test
    void everyOptionOfThePageIsOneOfACommand() throws IOException {
        Set<String> known = new TreeSet<>();
        known.addAll(tool.getCommandSpec().optionsMap().keySet());
        tool.getSubcommands()
                .values()
                .forEach(command ->
                        known.addAll(command.getCommandSpec().optionsMap().keySet()));

        assertThat(OPTION.matcher(page()).results().map(option -> option.group(1)))
                .isNotEmpty()
                .allMatch(known::contains);
    }

    private static String page() throws IOException {
        return Files.readString(DOCS.resolve("operator.md"));
    }

    private static String[] words(String command) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(command);
        while (word.find()) {
            words.add(word.group(1) == null ? word.group(2) : word.group(1));
        }
        return words.toArray(String[]::new);
    }
}
