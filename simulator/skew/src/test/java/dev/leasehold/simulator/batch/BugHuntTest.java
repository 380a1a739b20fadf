package dev.leasehold.simulator.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.bugs.PlantedBug;
import dev.leasehold.simulator.check.Promise;
import dev.leasehold.simulator.history.HistoryRunner;
import java.util.List;
import org.junit.jupiter.api.Test;

class BugHuntTest {

    private static final PlantedBug BUG =
            new PlantedBug("no-margin", "The margin is left out.", List.of(Promise.G3), "calm", 400, List.of());

    private static Hunted hunt(HistoryRunner runner, Promise breaks, long each) throws InterruptedException {
        Bench bench = new Bench(
                MadeUp::plan,
                () -> runner,
                history -> history.plan().seed() % each == each - 1 ? MadeUp.broken(breaks) : MadeUp.good(),
                BUG::isKilledBy);
        return new BugHunt(bug -> bench, new Seeds.Range(0, 999), 1, null).hunt(BUG, progress -> {});
    }

    @Test
    void aBugIsKilledByItsPromise() throws InterruptedException {
        Hunted hunted = hunt(MadeUp.runner(), Promise.G3, 10);
        assertThat(hunted.kill().promise()).isEqualTo(Promise.G3);
        assertThat(hunted.kill().firstHistory()).isEqualTo(10);
        assertThat(hunted.kill().hitsPerTenThousand()).isEqualTo(1_000);
        assertThat(Hunted.ending(List.of(hunted))).isEqualTo(Ending.HELD);
    }

    @Test
    void aBugThatBreaksSomethingElseSurvives() throws InterruptedException {
        Hunted hunted = hunt(MadeUp.runner(), Promise.G7, 10);
        assertThat(hunted.kill()).isNull();
        assertThat(hunted.histories()).isEqualTo(400);
        assertThat(Hunted.ending(List.of(hunted))).isEqualTo(Ending.BLIND);
    }

    @Test
    void aHuntThatDoesNotRepeatIsTold() throws InterruptedException {
        Hunted hunted = hunt(MadeUp.notRepeating(100), Promise.G3, 1_000);
        assertThat(hunted.failure()).isInstanceOf(Failure.Unrepeatable.class);
        assertThat(Hunted.ending(List.of(hunted))).isEqualTo(Ending.NOT_DETERMINISTIC);
    }

    @Test
    void theTableReadsAsTextAndAsMarkdown() throws InterruptedException {
        assertThat(KillTable.markdown(List.of(hunt(MadeUp.runner(), Promise.G3, 10), hunt(MadeUp.runner(), Promise.G7, 10))))
                .isEqualTo("""
                | bug       | must break | broke        | profile | first in history | hits per 10,000 | commands when shrunk |
                |-----------|------------|--------------|---------|------------------|-----------------|----------------------|
                | no-margin | G3         | G3           | calm    | 10               | 1000            | 0                    |
                | no-margin | G3         | survived 400 | calm    |                  |                 |                      |
                """);
    }
}
