package dev.leasehold.engine.internal.time;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;
import net.jqwik.api.domains.DomainContextBase;

/**
 * All of int64, with the plausible instants, the small numbers and both ends often enough to meet one another. The ends are part of it, so
 * the properties do without the edge cases that jqwik would mix in, which would distort their statistics.
 */
final class AnyNanos extends DomainContextBase {

    private static final long NEAR = 2_000_000;

    @Provide
    Arbitrary<Long> anyNanos() {
        return Arbitraries.frequencyOf(
                Tuple.of(3, within(Long.MIN_VALUE, Long.MAX_VALUE)),
                Tuple.of(
                        1,
                        Arbitraries.of(
                                Long.MIN_VALUE, Long.MIN_VALUE + 1, -1L, 0L, 1L, Long.MAX_VALUE - 1, Long.MAX_VALUE)),
                Tuple.of(3, within(Fixture.Z - Fixture.HOUR, Fixture.Z + Fixture.HOUR)),
                Tuple.of(2, within(-NEAR, NEAR)),
                Tuple.of(1, within(Long.MIN_VALUE, Long.MIN_VALUE + NEAR)),
                Tuple.of(1, within(Long.MAX_VALUE - NEAR, Long.MAX_VALUE)));
    }

    @Provide
    Arbitrary<Drift> anyDrift() {
        return Arbitraries.frequencyOf(
                        Tuple.of(3, Arbitraries.of(0L, 1L, 1000L, 500_000L, 999_999L)), Tuple.of(1, within(0, 999_999)))
                .map(Drift::new);
    }

    private static Arbitrary<Long> within(long least, long greatest) {
        return Arbitraries.longs().between(least, greatest).withDistribution(RandomDistribution.uniform());
    }
}
