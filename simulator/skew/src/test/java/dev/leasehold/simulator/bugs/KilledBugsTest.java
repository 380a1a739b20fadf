package dev.leasehold.simulator.bugs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import dev.leasehold.simulator.batch.Bench;
import dev.leasehold.simulator.batch.BugHunt;
import dev.leasehold.simulator.batch.Hunted;
import dev.leasehold.simulator.batch.Seeds;
import dev.leasehold.simulator.check.Judge;
import dev.leasehold.simulator.check.Promise;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.PlanGenerator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The judges are awake: they find every planted bug, by the promise that has to find it.
 *
 * <p>This is a check that a build has time for. Bugs that show in a good part of all histories are hunted in the first ones of their
 * profile, without measuring how frequent they are. The others are looked for in one history only, of a plan that was found and shrunk
 * before. The honest hunt, in drawn histories alone, is {@code run --all-bugs} of the command line.
 *
 * <p>Every build hunts one bug for each promise; the profile {@code nightly} hunts them all.
 */
@Tag("long")
@Execution(ExecutionMode.CONCURRENT)
class KilledBugsTest {

    private static final long DRIFT_PPM = 1_000;
    private static final Seeds FIRST = new Seeds.Range(0, 99);
    private static final Seeds ONE = new Seeds.Range(0, 0);

    static List<Named<PlantedBug>> bugs() {
        List<PlantedBug> hunted = Boolean.getBoolean("leasehold.nightly") ? PlantedBugs.all() : onePerPromise();
        return hunted.stream().map(bug -> named(bug.name(), bug)).toList();
    }

    private static List<PlantedBug> onePerPromise() {
        Set<Promise> broken = EnumSet.noneOf(Promise.class);
        return PlantedBugs.all().stream()
                .filter(bug -> broken.addAll(bug.killers()))
                .toList();
    }

    @Test
    void everyPromiseThatAnyBugBreaksHasOneInEveryBuild() {
        assertThat(onePerPromise().stream().flatMap(bug -> bug.killers().stream()))
                .containsAll(PlantedBugs.all().stream()
                        .flatMap(bug -> bug.killers().stream())
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void everyPlantedBugIsKilledByItsPromise(PlantedBug bug) throws InterruptedException {
        Hunted hunted = hunt(bug).find(bug);

        assertThat(hunted.failure()).isNull();
        assertThat(hunted.row().kill()).withFailMessage(() -> survived(bug)).isNotNull();
        assertThat(bug.killers()).contains(hunted.row().kill().promise());
    }

    private static String survived(PlantedBug bug) {
        SavedPlans plans = PastBugs.all().contains(bug) ? SavedPlans.PAST : SavedPlans.RARE;
        return "bug " + bug.name() + " survived "
                + (saved(bug) == null ? FIRST.count() + " histories of its profile" : "its saved plan")
                + ". If it is only harder to find than it was, find it, and save the plan:"
                + " java -jar target/leasehold-simulator.jar run --bug " + bug.name()
                + " --histories 100000 --report target/found"
                + " && cp target/found/minimal.json " + plans.file(bug.name());
    }

    private static BugHunt hunt(PlantedBug bug) {
        SavedPlans saved = saved(bug);
        return saved == null
                ? hunt(seed -> PlanGenerator.draw(bug.profile(), seed, DRIFT_PPM), FIRST)
                : hunt(seed -> saved.plan(bug.name()), ONE);
    }

    private static BugHunt hunt(LongFunction<Plan> plans, Seeds seeds) {
        return new BugHunt(
                bug -> new Bench(plans, () -> EngineClasses.runner(bug), Judge::judge, bug::isKilledBy)
                        .blaming(() -> EngineClasses.runner(null)),
                seeds,
                1,
                null);
    }

    private static SavedPlans saved(PlantedBug bug) {
        return SavedPlans.PAST.has(bug.name())
                ? SavedPlans.PAST
                : SavedPlans.RARE.has(bug.name()) ? SavedPlans.RARE : null;
    }

    @Test
    void theCanaryIsFoundAndShrunk() throws InterruptedException {
        PlantedBug canary = PlantedBugs.canary();

        Hunted hunted = hunt(seed -> PlanGenerator.draw(canary.profile(), seed, DRIFT_PPM), FIRST)
                .hunt(canary, progress -> {});

        assertThat(hunted.failure()).isNull();
        KillTable.Kill kill = hunted.row().kill();
        assertThat(kill).isNotNull();
        assertThat(kill.promise()).isEqualTo(Promise.G5);
        assertThat(kill.firstHistory()).isLessThanOrEqualTo(canary.histories());
        assertThat(kill.commands()).isBetween(1, 6);
    }

    static List<String> rare() {
        return SavedPlans.RARE.names();
    }

    /** Else it would not be the bug that the plan shows. Of histories that are drawn the tests of promises say that. */
    @ParameterizedTest
    @MethodSource("rare")
    void withoutItsBugAPlanBreaksNothing(String name) {
        assertThat(PlantedBugs.named(name).name()).isEqualTo(name);
        try (HistoryRunner engine = EngineClasses.runner(null)) {
            assertThat(Judge.judge(engine.run(SavedPlans.RARE.plan(name))).violations())
                    .isEmpty();
        }
    }
}
