package dev.leasehold.simulator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.simulator.batch.ExitStatus;
import dev.leasehold.simulator.batch.Seeds;
import dev.leasehold.simulator.plan.Profile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * A run of the command line with the real engine, over histories of one kind.
 *
 * @param exitCode how it ended
 * @param output all that it printed
 * @param report the folder of its report
 */
record CommandRun(int exitCode, String output, Path report) {

    private static final int JOBS = 2;
    private static final String PLAN = "minimal.json";
    private static final ObjectMapper JSON = new ObjectMapper();

    static CommandRun of(Profile profile, Seeds seeds, Path report) {
        return of(List.of("--profile", profile.word()), seeds, report);
    }

    /** Of plans that are kept, changed at random. */
    static CommandRun near(Path corpus, Seeds seeds, Path report) {
        return of(List.of("--corpus", corpus.toString()), seeds, report);
    }

    private static CommandRun of(List<String> which, Seeds seeds, Path report) {
        deletePlanOfAnEarlierBuild(report);
        StringWriter output = new StringWriter();
        PrintWriter writer = new PrintWriter(output);
        List<String> arguments = new ArrayList<>(List.of("run", "--jobs", String.valueOf(JOBS)));
        arguments.addAll(which);
        arguments.addAll(List.of(seeds.option().split(" ")));
        arguments.addAll(List.of("--report", report.toString()));
        int exitCode = Main.execute(Parts.REAL, new Terminal(writer, writer), arguments.toArray(String[]::new));
        return new CommandRun(exitCode, output.toString(), report);
    }

    private static void deletePlanOfAnEarlierBuild(Path report) {
        try {
            Files.deleteIfExists(report.resolve(PLAN));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** If not, a reader of the test's message reads what a user of the command line would have read, and the plan. */
    void mustHaveHeld() {
        assertThat(exitCode).withFailMessage(this::failure).isEqualTo(ExitStatus.HELD.code());
    }

    private String failure() {
        return output + "\n" + minimalPlan();
    }

    private String minimalPlan() {
        Path plan = report.resolve(PLAN);
        try {
            return Files.exists(plan) ? plan + ":\n" + Files.readString(plan) : "no plan was shrunk";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How often each state was reached. */
    TreeMap<String, Long> reached() throws IOException {
        return JSON.convertValue(
                JSON.readTree(report.resolve("stats.json").toFile()).get("reached"),
                new TypeReference<TreeMap<String, Long>>() {});
    }
}
