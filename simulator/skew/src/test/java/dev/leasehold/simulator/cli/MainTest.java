package dev.leasehold.simulator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.batch.MadeUp;
import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.mutants.Mutants;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.PlanCodec;
import dev.leasehold.simulator.plan.PlanGenerator;
import dev.leasehold.simulator.plan.Profile;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

    private static final long FOURTH_SEED = 103;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private @Nullable Mutant planted;
    private Function<History, Verdict> checker = history -> MadeUp.good();

    private int run(String line) {
        Parts parts = new Parts(this::runner, history -> checker.apply(history));
        return Main.execute(parts, new Terminal(new PrintWriter(out), new PrintWriter(err)), line.split(" "));
    }

    private HistoryRunner runner(@Nullable Mutant mutant) {
        HistoryRunner runner = MadeUp.runner();
        return new HistoryRunner() {
            @Override
            public History run(Plan plan) {
                planted = mutant;
                return runner.run(plan);
            }

            @Override
            public void close() {
                runner.close();
            }
        };
    }

    private String[] lines() {
        return out.toString().lines().toArray(String[]::new);
    }

    private static Verdict fourthIsBroken(History history, Guarantee guarantee) {
        return history.plan().seed() == FOURTH_SEED ? MadeUp.broken(guarantee) : MadeUp.good();
    }

    // ---- run ----

    @Test
    void firstComesWhatWasChosenAndLastHowToRepeatIt() {
        assertThat(run("run --seed 17 --histories 150 --profile calm --jobs 2 --drift-ppm 200"))
                .isZero();
        assertThat(lines()[0]).startsWith("leasehold-simulator ");
        assertThat(lines())
                .contains(
                        "seed 17",
                        "drift bound 200 ppm",
                        "histories 150",
                        "jobs 2, every hundredth history is played twice",
                        "no mutant");
        assertThat(lines())
                .endsWith(
                        "verdict: every invariant held (150 histories)",
                        "again: java -jar leasehold-simulator.jar run --seed 17 --histories 150 --profile calm"
                                + " --drift-ppm 200");
    }

    @Test
    void whatMakesOthersOfTheHistoriesIsRepeatedToo() {
        assertThat(run("run --seed 17 --histories 5 --profile calm --failures 3"))
                .isZero();
        assertThat(lines()[lines().length - 1])
                .isEqualTo("again: java -jar leasehold-simulator.jar run --seed 17 --histories 5"
                        + " --profile calm --failures 3");
    }

    @Test
    void anErrorIsACrashAndNoBrokenInvariant() {
        Parts failing = new Parts(
                mutant -> {
                    throw new OutOfMemoryError("none is left");
                },
                history -> MadeUp.good());
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err));
        assertThat(Main.execute(failing, terminal, "estimate", "--histories", "1"))
                .isEqualTo(5);
        assertThat(err.toString()).contains("none is left");
    }

    @Test
    void aSeedThatWasNotChosenIsPrinted() {
        assertThat(run("run --histories 1")).isZero();
        assertThat(lines()[1]).matches("seed [0-9]+");
        assertThat(lines()[lines().length - 1]).contains("run --" + lines()[1] + " ");
    }

    @Test
    void aBrokenInvariantIsToldShrunkAndRepeatable() {
        checker = history -> fourthIsBroken(history, Guarantee.G3);
        assertThat(run("run --seeds 100..199 --profile calm")).isEqualTo(1);
        assertThat(lines())
                .contains(
                        "history 4, seed 103: G3 is broken. h was granted lease-0, and had it not",
                        "that history alone: java -jar leasehold-simulator.jar run --seeds 103..103 --profile calm",
                        "verdict: a safety invariant was broken (4 histories, 1 failed)");
        assertThat(out.toString()).containsPattern("shrunk from [0-9]+ commands to 0: h was granted lease-0");
    }

    @Test
    void brokenLivenessHasAnExitCodeOfItsOwn() {
        checker = history -> fourthIsBroken(history, Guarantee.G7);
        assertThat(run("run --seeds 100..199")).isEqualTo(2);
        assertThat(out.toString()).contains("verdict: an invariant of liveness or a limit was broken");
    }

    @Test
    void aBatchThatReachedTooLittleIsNoProof() {
        assertThat(run("run --seed 1 --histories 2000 --profile tight")).isEqualTo(3);
        assertThat(out.toString()).contains("never reached: ").contains("OVERLAP");
    }

    @Test
    void aCheckerThatFailsIsNoBrokenInvariant() {
        checker = history -> {
            throw new IllegalArgumentException("what a history");
        };
        assertThat(run("run --seed 1 --histories 10")).isEqualTo(5);
        assertThat(out.toString()).contains("could not be played: java.lang.IllegalArgumentException: what a history");
    }

    @Test
    void theMutantMustBeFound() {
        Mutant mutant = Mutants.all().get(0);
        assertThat(run("run --seed 1 --histories 5 --mutant " + mutant.name())).isEqualTo(3);
        assertThat(lines())
                .contains(
                        "mutant " + mutant.name() + ": " + mutant.what(),
                        "verdict: the mutant " + mutant.name() + " survived (5 histories)");
    }

    @Test
    void whatFindsAMutantIsItsInvariant() {
        Mutant mutant = Mutants.all().get(0);
        checker = history ->
                planted == null ? MadeUp.good() : MadeUp.broken(mutant.killers().get(0));
        int expected = mutant.killers().get(0).isSafety() ? 1 : 2;
        assertThat(run("run --seed 1 --mutant " + mutant.name())).isEqualTo(expected);
        assertThat(lines()[lines().length - 1]).endsWith(" --mutant " + mutant.name());
        assertThat(out.toString()).contains("verdict: the mutant " + mutant.name() + " was found: ");
    }

    @Test
    void everyMutantThatSurvivesIsNamed() {
        assertThat(run("run --seed 1 --histories 3 --all-mutants")).isEqualTo(3);
        int all = Mutants.all().size();
        assertThat(out.toString())
                .containsPattern("(?m)^mutant +invariant +profile ")
                .contains("verdict: " + all + " of " + all + " mutants survived: "
                        + Mutants.all().get(0).name());
        assertThat(lines()[lines().length - 1])
                .isEqualTo("again: java -jar leasehold-simulator.jar run --seed 1 --histories 3 --all-mutants");
    }

    @Test
    void aGoodBatchReportsItsFigures(@TempDir Path folder) throws IOException {
        assertThat(run("run --seed 1 --histories 10 --report " + folder.resolve("new")))
                .isZero();
        assertThat(Files.readString(folder.resolve("new/stats.json"))).contains("\"histories\"");
    }

    // ---- run --corpus ----

    @Test
    void plansOfACorpusAreChangedPlayedAndRepeatable(@TempDir Path folder) throws IOException {
        Plan kept = PlanCodec.fromJson(Files.readString(kept(folder)));
        Set<Plan> played = new HashSet<>();
        checker = history -> {
            played.add(history.plan());
            return fourthIsBroken(history, Guarantee.G3);
        };

        assertThat(run("run --corpus " + folder + " --seeds 100..199")).isEqualTo(1);

        assertThat(lines())
                .contains(
                        "corpus " + folder + ": plans 1, changed at random",
                        "that history alone: java -jar leasehold-simulator.jar run --seeds 103..103 --corpus "
                                + folder);
        assertThat(played).hasSizeGreaterThan(3).doesNotContain(kept);
    }

    @Test
    void aCorpusNeedNotReachWhatAProfileIsAbout(@TempDir Path folder) throws IOException {
        kept(folder);
        assertThat(run("run --seed 1 --histories 2000 --corpus " + folder)).isZero();
    }

    @Test
    void aPlanOfACorpusThatIsNoneIsNamed(@TempDir Path folder) throws IOException {
        Path broken =
                Files.writeString(Files.createDirectory(folder.resolve("rare")).resolve("broken.json"), "{}");
        assertThat(run("run --corpus " + folder)).isEqualTo(64);
        assertThat(err.toString()).startsWith("plan " + broken + " is refused: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run --histories 0",
                "run --histories x",
                "run --minutes 0",
                "run --jobs 0",
                "run --failures 0",
                "run --drift-ppm 100001",
                "run --profile tight --drift-ppm 3001",
                "run --drift-ppm -1",
                "run --profile nowhere",
                "run --mutant nothing",
                "run --seeds 5..4",
                "run --seeds 5..",
                "run --seeds a..b",
                "run --seed 1 --seeds 1..2",
                "run --histories 1 --minutes 1",
                "run --all-mutants --minutes 1",
                "run --nonsense",
                "run --corpus no-such-folder",
                "run --corpus src/main",
                "run --corpus . --profile calm",
                "run --corpus . --drift-ppm 1000",
                "run --corpus . --all-mutants",
                "replay",
                "replay no-such-file.json",
                "replay plan.json --mutant canary --no-mutant",
                "explain G10",
                "nonsense",
                "estimate --session 0s",
                "estimate --session soon",
                "estimate --latency 5ms..1ms",
                "estimate --heartbeat 20s",
                "estimate --clients 1",
                "estimate --histories 0",
                "estimate --histories 1000001",
                "run --all-mutants --failures 2"
            })
    void whatMakesNoSenseIsWrongUsage(String line) {
        assertThat(run(line)).isEqualTo(64);
        assertThat(err.toString()).isNotBlank();
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void theErrorNamesTheValueAndTheRule() {
        run("run --drift-ppm 100001");
        assertThat(err.toString()).startsWith("--drift-ppm 100001 is refused: 0 to 100000");
    }

    // ---- plans that were kept ----

    private static Path kept(Path folder) throws IOException {
        Path file = folder.resolve("plan.json");
        Files.writeString(file, PlanCodec.toJson(PlanGenerator.draw(Profile.CALM, FOURTH_SEED, 1_000)));
        return file;
    }

    @Test
    void aKeptPlanIsReplayed(@TempDir Path folder) throws IOException {
        Path plan = kept(folder);
        assertThat(run("replay " + plan)).isZero();
        assertThat(lines())
                .endsWith("verdict: every invariant held", "again: java -jar leasehold-simulator.jar replay " + plan);
    }

    @Test
    void aKeptPlanThatBreaksAnInvariantSaysWhich(@TempDir Path folder) throws IOException {
        checker = history -> MadeUp.broken(Guarantee.G5);
        assertThat(run("replay " + kept(folder))).isEqualTo(1);
        assertThat(out.toString()).contains("G5: h was granted lease-0, and had it not");
    }

    @Test
    void aKeptPlanIsReported(@TempDir Path folder) throws IOException {
        Path report = folder.resolve("report");
        assertThat(run("replay " + kept(folder) + " --report " + report)).isZero();
        assertThat(run("replay " + kept(folder) + " --report " + report)).isZero();
        assertThat(report.resolve("plan.json")).hasSameTextualContentAs(folder.resolve("plan.json"));
    }

    @Test
    void aReplayWritesItsReportNeitherOverItsPlanNorIntoThatOfARun(@TempDir Path folder) throws IOException {
        checker = history -> MadeUp.broken(Guarantee.G5);
        run("run --seed 1 --report " + folder);
        String plan = Files.readString(folder.resolve("plan.json"));
        String minimal = Files.readString(folder.resolve("minimal.json"));
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.createSymbolicLink(elsewhere.resolve("plan.json"), folder.resolve("plan.json"));

        assertThat(run("replay " + folder.resolve("plan.json") + " --report " + folder))
                .isEqualTo(64);
        assertThat(run("replay " + folder.resolve("minimal.json") + " --report " + folder))
                .isEqualTo(64);
        assertThat(run("replay " + folder.resolve("plan.json") + " --report " + elsewhere))
                .isEqualTo(64);
        assertThat(err.toString()).startsWith("--report " + folder + " is refused: the plan would be written over");
        assertThat(run("replay " + kept(Files.createDirectory(folder.resolve("kept"))) + " --report " + folder))
                .isEqualTo(64);
        assertThat(folder.resolve("plan.json")).hasContent(plan);
        assertThat(folder.resolve("minimal.json")).hasContent(minimal);
    }

    @Test
    void aReportThatShowsAMutantIsReplayedWithIt(@TempDir Path folder) throws IOException {
        checker = history -> planted == null
                ? MadeUp.good()
                : MadeUp.broken(Mutants.canary().killers().get(0));
        assertThat(run("run --seed 1 --mutant canary --report " + folder)).isEqualTo(1);
        Path minimal = folder.resolve("minimal.json");
        assertThat(lines()).contains("the shrunk plan: java -jar leasehold-simulator.jar replay " + minimal);
        planted = null;

        assertThat(run("replay " + minimal)).isEqualTo(1);
        assertThat(planted).isSameAs(Mutants.canary());
        assertThat(lines()).contains("mutant canary: " + Mutants.canary().what());

        assertThat(run("shrink " + folder.resolve("plan.json") + " -o " + folder.resolve("again.json")))
                .isEqualTo(1);
        assertThat(folder.resolve("again.json")).hasSameTextualContentAs(minimal);
    }

    @Test
    void theSamePlanIsReplayedWithoutItsMutant(@TempDir Path folder) {
        checker = history -> planted == null
                ? MadeUp.good()
                : MadeUp.broken(Mutants.canary().killers().get(0));
        run("run --seed 1 --mutant canary --report " + folder);
        checker = history -> MadeUp.good();

        assertThat(run("replay " + folder.resolve("minimal.json") + " --no-mutant"))
                .isZero();
        assertThat(planted).isNull();
        assertThat(lines()[lines().length - 1]).endsWith("minimal.json --no-mutant");
    }

    @Test
    void aPlaceWithoutANameIsWrongUsage(@TempDir Path folder) throws IOException {
        Path plan = kept(folder);
        for (String command : new String[] {
            "run --histories 1 --report=",
            "run --all-mutants --report=",
            "estimate --histories 1 --report=",
            "replay " + plan + " --report=",
            "shrink " + plan + " -o="
        }) {
            assertThat(run(command)).as(command).isEqualTo(64);
        }
        assertThat(err.toString()).contains("path '' is refused: it is empty");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aPlaceThatCannotBeWrittenToIsWrongUsage(@TempDir Path folder) throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        for (String command : new String[] {"run --histories 1", "run --all-mutants", "estimate --histories 1"}) {
            assertThat(run(command + " --report " + file)).isEqualTo(64);
        }
        assertThat(err.toString())
                .startsWith("file " + file + " is refused: it cannot be written: a file is there, and no folder");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFolderThatIsThereAndTakesNoFilesIsRefusedBeforeAnythingIsPlayed(@TempDir Path folder) throws IOException {
        checker = history -> {
            throw new AssertionError("played");
        };
        String plan = "replay " + kept(folder);
        for (String command : new String[] {"run --histories 1", "run --all-mutants", "estimate --histories 1", plan}) {
            assertThat(run(command + " --report /proc")).as(command).isEqualTo(64);
        }
        assertThat(err.toString()).startsWith("file /proc is refused: it cannot be written: ");
        assertThat(out.toString()).isEmpty();
    }

    /** As on a disk that becomes full meanwhile. */
    @Test
    void aReportThatCannotBeWrittenKeepsNoVerdictFromBeingTold(@TempDir Path folder) throws IOException {
        Files.createDirectory(folder.resolve("stats.json"));
        String run = "run --seed 1 --histories 3 --report " + folder;

        assertThat(run(run)).isEqualTo(74);
        assertThat(out.toString()).contains("verdict: every invariant held").contains("again: ");
        assertThat(err.toString())
                .startsWith("report: " + folder.resolve("stats.json") + " could not be written: ")
                .contains("its result could not be written to its end");

        checker = history -> MadeUp.broken(Guarantee.G5);
        assertThat(run(run)).isEqualTo(1);
        assertThat(out.toString())
                .contains("verdict: a safety invariant was broken")
                .doesNotContain("the shrunk plan");
        assertThat(run("replay " + kept(folder) + " --report "
                        + Files.createDirectories(folder.resolve("r/stats.json"))
                                .getParent()))
                .isEqualTo(1);
        assertThat(lines()[lines().length - 1]).contains("again: ").contains(" replay ");
    }

    @Test
    void aShrunkPlanThatCannotBeWrittenIsPrinted(@TempDir Path folder) throws IOException {
        checker = history -> MadeUp.broken(Guarantee.G5);
        Path nowhere = Files.createSymbolicLink(folder.resolve("minimal.json"), folder.resolve("none/minimal.json"));

        assertThat(run("shrink " + kept(folder) + " -o " + nowhere)).isEqualTo(1);
        assertThat(err.toString()).startsWith("written: " + nowhere + " could not be written: ");
        assertThat(out.toString()).contains("\"commands\": []").contains("verdict: ");
    }

    /** As behind {@code head}. */
    @Test
    void aResultThatCannotBePrintedIsNoSuccess() {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                throw new IOException("broken pipe");
            }
        };
        Parts parts = new Parts(this::runner, history -> checker.apply(history));
        for (String line :
                new String[] {"run --histories 3", "estimate --histories 1", "explain", "profiles", "--help"}) {
            Terminal terminal = new Terminal(new PrintWriter(closed), new PrintWriter(err));
            assertThat(Main.execute(parts, terminal, line.split(" "))).as(line).isEqualTo(74);
        }
        assertThat(err.toString()).contains("its result could not be written to its end");
        checker = history -> MadeUp.broken(Guarantee.G5);
        Terminal terminal = new Terminal(new PrintWriter(closed), new PrintWriter(err));
        assertThat(Main.execute(parts, terminal, "run", "--histories", "3")).isEqualTo(1);
    }

    @Test
    void theShrunkPlanIsWritten(@TempDir Path folder) throws IOException {
        checker = history -> MadeUp.broken(Guarantee.G5);
        Path minimal = folder.resolve("minimal.json");
        assertThat(run("shrink " + kept(folder) + " -o " + minimal)).isEqualTo(1);
        assertThat(PlanCodec.fromJson(Files.readString(minimal)).commands()).isEmpty();
    }

    @Test
    void nothingIsShrunkForAPlaceThatCannotBeWrittenTo(@TempDir Path folder) throws IOException {
        checker = history -> {
            throw new AssertionError("played");
        };
        Path nowhere = folder.resolve("none").resolve("minimal.json");
        assertThat(run("shrink " + kept(folder) + " -o " + nowhere)).isEqualTo(64);
        assertThat(run("shrink " + kept(folder) + " -o " + folder)).isEqualTo(64);
        assertThat(err.toString())
                .contains(
                        "file " + nowhere + " is refused: it cannot be written: it is not there, or its folder is not");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aPlanThatBreaksNothingIsNotShrunk(@TempDir Path folder) throws IOException {
        Path minimal = folder.resolve("minimal.json");
        assertThat(run("shrink " + kept(folder) + " -o " + minimal)).isZero();
        assertThat(out.toString()).contains("there is nothing to be shrunk");
        assertThat(minimal).doesNotExist();
    }

    @Test
    void aDamagedPlanIsWrongUsage(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("plan.json");
        Files.writeString(file, "{}");
        assertThat(run("replay " + file)).isEqualTo(64);
        assertThat(err.toString()).startsWith("plan " + file + " is refused: ");
    }

    // ---- lists ----

    @Test
    void everyProfileIsListedAndGoesByItsWord() {
        assertThat(run("profiles")).isZero();
        for (Profile profile : Profile.values()) {
            assertThat(lines()).contains(profile.word(), "    " + profile.description());
            assertThat(run("run --histories 1 --profile " + profile.word())).isZero();
            assertThat(lines()).contains("profile " + profile.word() + ": " + profile.description());
        }
    }

    @Test
    void everyMutantIsListedWithTheInvariantsThatFindIt() {
        assertThat(run("mutants")).isZero();
        for (Mutant mutant : Mutants.all()) {
            assertThat(lines()).contains(mutant.name(), "    " + mutant.what());
        }
    }

    @Test
    void anInvariantIsExplained() {
        assertThat(run("explain g3")).isZero();
        assertThat(lines())
                .containsExactly("G3", "    " + Guarantee.G3.words(), "    exit code 1: a safety invariant was broken");
    }

    @Test
    void allInvariantsAreExplained() {
        assertThat(run("explain")).isZero();
        assertThat(lines()).hasSize(3 * Guarantee.values().length);
    }

    @Test
    void withoutACommandThereIsUsage() {
        assertThat(Main.execute(Parts.REAL, new Terminal(new PrintWriter(out), new PrintWriter(err))))
                .isEqualTo(64);
        assertThat(err.toString()).contains("a command is missing").contains("estimate");
    }
}
