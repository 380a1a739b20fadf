package dev.leasehold.simulator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.batch.ExitStatus;
import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.mutants.KillTable;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.mutants.Mutants;
import dev.leasehold.simulator.plan.Profile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of the simulator says what the simulator says. */
class SimulatorPageTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();
    private static final String JAR = "java -jar simulator/skew/target/leasehold-simulator.jar ";

    private List<String> page = List.of();
    private List<String> kills = List.of();

    @BeforeEach
    void read() throws IOException {
        page = Files.readAllLines(ROOT.resolve("docs").resolve("simulator.md"));
        kills = Files.readAllLines(Path.of("kills.md"));
    }

    private List<String> table(String name) {
        int begin = page.indexOf("<!-- table: " + name + " -->");
        assertThat(begin).as(name).isNotNegative();
        List<String> rest = page.subList(begin + 1, page.size());
        return rest.subList(0, rest.indexOf("<!-- end of table -->"));
    }

    private static List<String> cells(String row) {
        return Arrays.stream(row.substring(1).split("\\|")).map(String::strip).toList();
    }

    @Test
    void theTableOfProfilesIsComplete() {
        List<String> rows = new ArrayList<>(List.of("| profile | what is drawn |", "|---|---|"));
        for (Profile profile : Profile.values()) {
            rows.add("| `" + profile.word() + "` | " + profile.description() + " |");
        }
        assertThat(table("profiles")).isEqualTo(rows);
    }

    @Test
    void theTableOfInvariantsSaysWhichMutantsEachFinds() {
        List<List<String>> rows =
                table("invariants").stream().skip(2).map(row -> cells(row)).toList();
        assertThat(rows.stream().map(cells -> cells.get(0)))
                .containsExactlyElementsOf(
                        Stream.of(Guarantee.values()).map(Guarantee::name).toList());
        for (List<String> cells : rows) {
            assertThat(cells.get(2)).isEqualTo(mutantsFoundBy(Guarantee.valueOf(cells.get(0))));
        }
    }

    private static String mutantsFoundBy(Guarantee guarantee) {
        return Mutants.all().stream()
                .filter(mutant -> mutant.isKilledBy(guarantee))
                .map(mutant -> "`" + mutant.name() + "`")
                .collect(Collectors.joining(", "));
    }

    @Test
    void theKillTableHasTheHeadOfTheOneThatIsWritten() {
        List<String> written = new KillTable(List.of()).markdown().lines().toList();
        assertThat(kills.subList(0, 2)).isEqualTo(written);
    }

    @Test
    void theKillTableNamesAllMutantsAndNoOthers() {
        assertThat(kills.stream().skip(2).map(row -> cells(row).get(0)))
                .containsExactlyElementsOf(
                        Mutants.all().stream().map(Mutant::name).toList());
    }

    @Test
    void everyMutantOfTheKillTableWasFoundByOneOfItsInvariants() {
        for (String row : kills.subList(2, kills.size())) {
            List<String> cells = cells(row);
            Mutant mutant = Mutants.named(cells.get(0));
            assertThat(cells.get(1).split(" or "))
                    .as(mutant.name())
                    .allMatch(guarantee -> mutant.isKilledBy(Guarantee.valueOf(guarantee)));
            assertThat(cells.get(2))
                    .as(mutant.name())
                    .isEqualTo(mutant.profile().word());
            assertThat(cells.get(3)).as(mutant.name()).isNotEqualTo("survived");
            assertThat(cells.get(7)).as(mutant.name()).isEqualTo(mutant.what());
        }
    }

    @Test
    void everyExitCodeIsNamed() {
        List<String> codes = Stream.concat(Stream.of(ExitStatus.values()).map(ExitStatus::code), Stream.of(64, 74))
                .sorted()
                .map(String::valueOf)
                .toList();
        assertThat(table("exit codes").stream().skip(2).map(row -> cells(row).get(0)))
                .containsExactlyElementsOf(codes);
    }

    @Test
    void everyCommandOfThePagesIsOne() throws IOException {
        List<String> commands = new ArrayList<>(commands(page));
        commands.addAll(commands(Files.readAllLines(ROOT.resolve("README.md"))));
        commands.addAll(commands(Files.readAllLines(ROOT.resolve("docs").resolve("how-it-is-tested.md"))));
        assertThat(commands).hasSizeGreaterThan(4).allSatisfy(command -> {
            Terminal nowhere = new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()));
            Main.commandLine(Parts.REAL, nowhere).parseArgs(command.split(" "));
        });
    }

    @Test
    @Tag("long")
    void theEstimateOfThePageIsWhatItsCommandPrints(@TempDir Path folder) {
        String command = commands(page).stream()
                .filter(it -> it.startsWith("estimate"))
                .findFirst()
                .orElseThrow();
        StringWriter out = new StringWriter();
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(new StringWriter()));
        assertThat(Main.execute(
                        Parts.REAL,
                        terminal,
                        command.replaceFirst("--report \\S+", "--report " + folder)
                                .split(" ")))
                .isZero();

        int begin = page.indexOf("<!-- output: estimate -->") + 2;
        List<String> shown = page.subList(begin, page.size());
        assertThat(out.toString().lines().toList()).containsSequence(shown.subList(0, shown.indexOf("```")));
    }

    private static List<String> commands(List<String> lines) {
        return lines.stream()
                .flatMap(line ->
                        line.startsWith("    " + JAR) ? Stream.of(line.substring(4 + JAR.length())) : Stream.empty())
                .map(command -> command.replaceFirst(" +#.*", ""))
                .toList();
    }
}
