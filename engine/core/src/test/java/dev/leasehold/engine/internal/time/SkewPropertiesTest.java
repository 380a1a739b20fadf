package dev.leasehold.engine.internal.time;

import static dev.leasehold.engine.internal.time.SkewReference.big;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsReport;

/** The bound over the whole range of int64. */
@Domain(AnyNanos.class)
@PropertyDefaults(tries = 5000, edgeCases = EdgeCasesMode.NONE)
class SkewPropertiesTest {

    @Property
    @StatisticsReport(onFailureOnly = true)
    void stretchMatchesTheReference(@ForAll long anyNanos, @ForAll Drift drift) {
        long nanos = anyNanos & Long.MAX_VALUE;
        BigInteger exact = SkewReference.stretch(big(nanos), drift.ppm());
        boolean fits = exact.bitLength() <= 63;

        assertThat(drift.stretchNanos(nanos)).isEqualTo(fits ? exact.longValueExact() : ExpiryBound.NEVER);

        Statistics.label("wait").collect(fits ? "fits" : "never").coverage(seen -> {
            seen.check("fits").percentage(share -> share > 10);
            seen.check("never").percentage(share -> share > 10);
        });
    }

    @Property
    @StatisticsReport(onFailureOnly = true)
    void boundMatchesTheReference(@ForAll long ended, @ForAll long stamp, @ForAll long x, @ForAll Drift drift) {
        long bound = ExpiryBound.nanos(ended, stamp, x, drift);

        assertThat(bound).isEqualTo(SkewReference.safeAfter(ended, stamp, x, drift.ppm()));

        Statistics.label("branch").collect(branch(ended, stamp, x, drift)).coverage(seen -> {
            seen.check("writer has passed").percentage(share -> share > 10);
            seen.check("fits").percentage(share -> share > 5);
            seen.check("time left does not fit").percentage(share -> share > 1);
            seen.check("wait does not fit").percentage(share -> share > 1);
            seen.check("sum does not fit").percentage(share -> share > 1);
        });
    }

    private static String branch(long ended, long stamp, long x, Drift drift) {
        BigInteger left = big(x).subtract(big(stamp));
        if (left.signum() <= 0) {
            return "writer has passed";
        }
        if (left.bitLength() > 63) {
            return "time left does not fit";
        }
        BigInteger wait = SkewReference.stretch(left, drift.ppm());
        if (wait.bitLength() > 63) {
            return "wait does not fit";
        }
        return big(ended).add(wait).bitLength() > 63 ? "sum does not fit" : "fits";
    }

    @Property
    @StatisticsReport(onFailureOnly = true)
    void boundIsTheLeastThatCoversTheTimeLeft(
            @ForAll long ended, @ForAll long stamp, @ForAll long x, @ForAll Drift drift) {
        long bound = ExpiryBound.nanos(ended, stamp, x, drift);
        boolean waits = x > stamp && bound != ExpiryBound.NEVER;
        if (waits) {
            BigInteger left = big(x).subtract(big(stamp));
            BigInteger wait = big(bound).subtract(big(ended));
            assertThat(SkewReference.covers(wait, left, drift.ppm())).isTrue();
            assertThat(SkewReference.covers(wait.subtract(BigInteger.ONE), left, drift.ppm()))
                    .isFalse();
        }

        Statistics.label("waits")
                .collect(waits)
                .coverage(seen -> seen.check(true).percentage(share -> share > 5));
    }
}
