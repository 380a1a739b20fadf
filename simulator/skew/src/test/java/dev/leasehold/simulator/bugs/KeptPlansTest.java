package dev.leasehold.simulator.bugs;

import static dev.leasehold.simulator.bugs.Change.in;
import static dev.leasehold.simulator.bugs.PlantedBug.bug;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.check.Judge;
import dev.leasehold.simulator.check.Promise;
import dev.leasehold.simulator.check.Violation;
import dev.leasehold.simulator.history.HistoryRunner;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Bugs of this engine that are mended, and that chance shows too seldom to be hunted for. */
class KeptPlansTest {

    private static List<Violation> violations(String plan, @Nullable PlantedBug bug) {
        try (HistoryRunner engine = EngineClasses.runner(bug)) {
            return Judge.judge(engine.run(SavedPlans.KEPT.plan(plan))).violations();
        }
    }

    @Test
    void timeOfDayLeavesNoMoreOfATermThanTheNewestStampDoes() {
        String plan = "wall-time-outlived-a-stamp";
        PlantedBug unmended = bug(plan, "No stamp bounds what time of day leaves.")
                .by(in("engine.commit.Beliefs", "stamped").without("stamped"));

        assertThat(violations(plan, unmended)).extracting(Violation::promise).contains(Promise.T2);
        assertThat(violations(plan, null)).isEmpty();
    }

    @Test
    void termIsNotBoundedByStampsFromBeforeIt() {
        assertThat(violations("stamp-of-before-bounded-a-term", null)).isEmpty();
    }

    @Test
    void engineThatWasEvictedEndsWhatALostAbortHasLeft() {
        String plan = "lost-abort-of-the-evicted";
        PlantedBug unmended = bug(plan, "What a lost abort has left is left to others.")
                .by(in("engine.commit.LostAborts", "end").without("writeClock"));

        assertThat(violations(plan, unmended)).extracting(Violation::promise).contains(Promise.G7);
        assertThat(violations(plan, null)).isEmpty();
    }
}
