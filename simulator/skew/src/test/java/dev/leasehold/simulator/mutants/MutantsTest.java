package dev.leasehold.simulator.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.engine.time.SafeAfter;
import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.mutants.advice.Bounds;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MutantsTest {

    @Test
    void everyPromiseHasAMutantThatBreaksIt() {
        assertThat(Mutants.all().stream().flatMap(mutant -> mutant.killers().stream()))
                .containsAll(Arrays.asList(Guarantee.values()));
    }

    @Test
    void noTwoMutantsHaveOneName() {
        assertThat(Mutants.all().stream().map(Mutant::name)).doesNotHaveDuplicates();
    }

    @Test
    void functionThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> new Patch(SafeAfter.class, "renamed", Bounds.AtTheBound.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has 0 public methods renamed");
    }

    @Test
    void equalityIsPastTheBoundInTheMutantAndNowhereElse() throws Exception {
        Patch patch = new Patch(SafeAfter.class, "hasPassed", Bounds.AtTheBound.class);
        Object passed = Class.forName(SafeAfter.class.getName(), true, new PatchedClasses(patch))
                .getMethod("hasPassed", long.class, long.class)
                .invoke(null, 5L, 5L);
        assertThat(passed).isEqualTo(true);
        assertThat(SafeAfter.hasPassed(5, 5)).isFalse();
    }
}
