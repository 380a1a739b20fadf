package dev.leasehold.engine.internal.time;

import static dev.leasehold.engine.internal.time.Fixture.holds;
import static dev.leasehold.engine.internal.time.SkewReference.big;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.math.BigInteger;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsReport;

/** Validities over the whole range of int64. */
@Domain(AnyNanos.class)
@PropertyDefaults(tries = 5000, edgeCases = EdgeCasesMode.NONE)
class ValidityPropertiesTest {

    private static final BigInteger GREATEST = big(Long.MAX_VALUE);

    @Property
    @StatisticsReport(onFailureOnly = true)
    void remainingIsWhatIsLeftByTheClockThatEndsItFirst(
            @ForAll long until, @ForAll long wallUntil, @ForAll long now, @ForAll long wall) {
        Validity validity = new Validity(until, wallUntil, 1);
        BigInteger left = big(until).subtract(big(now)).min(big(wallUntil).subtract(big(wall)));

        assertThat(validity.remainingNanos(now, wall))
                .isEqualTo(left.max(BigInteger.ZERO).min(GREATEST).longValueExact());

        Statistics.label("validity")
                .collect(left.signum() > 0, left.bitLength() > 63)
                .coverage(seen -> {
                    seen.check(true, false).percentage(share -> share > 5);
                    seen.check(false, false).percentage(share -> share > 5);
                    seen.check(true, true).count(count -> count > 0);
                });
    }

    @Property
    @StatisticsReport(onFailureOnly = true)
    void longerValidityHoldsWheneverOneOfTheTwoDoesAndNeverWithoutEither(
            @ForAll long until,
            @ForAll long wallUntil,
            @ForAll long otherUntil,
            @ForAll long otherWallUntil,
            @ForAll long now,
            @ForAll long wall,
            @ForAll long laterNow,
            @ForAll long laterWall) {
        Validity one = new Validity(until, wallUntil, 1);
        Validity other = new Validity(otherUntil, otherWallUntil, 1);
        boolean either = holds(one, now, wall) || holds(other, now, wall);

        Validity longer = one.longer(other, now, wall);

        assertThat(holds(longer, now, wall)).isEqualTo(either);
        assertThat(!holds(longer, laterNow, laterWall)
                        || holds(one, laterNow, laterWall)
                        || holds(other, laterNow, laterWall))
                .isTrue();

        Statistics.label("one of the two")
                .collect(either)
                .coverage(seen -> seen.check(true).percentage(share -> share > 10));
    }

    @Property
    @StatisticsReport(onFailureOnly = true)
    void freshValidityHasExactlyItsDurationLeftOrDoesNotFit(
            @ForAll long now, @ForAll long wall, @ForAll long anyDuration) {
        long duration = anyDuration & Long.MAX_VALUE;
        boolean fits = big(now).max(big(wall)).add(big(duration)).compareTo(GREATEST) <= 0;
        if (fits) {
            assertThat(Validity.from(now, wall, duration).remainingNanos(now, wall))
                    .isEqualTo(duration);
        } else {
            assertThatExceptionOfType(ArithmeticException.class)
                    .isThrownBy(() -> Validity.from(now, wall, duration))
                    .withMessageStartingWith("overflow");
        }

        Statistics.label("end").collect(fits ? "fits" : "overflow").coverage(seen -> {
            seen.check("fits").percentage(share -> share > 10);
            seen.check("overflow").percentage(share -> share > 10);
        });
    }
}
