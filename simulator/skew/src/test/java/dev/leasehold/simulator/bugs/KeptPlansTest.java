package dev.leasehold.simulator.bugs;

import static dev.leasehold.simulator.bugs.Change.in;
import static dev.leasehold.simulator.bugs.PlantedBug.bug;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.bugs.mistakes.HandleMistakes;
import dev.leasehold.simulator.check.Judge;
import dev.leasehold.simulator.check.Promise;
import dev.leasehold.simulator.check.Violation;
import dev.leasehold.simulator.plan.HistoryRunner;
import java.util.List;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Bugs of this engine that are mended, and that chance shows too seldom to be hunted for. */
class KeptPlansTest {

    private static List<Violation> violations(String plan, @Nullable PlantedBug bug) {
        try (HistoryRunner engine = EngineClasses.runner(bug)) {
            return Judge.judge(engine.run(SavedPlans.KEPT.plan(plan))).violations();
        }
    }

    private static void assertThatChangeBreaks(Promise promise, String plan, Change change) {
        PlantedBug unmended = bug(plan, "As before it was mended.").by(change);

        assertThat(violations(plan, unmended)).extracting(Violation::promise).contains(promise);
        assertThat(violations(plan, null)).isEmpty();
    }

    @Test
    void timeOfDayLeavesNoMoreOfATermThanTheNewestStampDoes() {
        Change noStampBounds = in("engine.commit.Beliefs", "stamped").without("stamped");

        assertThatChangeBreaks(Promise.T2, "wall-time-outlived-a-stamp", noStampBounds);
    }

    @Test
    void termIsNotBoundedByStampsFromBeforeIt() {
        Change noStampIsForgotten =
                in("engine.commit.Settlement", "roundBegins").without("forgetStamps");

        assertThatChangeBreaks(Promise.G7, "stamp-of-before-bounded-a-term", noStampIsForgotten);
    }

    @Test
    void clocksMayDifferByMoreAfterAnExtensionThanAfterTheTermOfAHandle() {
        Change nothingIsGranted =
                in("engine.handle.Holdings", "hasClockAnomaly").without("grantedNanos");

        assertThatChangeBreaks(Promise.G8, "anomaly-by-the-term-of-the-handle", nothingIsGranted);
    }

    @Test
    void timeOfDayMayBeBehindByWhatItDoesNotShow() {
        Change allIsShown = in("engine.handle.Holdings", "hasClockAnomaly").instruction(Opcodes.LADD, Opcodes.POP2);

        assertThatChangeBreaks(Promise.G8, "anomaly-by-milliseconds", allIsShown);
    }

    @Test
    void renewalThatIsAnsweredTooLateBringsNoBeliefBack() {
        Change everyExtensionBegins = in("engine.commit.Settlement", "believe").without("isRenewal");

        assertThatChangeBreaks(Promise.G8, "renewal-revived-a-belief", everyExtensionBegins);
    }

    @Test
    void whoSeesAnEndBeforeItsWordHasComeFindsTheReason() {
        Change onlyTheWordTells = in("engine.handle.Holdings", "loseAsSeen").without("cutShortBy");

        assertThatChangeBreaks(Promise.G8, "end-seen-before-its-word", onlyTheWordTells);
        assertThatChangeBreaks(Promise.G8, "end-seen-behind-a-release", onlyTheWordTells);
    }

    @Test
    void olderWriteThatIsFoundToHaveLandedEndsNoLaterTenure() {
        Change anyWriteEndsWhatIsSeen = in("engine.commit.Settlement", "seeEnd").without("isOlder");

        assertThatChangeBreaks(Promise.G8, "older-write-forgot-a-release", anyWriteEndsWhatIsSeen);
    }

    @Test
    void whoAsksWhenATenureIsOverDoesNotShareIt() {
        Change allOwners = in("engine.handle.Line", "takers").insteadOf("filter", HandleMistakes.class, "all");

        assertThatChangeBreaks(Promise.G8, "granted-to-who-asked-too-late", allOwners);
    }

    @Test
    void suspicionOutlivesALookThatHasFailed() {
        Change onlyOneLook = in("engine.handle.Lookout", "suspectAgain").without("suspect");

        assertThatChangeBreaks(Promise.G7, "suspicion-ended-with-a-failed-look", onlyOneLook);
    }

    @Test
    @DisplayName(
            "A heartbeat that is due ends what an abort had left, too, since it no longer waits for a burst; LostAbortsTest shows the bug")
    void planOfAnEngineThatWasEvictedHoldsItsPromises() {
        assertThat(violations("lost-abort-of-the-evicted", null)).isEmpty();
    }
}
