package dev.leasehold.simulator.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.bugs.KillTable;
import dev.leasehold.simulator.bugs.PlantedBug;
import dev.leasehold.simulator.check.Promise;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.Profile;
import dev.leasehold.simulator.report.Statistics;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class BugHuntTest {

    private static final PlantedBug BUG =
            new PlantedBug("no-margin", "The margin is left out.", List.of(Promise.G3), Profile.CALM, 400, List.of());

    private static Hunted hunt(HistoryRunner runner, Promise breaks, long each) throws InterruptedException {
        return hunt(runner, breaks, each, 999).hunt(BUG, progress -> {});
    }

    private static BugHunt hunt(HistoryRunner runner, Promise breaks, long each, long last) {
        Bench bench = new Bench(
                MadeUp::plan,
                () -> runner,
                history -> history.plan().seed() % each == each - 1 ? MadeUp.broken(breaks) : MadeUp.good(),
                BUG::isKilledBy);
        return new BugHunt(bug -> bench, new Seeds.Range(0, last), 1, null);
    }

    @Test
    void aBugIsKilledByItsPromise() throws InterruptedException {
        Hunted hunted = hunt(MadeUp.runner(), Promise.G3, 10);
        assertThat(hunted.row()).isEqualTo(new KillTable.Row(BUG, 200, new KillTable.Kill(Promise.G3, 10, 20, 0)));
        assertThat(Hunted.ending(List.of(hunted))).isEqualTo(Ending.HELD);
    }

    @Test
    void whoWantsToFindItEndsWithTheFirstHistoryThatShowsIt() throws InterruptedException {
        Hunted found = hunt(MadeUp.runner(), Promise.G3, 10, 999).find(BUG);
        assertThat(found.row()).isEqualTo(new KillTable.Row(BUG, 10, new KillTable.Kill(Promise.G3, 10, 1, null)));
    }

    @Test
    void whatIsNotFoundInTheHistoriesThatThereAreSurvives() throws InterruptedException {
        assertThat(hunt(MadeUp.runner(), Promise.G3, 10, 8).find(BUG).row()).isEqualTo(new KillTable.Row(BUG, 9, null));
    }

    @Test
    void aBugThatBreaksSomethingElseSurvives() throws InterruptedException {
        Hunted hunted = hunt(MadeUp.runner(), Promise.G7, 10);
        assertThat(hunted.row()).isEqualTo(new KillTable.Row(BUG, 400, null));
        assertThat(Hunted.ending(List.of(hunted))).isEqualTo(Ending.BLIND);
    }

    @Test
    void whatIsBrokenWithoutTheBugAsWellIsNotItsDoing() throws InterruptedException {
        HistoryRunner sound = MadeUp.runner();
        Set<Long> soundPlays = new TreeSet<>();
        boolean[] plays = new boolean[1];
        Bench planted = new Bench(
                MadeUp::plan,
                MadeUp::runner,
                history -> {
                    long seed = history.plan().seed();
                    boolean without = plays[0];
                    plays[0] = false;
                    return seed % 10 == 9 && (!without || seed < 50) ? MadeUp.broken(Promise.G3) : MadeUp.good();
                },
                BUG::isKilledBy);
        Bench bench = planted.blaming(() -> new HistoryRunner() {
            @Override
            public History run(Plan plan) {
                soundPlays.add(plan.seed());
                plays[0] = true;
                return sound.run(plan);
            }

            @Override
            public void close() {}
        });

        Hunted hunted = new BugHunt(bug -> bench, new Seeds.Range(0, 99), 1, null).find(BUG);

        assertThat(hunted.row()).isEqualTo(new KillTable.Row(BUG, 60, new KillTable.Kill(Promise.G3, 60, 1, null)));
        assertThat(soundPlays)
                .as("only what breaks something is played without the bug")
                .containsExactly(9L, 19L, 29L, 39L, 49L, 59L);
    }

    @Test
    void aHuntThatDoesNotRepeatIsTold() throws InterruptedException {
        Hunted hunted = hunt(MadeUp.notRepeating(100), Promise.G3, 1_000);
        assertThat(hunted.failure()).isInstanceOf(Failure.Unrepeatable.class);
        assertThat(Hunted.ending(List.of(hunted))).isEqualTo(Ending.NOT_DETERMINISTIC);
    }

    @Test
    void theFiguresOfAHuntHoldItsKills() throws InterruptedException {
        Hunted killed = hunt(MadeUp.runner(), Promise.G3, 10);
        Hunted survivor = hunt(MadeUp.runner(), Promise.G7, 10);
        assertThat(Hunted.statistics(List.of(killed, survivor)).kills())
                .containsOnlyKeys("no-margin")
                .containsEntry("no-margin", new Statistics.Kill(Promise.G3, 10, 1_000, 0));
        assertThat(Hunted.statistics(List.of(killed, survivor)).histories()).isEqualTo(200 + 400);
    }
}
