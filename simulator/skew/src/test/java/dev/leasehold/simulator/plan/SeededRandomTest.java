package dev.leasehold.simulator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.conditions.SeededRandom;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class SeededRandomTest {

    @Property(tries = 500)
    void whatIsDrawnBetweenTwoBoundsKeepsToThem(
            @ForAll long seed, @ForAll int least, @ForAll @LongRange(max = 1_000_000) long more) {
        assertThat(new SeededRandom(seed).between(least, least + more)).isBetween((long) least, least + more);
    }

    @Property(tries = 500)
    void whatIsSpreadKeepsToItsBounds(
            @ForAll long seed,
            @ForAll @LongRange(min = 1, max = 1L << 40) long least,
            @ForAll @LongRange(min = 1, max = 1L << 60) long most) {
        Assume.that(least <= most);

        assertThat(new SeededRandom(seed).spread(least, most)).isBetween(least, most);
    }

    @Example
    void spreadingGivesSmallNumbersAsOftenAsGreatOnes() {
        SeededRandom seededRandom = new SeededRandom(7);
        int small = 0;
        for (int i = 0; i < 1_000; i++) {
            small += seededRandom.spread(1, 1L << 40) < 1L << 20 ? 1 : 0;
        }

        assertThat(small).isBetween(400, 600);
    }

    /** The first values of SplitMix64 for the seed 1234567, as its reference implementation gives them. */
    @Example
    void theGeneratorIsSplitMix64() {
        SeededRandom seededRandom = new SeededRandom(1_234_567);

        assertThat(Long.toUnsignedString(seededRandom.next())).isEqualTo("6457827717110365317");
        assertThat(Long.toUnsignedString(seededRandom.next())).isEqualTo("3203168211198807973");
    }
}
