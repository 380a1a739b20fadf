package dev.leasehold.simulator.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import dev.leasehold.simulator.batch.CheckerSetup;
import dev.leasehold.simulator.batch.MutationRun;
import dev.leasehold.simulator.batch.Seeds;
import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.checker.HistoryChecker;
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
 * The checker finds every mutant, by an invariant that the mutant is to break.
 *
 * <p>This is a check that a build has time for. Mutants that show in many histories are searched for in the first ones of
 * their profile, without measuring how frequent they are. The others are searched for in one history only, of a plan that was found and
 * shrunk before. The whole search, in drawn histories alone, is {@code run --all-mutants} of the command line.
 *
 * <p>Every build searches for one mutant of each invariant, the profile {@code nightly} for all.
 */
@Tag("long")
@Execution(ExecutionMode.CONCURRENT)
class KilledMutantsTest {

    private static final long DRIFT_PPM = 1_000;
    private static final Seeds FIRST = Seeds.range(0, 99);
    private static final Seeds ONE = Seeds.range(0, 0);

    static List<Named<Mutant>> mutants() {
        List<Mutant> searched = Boolean.getBoolean("leasehold.nightly") ? Mutants.all() : onePerInvariant();
        return searched.stream().map(mutant -> named(mutant.name(), mutant)).toList();
    }

    private static List<Mutant> onePerInvariant() {
        Set<Guarantee> broken = EnumSet.noneOf(Guarantee.class);
        return Mutants.all().stream()
                .filter(mutant -> broken.addAll(mutant.killers()))
                .toList();
    }

    @Test
    void everyInvariantHasAMutantInEveryBuild() {
        assertThat(onePerInvariant().stream().flatMap(mutant -> mutant.killers().stream()))
                .containsAll(Mutants.all().stream()
                        .flatMap(mutant -> mutant.killers().stream())
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void everyMutantIsKilledByItsInvariant(Mutant mutant) throws InterruptedException {
        MutationRun.Result result = run(mutant).find(mutant);

        assertThat(result.failure()).isNull();
        assertThat(result.row().kill()).withFailMessage(() -> survived(mutant)).isNotNull();
        assertThat(mutant.killers()).contains(result.row().kill().guarantee());
    }

    private static String survived(Mutant mutant) {
        return "mutant " + mutant.name() + " survived "
                + (isFrequent(mutant) ? FIRST.count() + " histories of its profile" : "its saved plan")
                + ". If it is only harder to find than it was, find it, and save the plan:"
                + " java -jar target/leasehold-simulator.jar run --mutant " + mutant.name()
                + " --histories 100000 --report target/found"
                + " && cp target/found/minimal.json " + SavedPlans.RARE.file(mutant.name());
    }

    private static MutationRun run(Mutant mutant) {
        return isFrequent(mutant)
                ? run(seed -> PlanGenerator.draw(mutant.profile(), seed, DRIFT_PPM), FIRST)
                : run(seed -> SavedPlans.RARE.plan(mutant.name()), ONE);
    }

    private static MutationRun run(LongFunction<Plan> plans, Seeds seeds) {
        return new MutationRun(
                mutant -> new CheckerSetup(
                                plans,
                                () -> Mutants.runner(mutant),
                                history -> HistoryChecker.check(history.recording()),
                                mutant::isKilledBy)
                        .comparedWith(() -> Mutants.runner(null)),
                seeds,
                1,
                null);
    }

    private static boolean isFrequent(Mutant mutant) {
        return !SavedPlans.RARE.has(mutant.name());
    }

    @Test
    void theCanaryIsFoundAndShrunk() throws InterruptedException {
        Mutant canary = Mutants.canary();

        MutationRun.Result result = run(seed -> PlanGenerator.draw(canary.profile(), seed, DRIFT_PPM), FIRST)
                .run(canary, progress -> {});

        assertThat(result.failure()).isNull();
        KillTable.Kill kill = result.row().kill();
        assertThat(kill).isNotNull();
        assertThat(kill.guarantee()).isEqualTo(Guarantee.G5);
        assertThat(kill.firstHistory()).isLessThanOrEqualTo(canary.histories());
        assertThat(kill.commands()).isBetween(1, 6);
    }

    static List<String> rare() {
        return SavedPlans.RARE.names();
    }

    /** Else it would not be the mutant that the plan shows. Of histories that are drawn {@code InvariantsTest} says that. */
    @ParameterizedTest
    @MethodSource("rare")
    void engineWithoutTheMistakeBreaksNothing(String name) {
        assertThat(Mutants.named(name).name()).isEqualTo(name);
        try (HistoryRunner engine = Mutants.runner(null)) {
            assertThat(HistoryChecker.check(
                                    engine.run(SavedPlans.RARE.plan(name)).recording())
                            .violations())
                    .isEmpty();
        }
    }
}
