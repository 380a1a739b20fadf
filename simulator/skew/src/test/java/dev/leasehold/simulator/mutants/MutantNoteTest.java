package dev.leasehold.simulator.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** What a plan's file says about the mutant that the plan needs. */
class MutantNoteTest {

    private static final String JSON = "{\n  \"profile\": \"calm\",\n  \"commands\": [{\"at\": 1}]\n}\n";

    @Test
    void theNoteIsTheFirstField() {
        assertThat(MutantNote.with(JSON, Mutants.canary()))
                .startsWith("{\n  \"mutant\": \"canary\",\n  \"profile\": \"calm\",\n");
    }

    @Test
    void whatWasNotedIsRead() {
        assertThat(MutantNote.in(MutantNote.with(JSON, Mutants.canary()))).isSameAs(Mutants.canary());
    }

    @Test
    void withoutAMutantThereIsNoNote() {
        assertThat(MutantNote.with(JSON, null)).isEqualTo(JSON);
        assertThat(MutantNote.in(JSON)).isNull();
        assertThat(MutantNote.without(JSON)).isEqualTo(JSON);
    }

    @Test
    void withoutTheNoteEveryLineIsStillInItsPlace() {
        assertThat(MutantNote.without(MutantNote.with(JSON, Mutants.canary())))
                .isEqualTo(JSON.replaceFirst("\n", "\n  \n"));
    }

    @Test
    void anUnknownMutantIsRefusedByName() {
        assertThatThrownBy(() -> MutantNote.in("{\"mutant\": \"nothing\", \"profile\": \"calm\"}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("mutant 'nothing' is refused");
    }
}
