package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Batch;
import dev.leasehold.simulator.batch.CheckerSetup;
import dev.leasehold.simulator.batch.Counterexample;
import dev.leasehold.simulator.batch.ExitStatus;
import dev.leasehold.simulator.batch.Failure;
import dev.leasehold.simulator.batch.MutationRun;
import dev.leasehold.simulator.batch.RequiredCoverage;
import dev.leasehold.simulator.batch.Seeds;
import dev.leasehold.simulator.mutants.KillTable;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.mutants.Mutants;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.Profile;
import dev.leasehold.simulator.report.Report;
import dev.leasehold.simulator.world.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "run",
        description = "Draws histories, plays them with the real engine, and checks each.",
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {

    private static final long HISTORIES = 10_000;
    /** Fewer histories than this prove nothing by what they did not reach. */
    private static final long COVERAGE_HISTORIES_MIN = 2_000;

    private static final long MINUTE_NANOS = 60_000_000_000L;
    /** Up to here histories of all profiles were seen to be clean. */
    private static final long PPM_MAX = 100_000;
    /** With more the wall clock, which runs true, ends validity before it can overlap. */
    private static final long TIGHT_PPM_MAX = 3_000;

    private final Parts parts;
    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @Option(names = "--seed", paramLabel = "N", description = "The root of all seeds. Default: a fresh one.")
    private @Nullable Long seed;

    @Option(names = "--seeds", paramLabel = "A..B", description = "Exactly the histories with these seeds.")
    private @Nullable Seeds range;

    @Option(names = "--histories", paramLabel = "N", description = "So many. Default: 10000.")
    private @Nullable Long histories;

    @Option(names = "--minutes", paramLabel = "N", description = "As many as fit into this time.")
    private @Nullable Long minutes;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "So many at the same time. Default: as many as there are processors, here ${DEFAULT-VALUE}.")
    private int jobs = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--profile",
            paramLabel = "P",
            description =
                    "What kind of histories; the command 'profiles' lists them. Default: swarm, or that of the mutant.")
    private @Nullable Profile profile;

    @Option(
            names = "--corpus",
            paramLabel = "DIR",
            description = "Changes the plans in this folder at random, a few things in each, and plays those.")
    private @Nullable Path corpus;

    @Option(
            names = "--drift-ppm",
            paramLabel = "PPM",
            defaultValue = "1000",
            description =
                    "The drift bound of all engines, 0 to 100000, with the profile tight to 3000. Default: ${DEFAULT-VALUE}.")
    private long driftPpm;

    @Option(names = "--mutant", paramLabel = "NAME", description = "Plants this mutant; 'mutants' lists them.")
    private @Nullable Mutant mutant;

    @Option(names = "--all-mutants", description = "Plants each mutant in turn, and prints how each was found.")
    private boolean allMutants;

    @Option(
            names = "--failures",
            paramLabel = "N",
            defaultValue = "1",
            description = "Ends after so many broken histories. Default: ${DEFAULT-VALUE}.")
    private int failuresMax;

    @Option(names = "--report", paramLabel = "DIR", description = "Writes a report folder.")
    private @Nullable Path report;

    RunCommand(Parts parts, Terminal terminal) {
        this.parts = parts;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        check();
        if (report != null) {
            Terminal.makeFolder(report);
        }
        Threads.expectWorlds(jobs);
        Seeds seeds = range != null ? range : Seeds.fromRoot(seed != null ? seed : freshSeed());
        return (allMutants ? runAllMutants(seeds) : run(seeds)).code();
    }

    /** It is printed, so that it can be given again. */
    static long freshSeed() {
        return new SecureRandom().nextInt(Integer.MAX_VALUE);
    }

    private void check() {
        refuse(seed != null && range != null, "--seed with --seeds is refused: one of them");
        refuse(histories != null && minutes != null, "--histories with --minutes is refused: one of them");
        refuse(mutant != null && allMutants, "--mutant with --all-mutants is refused: one of them");
        refuse(jobs < 1, "--jobs " + jobs + " is refused: at least 1");
        refuse(failuresMax < 1, "--failures " + failuresMax + " is refused: at least 1");
        refuse(histories != null && histories < 1, "--histories " + histories + " is refused: at least 1");
        refuse(
                minutes != null && (minutes < 1 || minutes > Long.MAX_VALUE / MINUTE_NANOS),
                "--minutes " + minutes + " is refused: at least 1, and no more than centuries");
        refuse(
                allMutants && (minutes != null || failuresMax != 1),
                "--minutes and --failures are refused with --all-mutants");
        refuse(
                corpus != null && (allMutants || profile != null || given("--drift-ppm")),
                "--all-mutants, --profile and --drift-ppm are refused with --corpus: its plans have their own");
        refuse(driftPpm < 0 || driftPpm > PPM_MAX, "--drift-ppm " + driftPpm + " is refused: 0 to " + PPM_MAX);
        refuse(
                profile(mutant) == Profile.TIGHT && driftPpm > TIGHT_PPM_MAX,
                "--drift-ppm " + driftPpm + " is refused: 0 to " + TIGHT_PPM_MAX
                        + " with the profile tight, which has to show overlaps");
    }

    private void refuse(boolean condition, String message) {
        if (condition) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }

    private boolean given(String option) {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    private List<Plan> plans(Path folder) {
        try {
            return SavedPlan.readAll(folder);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
    }

    private Profile profile(@Nullable Mutant of) {
        return profile != null ? profile : of != null ? of.profile() : Profile.SWARM;
    }

    private long historiesMax(Seeds seeds) {
        if (minutes != null || histories != null) {
            return histories == null ? Long.MAX_VALUE : histories;
        }
        return range != null ? seeds.count() : mutant != null ? mutant.histories() : HISTORIES;
    }

    /** The same with these histories, however they were chosen. */
    private String again(String which) {
        return CommandText.again(
                spec, ' ' + which, "--seed", "--seeds", "--histories", "--minutes", "--jobs", "--report");
    }

    // ---- a batch ----

    private ExitStatus run(Seeds seeds) throws InterruptedException {
        long timeNanos = minutes == null ? Long.MAX_VALUE : minutes * MINUTE_NANOS;
        Batch.Order order = new Batch.Order(seeds, historiesMax(seeds), timeNanos, jobs, failuresMax);
        Profile drawn = profile(mutant);
        List<Plan> kept = corpus == null ? List.of() : plans(corpus);
        List<String> chosen = new ArrayList<>(List.of(seeds.option().substring("--".length())));
        chosen.addAll(
                corpus == null
                        ? List.of(
                                "profile " + drawn.word() + ": " + drawn.description(),
                                "drift bound " + driftPpm + " ppm")
                        : List.of("corpus " + corpus + ": plans " + kept.size() + ", changed at random"));
        chosen.add(minutes == null ? "histories " + order.length() : "for " + minutes + " min");
        chosen.add("jobs " + jobs + ", every hundredth history is played twice");
        ResultPrinter results = ResultPrinter.begin(terminal, mutant, chosen.toArray(String[]::new));
        CheckerSetup setup = corpus == null ? parts.setup(drawn, driftPpm, mutant) : parts.setup(kept, mutant);
        Batch.Result result = new Batch(setup, order).run(progress(order.length(), timeNanos));
        results.print(result);
        for (Failure failure : result.failures()) {
            print(results, failure, setup, result);
        }
        if (report != null && result.failures().isEmpty()) {
            results.write(report, result.statistics());
        }
        List<String> missing = missing(drawn, result);
        ExitStatus status = ExitStatus.of(result.failures(), missing);
        if (!missing.isEmpty()) {
            terminal.print("never reached: " + String.join(", ", missing));
        }
        String failed =
                result.failures().isEmpty() ? "" : ", " + result.failures().size() + " failed";
        results.end(
                verdict(status) + " (" + ResultPrinter.histories(result.histories()) + failed + ")",
                again(seeds.option() + " --histories " + result.histories()));
        return status;
    }

    private ProgressPrinter progress(long number, long timeNanos) {
        return new ProgressPrinter(terminal.err(), number, timeNanos, System::nanoTime);
    }

    private void print(ResultPrinter results, Failure failure, CheckerSetup setup, Batch.Result result)
            throws InterruptedException {
        long failed = failure.plan().seed();
        String again = again("--seeds " + failed + ".." + failed).replaceFirst(" --failures [0-9]+", "");
        results.print(failure);
        if (failure.violation() != null) {
            Counterexample example = Counterexample.of(setup, failure);
            results.print(example);
            if (report != null) {
                Path folder = failuresMax == 1 ? report : report.resolve("seed-" + failed);
                boolean isWritten = results.write(
                        folder,
                        new Report(
                                example.violation(),
                                mutant,
                                failure.plan(),
                                true,
                                example.outcome().history(),
                                example.outcome().verdict(),
                                result.statistics(),
                                again));
                if (isWritten) {
                    terminal.print("the shrunk plan: " + CommandText.JAR + " replay "
                            + CommandText.quoted(folder.resolve("minimal.json")));
                }
            }
        }
        terminal.print("that history alone: " + again);
    }

    /** What a batch of that size must have reached and has not. */
    private List<String> missing(Profile drawn, Batch.Result result) {
        if (mutant != null) {
            return result.failures().isEmpty() ? List.of("a history that shows " + mutant.name()) : List.of();
        }
        return corpus != null || result.histories() < COVERAGE_HISTORIES_MIN
                ? List.of()
                : RequiredCoverage.missing(drawn.word(), result.statistics().reached());
    }

    private String verdict(ExitStatus status) {
        if (mutant == null) {
            return status.words();
        }
        return switch (status) {
            case HELD, COVERAGE_TOO_LOW -> "the mutant " + mutant.name() + " survived";
            case UNSAFE, NOT_LIVE -> "the mutant " + mutant.name() + " was found: " + status.words();
            case NOT_DETERMINISTIC, CRASHED -> status.words();
        };
    }

    // ---- all mutants ----

    private ExitStatus runAllMutants(Seeds seeds) throws InterruptedException {
        ResultPrinter results = ResultPrinter.begin(
                terminal, null, seeds.option().substring("--".length()), "drift bound " + driftPpm + " ppm");
        MutationRun run = new MutationRun(each -> parts.setup(profile(each), driftPpm, each), seeds, jobs, histories);
        List<MutationRun.Result> all = new ArrayList<>();
        for (Mutant each : Mutants.all()) {
            all.add(run(results, run, each));
        }
        KillTable table = MutationRun.Result.table(all);
        terminal.print("");
        terminal.out().print(table.text());
        if (report != null) {
            Path kills = report.resolve("kills.md");
            terminal.write("report", kills, () -> Files.writeString(kills, table.markdown()));
        }
        ExitStatus status = MutationRun.Result.status(all);
        String number = histories == null ? "" : " --histories " + histories;
        results.end(verdict(status, table), again(seeds.option() + number));
        return status;
    }

    private MutationRun.Result run(ResultPrinter results, MutationRun run, Mutant each) throws InterruptedException {
        MutationRun.Result result = run.run(each, progress(run.histories(each), Long.MAX_VALUE));
        if (result.failure() != null) {
            results.print(result.failure());
        }
        KillTable.Kill kill = result.row().kill();
        terminal.print(each.name() + ": "
                + (kill == null
                        ? "survived " + ResultPrinter.histories(result.row().histories())
                        : kill.guarantee() + " in history " + kill.firstHistory()));
        return result;
    }

    private static String verdict(ExitStatus status, KillTable table) {
        int all = table.rows().size();
        String survivors = table.survivors().stream().map(Mutant::name).collect(Collectors.joining(", "));
        return switch (status) {
            case HELD -> "all " + all + " mutants were found by their invariants";
            case COVERAGE_TOO_LOW -> table.survivors().size() + " of " + all + " mutants survived: " + survivors;
            case UNSAFE, NOT_LIVE, NOT_DETERMINISTIC, CRASHED -> status.words();
        };
    }
}
