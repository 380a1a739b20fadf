package dev.leasehold.simulator.bugs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** What a plan's file says about the bug that the plan needs. */
class BugNoteTest {

    private static final String JSON = "{\n  \"profile\": \"calm\",\n  \"commands\": [{\"at\": 1}]\n}\n";

    @Test
    void theNoteIsTheFirstField() {
        assertThat(BugNote.with(JSON, PlantedBugs.canary()))
                .startsWith("{\n  \"bug\": \"canary\",\n  \"profile\": \"calm\",\n");
    }

    @Test
    void whatWasNotedIsRead() {
        assertThat(BugNote.in(BugNote.with(JSON, PlantedBugs.canary()))).isSameAs(PlantedBugs.canary());
    }

    @Test
    void withoutABugThereIsNoNote() {
        assertThat(BugNote.with(JSON, null)).isEqualTo(JSON);
        assertThat(BugNote.in(JSON)).isNull();
        assertThat(BugNote.without(JSON)).isEqualTo(JSON);
    }

    @Test
    void withoutTheNoteEveryLineIsStillInItsPlace() {
        assertThat(BugNote.without(BugNote.with(JSON, PlantedBugs.canary())))
                .isEqualTo(JSON.replaceFirst("\n", "\n  \n"));
    }

    @Test
    void anUnknownBugIsRefusedByName() {
        assertThatThrownBy(() -> BugNote.in("{\"bug\": \"nobody\", \"profile\": \"calm\"}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("bug 'nobody' is refused");
    }
}
