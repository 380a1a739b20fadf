package dev.leasehold.simulator.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.mutants.KillTable;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.Profile;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MutationRunTest {

    private static final Mutant MUTANT = Mutant.of("no-margin", 400, Profile.CALM, Guarantee.G3);

    private static MutationRun.Result run(HistoryRunner runner, Guarantee breaks, long each)
            throws InterruptedException {
        return run(runner, breaks, each, 999).run(MUTANT, progress -> {});
    }

    private static MutationRun run(HistoryRunner runner, Guarantee breaks, long each, long last) {
        CheckerSetup setup = new CheckerSetup(
                MadeUp::plan,
                () -> runner,
                history -> history.plan().seed() % each == each - 1 ? MadeUp.broken(breaks) : MadeUp.good(),
                MUTANT::isKilledBy);
        return new MutationRun(mutant -> setup, Seeds.range(0, last), 1, null);
    }

    @Test
    void aMutantIsKilledByItsInvariant() throws InterruptedException {
        MutationRun.Result result = run(MadeUp.runner(), Guarantee.G3, 10);
        assertThat(result.row()).isEqualTo(new KillTable.Row(MUTANT, 200, new KillTable.Kill(Guarantee.G3, 10, 20, 0)));
        assertThat(result.row().hitsPerTenThousand()).isEqualTo(1_000);
        assertThat(MutationRun.Result.status(List.of(result))).isEqualTo(ExitStatus.HELD);
    }

    @Test
    void searchThatFindsItEndsWithTheFirstHistoryThatShowsIt() throws InterruptedException {
        MutationRun.Result found = run(MadeUp.runner(), Guarantee.G3, 10, 999).find(MUTANT);
        assertThat(found.row()).isEqualTo(new KillTable.Row(MUTANT, 10, new KillTable.Kill(Guarantee.G3, 10, 1, null)));
    }

    @Test
    void whatIsNotFoundInTheHistoriesThatThereAreSurvives() throws InterruptedException {
        assertThat(run(MadeUp.runner(), Guarantee.G3, 10, 8).find(MUTANT).row())
                .isEqualTo(new KillTable.Row(MUTANT, 9, null));
    }

    @Test
    void aMutantThatBreaksSomethingElseSurvives() throws InterruptedException {
        MutationRun.Result result = run(MadeUp.runner(), Guarantee.G7, 10);
        assertThat(result.row()).isEqualTo(new KillTable.Row(MUTANT, 400, null));
        assertThat(MutationRun.Result.status(List.of(result))).isEqualTo(ExitStatus.COVERAGE_TOO_LOW);
    }

    @Test
    void whatIsBrokenWithoutTheMistakeAsWellIsNotItsDoing() throws InterruptedException {
        HistoryRunner sound = MadeUp.runner();
        Set<Long> soundPlays = new TreeSet<>();
        boolean[] plays = new boolean[1];
        CheckerSetup planted = new CheckerSetup(
                MadeUp::plan,
                MadeUp::runner,
                history -> {
                    long seed = history.plan().seed();
                    boolean without = plays[0];
                    plays[0] = false;
                    return seed % 10 == 9 && (!without || seed < 50) ? MadeUp.broken(Guarantee.G3) : MadeUp.good();
                },
                MUTANT::isKilledBy);
        CheckerSetup setup = planted.comparedWith(() -> new HistoryRunner() {
            @Override
            public History run(Plan plan) {
                soundPlays.add(plan.seed());
                plays[0] = true;
                return sound.run(plan);
            }

            @Override
            public void close() {}
        });

        MutationRun.Result result = new MutationRun(mutant -> setup, Seeds.range(0, 99), 1, null).find(MUTANT);

        assertThat(result.row())
                .isEqualTo(new KillTable.Row(MUTANT, 60, new KillTable.Kill(Guarantee.G3, 60, 1, null)));
        // A job goes on until it is told that the mutant is found, so there may be more.
        assertThat(soundPlays)
                .as("only what breaks something is played without the mutant")
                .startsWith(9L, 19L, 29L, 39L, 49L, 59L)
                .allMatch(seed -> seed % 10 == 9);
    }

    @Test
    void aRunThatDoesNotRepeatIsTold() throws InterruptedException {
        MutationRun.Result result = run(MadeUp.notRepeating(100), Guarantee.G3, 1_000);
        assertThat(result.failure()).extracting(Failure::status).isEqualTo(ExitStatus.NOT_DETERMINISTIC);
        assertThat(MutationRun.Result.status(List.of(result))).isEqualTo(ExitStatus.NOT_DETERMINISTIC);
    }
}
