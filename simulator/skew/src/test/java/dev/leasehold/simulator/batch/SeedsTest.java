package dev.leasehold.simulator.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class SeedsTest {

    @Property
    void seedsOfARootAreNeverNegativeSoThatTheyCanBeTyped(@ForAll long root, @ForAll long index) {
        assertThat(Seeds.fromRoot(root).seed(index)).isNotNegative();
    }

    @Test
    void aRootDealsOutSeedsThatDiffer() {
        TreeSet<Long> seeds = new TreeSet<>();
        for (int i = 0; i < 10_000; i++) {
            seeds.add(Seeds.fromRoot(1).seed(i));
            seeds.add(Seeds.fromRoot(2).seed(i));
        }
        assertThat(seeds).hasSize(20_000);
    }

    @Test
    void aRootDealsOutTheSameSeedsOnEveryJvm() {
        assertThat(Seeds.fromRoot(1).seed(0)).isEqualTo(6_791_897_765_849_424_158L);
    }

    @Test
    void aRangeIsPlayedFromItsFirstToItsLast() {
        Seeds seeds = Seeds.range(17, 42);
        assertThat(seeds.count()).isEqualTo(26);
        assertThat(seeds.seed(0)).isEqualTo(17);
        assertThat(seeds.seed(25)).isEqualTo(42);
    }

    @Test
    void aRangeThatEndsBeforeItBeginsIsRefused() {
        assertThatThrownBy(() -> Seeds.range(5, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("5..4");
    }
}
