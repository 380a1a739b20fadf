package dev.leasehold.bench.cli;

import com.mongodb.ConnectionString;
import dev.leasehold.bench.row.Plan;
import dev.leasehold.bench.row.Row;
import dev.leasehold.bench.row.Rows;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** What a run is asked for. */
final class Options {

    private static final int ROUNDS_LEAST = 1;
    private static final int ROUNDS_MOST = 100;
    private static final Path DOCS = Path.of("docs");

    /** By which rows are asked for. */
    static final class RowNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Rows.all().stream().map(row -> row.heading().name()).iterator();
        }
    }

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--only",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Measures these rows alone: ${COMPLETION-CANDIDATES}. The beginning of several names, up to a hyphen, will do. "
                            + "Default: all of them.",
            completionCandidates = Options.RowNames.class)
    private @Nullable List<String> only;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = DurationText.class,
            defaultValue = "1s",
            description = "Each turn of each entrant takes so long. Default: ${DEFAULT-VALUE}.")
    private Duration duration;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "Each entrant has so many turns that count. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description =
                    "Writes benchmarks/results.md, its charts and results.csv there. Default: docs, if all rows are measured; otherwise nothing is "
                            + "written.")
    private @Nullable Path output;

    @Option(
            names = "--uri",
            paramLabel = "URI",
            description =
                    "Uses this replica set. Default: three nodes that are started for the run, and ended after it.")
    private @Nullable String uri;

    /** To be called before anything else: whatever is not possible ends here. */
    void check() {
        rows();
        require(
                rounds >= ROUNDS_LEAST && rounds <= ROUNDS_MOST,
                "--rounds " + rounds + " is refused: " + ROUNDS_LEAST + " to " + ROUNDS_MOST);
        checkUri();
        Path folder = output();
        require(output == null || !output.toString().isEmpty(), "--output '' is refused: name a folder");
        require(
                folder == null || Files.isDirectory(folder) || output != null,
                "there is no folder " + DOCS + " here: run it where it is, or say --output");
        require(
                folder == null || !Files.exists(folder) || Files.isDirectory(folder),
                "--output " + folder + " is refused: it is no folder");
    }

    private void checkUri() {
        // Without the driver's words, which repeat parts of it: it may hold a password.
        require(
                uri == null || isWhole(uri),
                "--uri is refused: it must be mongodb://[USER:PASSWORD@]HOST[:PORT][,...][/?OPTIONS], with"
                        + " special characters in names and passwords as %XX");
    }

    /** A password with a '/' or '?' ends for the driver there, and its beginning would be shown as a port. */
    private static boolean isWhole(String uri) {
        try {
            return new ConnectionString(uri).getUsername() != null || uri.indexOf('@') < 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private void require(boolean condition, String message) {
        if (!condition) {
            throw refused(message);
        }
    }

    private ParameterException refused(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** Those that are measured, each once, in the order of the table. */
    List<Row> rows() {
        if (only == null) {
            return Rows.all();
        }
        Map<String, Row> asked = new LinkedHashMap<>();
        for (String name : only) {
            List<Row> rows = Rows.named(name);
            require(!rows.isEmpty(), "--only " + name + " is refused: rows are " + String.join(", ", new RowNames()));
            rows.forEach(row -> asked.put(row.heading().name(), row));
        }
        return Rows.all().stream()
                .filter(row -> asked.containsKey(row.heading().name()))
                .collect(Collectors.toList());
    }

    Plan plan() {
        return new Plan(rounds, duration);
    }

    /** Where the page goes; null for nowhere. */
    @Nullable Path output() {
        return output != null ? output : only == null ? DOCS : null;
    }

    @Nullable String uri() {
        return uri;
    }
}
