package dev.leasehold.simulator.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.engine.internal.time.ExpiryBound;
import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.mutants.advice.Bounds;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MutantsTest {

    @Test
    void everyInvariantHasAMutantThatBreaksIt() {
        assertThat(Mutants.all().stream().flatMap(mutant -> mutant.killers().stream()))
                .containsAll(Arrays.asList(Guarantee.values()));
    }

    @Test
    void noTwoMutantsHaveOneName() {
        assertThat(Mutants.all().stream().map(Mutant::name)).doesNotHaveDuplicates();
    }

    @Test
    void functionThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> new Patch("bound", ExpiryBound.class, "renamed", Bounds.AtTheBound.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has 0 methods renamed");
    }

    @Test
    void equalityIsPastTheBoundInTheMutantAndNowhereElse() throws Exception {
        Patch patch = new Patch("bound", ExpiryBound.class, "hasPassed", Bounds.AtTheBound.class);
        Object passed = Class.forName(ExpiryBound.class.getName(), true, new PatchedClasses(patch))
                .getMethod("hasPassed", long.class, long.class)
                .invoke(null, 5L, 5L);
        assertThat(passed).isEqualTo(true);
        assertThat(ExpiryBound.hasPassed(5, 5)).isFalse();
    }
}
