package dev.leasehold.simulator.bugs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PlantedBugsTest {

    static java.util.List<PlantedBug> bugs() {
        return PlantedBugs.all();
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void everyBugFindsItsPlaceAndItsClassesCanBeLoaded(PlantedBug bug) throws Exception {
        ClassLoader loader = EngineClasses.with(bug);

        for (Change change : bug.changes()) {
            Class<?> changed = Class.forName("dev.leasehold." + change.where().className(), true, loader);
            assertThat(changed.getClassLoader()).isSameAs(loader);
        }
    }

    @Test
    void equalityIsPastTheBound() throws Exception {
        ClassLoader loader = EngineClasses.with(PlantedBugs.named("at-the-bound"));
        Object passed = Class.forName("dev.leasehold.engine.time.SafeAfter", true, loader)
                .getMethod("hasPassed", long.class, long.class)
                .invoke(null, 5L, 5L);
        assertThat(passed).isEqualTo(true);
    }
}
