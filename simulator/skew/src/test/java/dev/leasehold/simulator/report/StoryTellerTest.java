package dev.leasehold.simulator.report;

import static dev.leasehold.simulator.report.Script.MS;
import static dev.leasehold.simulator.report.Script.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Spans that events make. */
class StoryTellerTest {

    private static final long NEVER = Long.MAX_VALUE;
    private static final HeldTenure TENURE = new HeldTenure("lease-0", "holder-0", 1);
    private static final Operation CLAIM =
            new Operation(Operation.Kind.CLAIM, "lease-0", "holder-0", null, SECOND, false);

    private final Script script = new Script(Script.SETTING).machine().starts(0);

    private Story story() {
        return StoryTeller.tell(script.history());
    }

    // ---- beliefs ----

    @Test
    void aBeliefThatIsRenewedInTimeGoesOn() {
        script.at(SECOND).believes(0, TENURE, 2 * SECOND);
        script.at(2 * SECOND).believes(0, TENURE, 3 * SECOND);

        assertThat(story().beliefs()).containsExactly(new Story.Belief(0, TENURE, SECOND, 3 * SECOND, "by time"));
    }

    @Test
    void aBeliefAfterAPauseIsAnotherOne() {
        script.at(SECOND).believes(0, TENURE, 2 * SECOND);
        script.at(2 * SECOND + 1).believes(0, TENURE, 3 * SECOND);

        assertThat(story().beliefs()).extracting(Story.Belief::fromNanos).containsExactly(SECOND, 2 * SECOND + 1);
    }

    @Test
    void doubtEndsABeliefAtOnce() {
        script.at(SECOND).believes(0, TENURE, 9 * SECOND);
        script.at(2 * SECOND).add(new Event.Doubted(2 * SECOND, 0, 0, TENURE));

        assertThat(story().beliefs()).containsExactly(new Story.Belief(0, TENURE, SECOND, 2 * SECOND, "given up"));
    }

    @Test
    void aCrashEndsBeliefsAndLeavesCallsWithoutAnAnswer() {
        script.at(SECOND).believes(0, TENURE, 9 * SECOND);
        script.calls(0, CLAIM);
        script.at(2 * SECOND).crashes(0, SECOND);

        assertThat(story().beliefs()).containsExactly(new Story.Belief(0, TENURE, SECOND, 2 * SECOND, "crashed"));
        assertThat(story().calls()).singleElement().satisfies(call -> {
            assertThat(call.answer()).isNull();
            assertThat(call.toNanos()).isEqualTo(NEVER);
        });
        assertThat(story().runs()).containsExactly(new Story.Run(0, 0, MS, 2 * SECOND, true));
    }

    // ---- calls ----

    @Test
    void whatWasFoundOutBelongsToTheCall() {
        script.at(SECOND);
        int call = script.calls(0, CLAIM);
        script.at(2 * SECOND).answers(call, Answer.Kind.UNKNOWN, null, "LeaseOutcomeUnknownException");
        Answer found = new Answer(Answer.Kind.YES, TENURE, null, List.of());
        script.at(3 * SECOND).add(new Event.Resolved(3 * SECOND, call, found));

        assertThat(story().calls()).singleElement().satisfies(told -> {
            assertThat(told.toNanos()).isEqualTo(2 * SECOND);
            assertThat(told.resolution()).isEqualTo(found);
            assertThat(told.resolvedNanos()).isEqualTo(3 * SECOND);
        });
    }

    // ---- what is stored ----

    @Test
    void aDocumentLastsUntilItIsWrittenAgain() {
        script.at(SECOND).writes(0, 0, "lease-0", "holder-0", 1, SECOND);
        script.at(2 * SECOND).writes(0, 0, "lease-0", null, 1, null);

        assertThat(story().stored())
                .extracting(Story.Stored::fromNanos, Story.Stored::toNanos)
                .containsExactly(tuple(SECOND, 2 * SECOND), tuple(2 * SECOND, NEVER));
        assertThat(story().commits())
                .extracting(Story.Commit::majorityNanos)
                .containsExactly(SECOND + MS, 2 * SECOND + MS);
    }

    @Test
    void aFailOverBringsBackWhatWasBefore() {
        script.at(SECOND).writes(0, 0, "lease-0", "holder-0", 1, SECOND);
        script.at(2 * SECOND).writes(0, 0, "lease-0", "holder-1", 2, SECOND);
        script.at(3 * SECOND).add(new Event.RolledBack(3 * SECOND, 1));

        List<Story.Stored> stored = story().stored();
        assertThat(stored)
                .extracting(Story.Stored::fromNanos, Story.Stored::toNanos, Story.Stored::takenBack)
                .containsExactly(
                        tuple(SECOND, 2 * SECOND, false),
                        tuple(2 * SECOND, 3 * SECOND, true),
                        tuple(3 * SECOND, NEVER, false));
        assertThat(stored.get(2).row()).isEqualTo(stored.get(0).row());
        assertThat(story().commits()).extracting(Story.Commit::isTakenBack).containsExactly(false, true);
    }

    @Test
    void afterAFailOverNumbersOfVersionsAreUsedAgain() {
        script.at(SECOND).writes(0, 0, "lease-0", "holder-0", 1, SECOND);
        script.at(2 * SECOND).add(new Event.RolledBack(2 * SECOND, 0));
        script.at(3 * SECOND)
                .add(new Event.Committed(3 * SECOND, 1, HistoriesOfAllKinds.AUTHOR, List.of(script.ticks(0))));
        script.at(4 * SECOND).add(new Event.Majority(4 * SECOND, 1));

        assertThat(story().commits())
                .extracting(Story.Commit::takenBackNanos, Story.Commit::majorityNanos)
                .containsExactly(tuple(2 * SECOND, SECOND + MS), tuple(NEVER, 4 * SECOND));
        assertThat(story().stored()).extracting(Story.Stored::takenBack).containsExactly(true);
    }
}
