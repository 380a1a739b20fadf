package dev.leasehold.simulator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.batch.RequiredCoverage;
import dev.leasehold.simulator.batch.Seeds;
import dev.leasehold.simulator.mutants.SavedPlans;
import dev.leasehold.simulator.plan.Profile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * The histories that every build plays: of every profile, and of changed plans of past bugs, some that are always the same, and some that
 * were never drawn before. They are
 * played by the command line, so that a failure comes with its report and with the command that repeats it. The profile {@code nightly}
 * plays two hundred times as many that were never played before.
 */
@Tag("long")
class InvariantsTest {

    private static final Path REPORTS = Path.of("target", "simulation");

    private static final Path PAST_BUGS = SavedPlans.PAST.folder();

    private static final Seeds FIXED = Seeds.range(0, 199);
    private static final Seeds FRESH = fresh();

    /** Too many states, some of them rare, for so few histories: what these profiles must reach, all profiles together have to. */
    private static final Set<Profile> OF_EVERYTHING = Set.of(Profile.SWARM, Profile.HOSTILE);

    private static final Map<Profile, CommandRun> FIXED_RUNS = new EnumMap<>(Profile.class);

    private static Seeds fresh() {
        long first = 1_000_000 + new SecureRandom().nextInt(Integer.MAX_VALUE);
        return Seeds.range(first, first + (Boolean.getBoolean("leasehold.nightly") ? 4_999 : 24));
    }

    @BeforeContainer
    static void sayWhichAreFresh() {
        System.out.println("fresh histories of this build: " + CommandText.JAR + " run " + FRESH.option()
                + " --profile PROFILE, and" + " --corpus " + PAST_BUGS);
    }

    @Property(generation = GenerationMode.EXHAUSTIVE)
    void noFixedHistoryBreaksAnInvariant(@ForAll Profile profile) {
        fixed(profile).mustHaveHeld();
    }

    @Property(generation = GenerationMode.EXHAUSTIVE)
    void noFreshHistoryBreaksAnInvariant(@ForAll Profile profile) {
        CommandRun.of(profile, FRESH, REPORTS.resolve("fresh-" + profile.word()))
                .mustHaveHeld();
    }

    @Example
    void noChangeOfAKeptPlanBreaksAnInvariant() {
        CommandRun.near(PAST_BUGS, FIXED, REPORTS.resolve("fixed-near")).mustHaveHeld();
        CommandRun.near(PAST_BUGS, FRESH, REPORTS.resolve("fresh-near")).mustHaveHeld();
    }

    @Property(generation = GenerationMode.EXHAUSTIVE)
    void fixedHistoriesReachWhatTheirProfileIsAbout(@ForAll Profile profile) throws IOException {
        if (!OF_EVERYTHING.contains(profile)) {
            assertThat(RequiredCoverage.missing(profile.word(), fixed(profile).reached()))
                    .as("never reached by %s", profile)
                    .isEmpty();
        }
    }

    @Example
    void fixedHistoriesOfAllProfilesReachWhateverCanBeReached() throws IOException {
        TreeMap<String, Long> reached = new TreeMap<>();
        Set<String> required = new TreeSet<>();
        for (Profile profile : Profile.values()) {
            fixed(profile).reached().forEach((state, times) -> reached.merge(state, times, Long::sum));
            required.addAll(RequiredCoverage.required(profile.word()));
        }
        assertThat(List.copyOf(required)).as("states that must be reached").isSubsetOf(reached.keySet());
    }

    private static CommandRun fixed(Profile profile) {
        return FIXED_RUNS.computeIfAbsent(
                profile, it -> CommandRun.of(it, FIXED, REPORTS.resolve("fixed-" + it.word())));
    }
}
