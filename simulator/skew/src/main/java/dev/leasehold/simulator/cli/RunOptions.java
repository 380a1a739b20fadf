package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Order;
import dev.leasehold.simulator.batch.Seeds;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.plan.Profile;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** What a run is asked for, and what it draws for itself where nothing is said. */
final class RunOptions {

    private static final long HISTORIES = 10_000;
    private static final int FAILURES = 1;
    private static final long MINUTE_NANOS = 60_000_000_000L;
    /** Up to here histories of all profiles were seen to be clean. */
    private static final long PPM_MAX = 100_000;
    /** With more the time of day, which runs true, ends beliefs before they can overlap. */
    private static final long TIGHT_PPM_MAX = 3_000;

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @ArgGroup
    private @Nullable Which which;

    @ArgGroup
    private @Nullable HowMany howMany;

    @ArgGroup
    private @Nullable Mistakes mistakes;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "So many at the same time. Default: as many as there are processors, here ${DEFAULT-VALUE}.")
    private int jobs = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--profile",
            paramLabel = "P",
            converter = ProfileName.class,
            description =
                    "What kind of histories; the command 'profiles' lists them. Default: swarm, or that of the mutant.")
    private @Nullable Profile profile;

    @Option(
            names = "--drift-ppm",
            paramLabel = "PPM",
            defaultValue = "1000",
            description =
                    "The drift bound of all engines, 0 to 100000, with the profile tight to 3000. Default: ${DEFAULT-VALUE}.")
    private long driftPpm;

    @Option(names = "--check-determinism", description = "Plays every history twice, rather than every hundredth.")
    private boolean checkAll;

    @Option(
            names = "--failures",
            paramLabel = "N",
            defaultValue = "" + FAILURES,
            description = "Ends after so many broken histories. Default: ${DEFAULT-VALUE}.")
    private int failuresMax;

    @Option(names = "--report", paramLabel = "DIR", description = "Writes a report folder.")
    private @Nullable Path report;

    /** Which histories. */
    static final class Which {

        @Option(names = "--seed", paramLabel = "N", description = "The root of all seeds. Default: a fresh one.")
        private @Nullable Long seed;

        @Option(
                names = "--seeds",
                paramLabel = "A..B",
                converter = SeedRange.class,
                description = "Exactly the histories with these seeds.")
        private Seeds.@Nullable Range seeds;
    }

    /** How many of them. */
    static final class HowMany {

        @Option(names = "--histories", paramLabel = "N", description = "So many. Default: 10000.")
        private @Nullable Long histories;

        @Option(names = "--minutes", paramLabel = "N", description = "As many as fit into this time.")
        private @Nullable Long minutes;
    }

    /** Mistakes that are made in the engine. */
    static final class Mistakes {

        @Option(
                names = "--mutant",
                paramLabel = "NAME",
                converter = MutantName.class,
                description = "Plants this mutant; 'mutants' lists them.")
        private @Nullable Mutant mutant;

        @Option(names = "--all-mutants", description = "Plants each mutant in turn, and prints how each was found.")
        private boolean all;
    }

    private @Nullable Long drawnSeed;

    Order order() {
        Seeds seeds = seeds();
        return new Order(seeds, histories(seeds), timeNanos(), jobs, checkAll, failuresMax);
    }

    /** To be called before anything else: whatever is not possible ends here. */
    void check() {
        require(jobs >= 1, "--jobs " + jobs + " is refused: at least 1");
        require(failuresMax >= 1, "--failures " + failuresMax + " is refused: at least 1");
        require(
                !isAllMutants() || failuresMax == FAILURES,
                "--failures is refused: --all-mutants counts so many hits for each mutant");
        require(
                !isAllMutants() || !checkAll,
                "--check-determinism is refused: --all-mutants plays for the mutants alone");
        require(driftPpm >= 0 && driftPpm <= PPM_MAX, "--drift-ppm " + driftPpm + " is refused: 0 to " + PPM_MAX);
        require(
                profile() != Profile.TIGHT || driftPpm <= TIGHT_PPM_MAX,
                "--drift-ppm " + driftPpm + " is refused: 0 to " + TIGHT_PPM_MAX
                        + " with the profile tight, which has to show overlaps");
        if (howMany != null && howMany.histories != null) {
            require(howMany.histories >= 1, "--histories " + howMany.histories + " is refused: at least 1");
        }
        if (howMany != null && howMany.minutes != null) {
            require(!isAllMutants(), "--minutes is refused: --all-mutants plays so many histories for each mutant");
            require(
                    howMany.minutes >= 1 && howMany.minutes <= Long.MAX_VALUE / MINUTE_NANOS,
                    "--minutes " + howMany.minutes + " is refused: at least 1, and no more than centuries");
        }
    }

    private void require(boolean condition, String message) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }

    /** Where nothing is said, that on which the mutant shows. */
    Profile profileFor(Mutant mutant) {
        return profile == null ? mutant.profile() : profile;
    }

    /** As they were asked for; null when nothing was said. */
    @Nullable Long histories() {
        return howMany == null ? null : howMany.histories;
    }

    Profile profile() {
        Mutant mutant = mutant();
        return mutant != null ? profileFor(mutant) : profile == null ? Profile.SWARM : profile;
    }

    @Nullable Mutant mutant() {
        return mistakes == null ? null : mistakes.mutant;
    }

    boolean isAllMutants() {
        return mistakes != null && mistakes.all;
    }

    long driftPpm() {
        return driftPpm;
    }

    @Nullable Path report() {
        return report;
    }

    Seeds seeds() {
        if (which != null && which.seeds != null) {
            return which.seeds;
        }
        return new Seeds.FromRoot(which != null && which.seed != null ? which.seed : drawnSeed());
    }

    /** Nobody said which; whoever reads the output can say it again. */
    private long drawnSeed() {
        if (drawnSeed == null) {
            drawnSeed = (long) new SecureRandom().nextInt(Integer.MAX_VALUE);
        }
        return drawnSeed;
    }

    private long histories(Seeds seeds) {
        if (howMany == null) {
            Mutant mutant = mutant();
            return seeds instanceof Seeds.Range ? seeds.count() : mutant == null ? HISTORIES : mutant.histories();
        }
        return howMany.histories == null ? Long.MAX_VALUE : howMany.histories;
    }

    private long timeNanos() {
        return howMany == null || howMany.minutes == null ? Long.MAX_VALUE : howMany.minutes * MINUTE_NANOS;
    }

    /** All that was chosen or drawn, in lines. */
    List<String> lines() {
        Order order = order();
        return List.of(
                seedLine(),
                "profile " + profile().word() + ": " + profile().description(),
                "drift bound " + driftPpm + " ppm",
                howMany != null && howMany.minutes != null
                        ? "for " + howMany.minutes + " min"
                        : "histories " + order.length(),
                "jobs " + jobs + ", " + (checkAll ? "every history" : "every hundredth history") + " is played twice",
                Words.of(mutant()));
    }

    String seedLine() {
        return seeds().option().substring("--".length());
    }

    String commandForAllMutants() {
        return Commands.JAR + " run --all-mutants " + seeds().option() + " --drift-ppm " + driftPpm
                + (profile == null ? "" : " --profile " + profile.word())
                + (histories() == null ? "" : " --histories " + histories());
    }

    /** The command that plays one of the histories again. */
    String commandFor(long seed) {
        return command(" --seeds " + seed + ".." + seed);
    }

    /** The command that plays the whole batch again, however long it took. */
    String commandFor(Seeds seeds, long histories) {
        return command(" " + seeds.option() + " --histories " + histories)
                + (failuresMax == FAILURES ? "" : " --failures " + failuresMax)
                + (checkAll ? " --check-determinism" : "");
    }

    private String command(String histories) {
        Mutant mutant = mutant();
        return Commands.JAR + " run" + histories + " --profile " + profile().word() + " --drift-ppm " + driftPpm
                + (mutant == null ? "" : " --mutant " + mutant.name());
    }
}
