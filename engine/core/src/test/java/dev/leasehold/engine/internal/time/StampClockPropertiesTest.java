package dev.leasehold.engine.internal.time;

import static dev.leasehold.engine.internal.time.Fixture.HOUR;
import static dev.leasehold.engine.internal.time.Fixture.SECOND;
import static dev.leasehold.engine.internal.time.Fixture.Z;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsReport;

/** Local time and stamps over random lives of a clock. */
@PropertyDefaults(edgeCases = EdgeCasesMode.NONE)
class StampClockPropertiesTest {

    /** What happens to the two sources between two writes. */
    record Move(long monotonicNanos, long wallNanos) {}

    @Property
    @StatisticsReport(onFailureOnly = true)
    void stampsStrictlyIncreaseWhateverTheSourcesDo(
            @ForAll long originNanos, @ForAll("movesInAnyDirection") List<Move> moves) {
        TestClock source = new TestClock(originNanos, Z);
        StampClock clock = new StampClock(source);
        long previousNanos = Long.MIN_VALUE;
        boolean stoodStill = false;
        for (Move move : moves) {
            apply(move, source);
            long nowNanos = clock.nowNanos();
            long stampNanos = clock.nextStampNanos(nowNanos);

            assertThat(stampNanos).isGreaterThan(previousNanos).isGreaterThanOrEqualTo(nowNanos);
            assertThat(clock.lastStampNanos()).isEqualTo(stampNanos);
            stoodStill |= stampNanos > nowNanos;
            previousNanos = stampNanos;
        }

        Statistics.label("stamp ahead of its reading").collect(stoodStill).coverage(seen -> {
            seen.check(true).percentage(share -> share > 20);
            seen.check(false).percentage(share -> share > 1);
        });
    }

    private static void apply(Move move, TestClock source) {
        source.monotonicMoves(move.monotonicNanos());
        source.wallSteps(move.wallNanos());
    }

    @Provide
    Arbitrary<List<Move>> movesInAnyDirection() {
        Arbitrary<Long> monotonic = Arbitraries.frequencyOf(
                Tuple.of(6, Arbitraries.longs().between(1, HOUR)),
                Tuple.of(3, Arbitraries.just(0L)),
                Tuple.of(1, Arbitraries.longs().between(-SECOND, -1)));
        Arbitrary<Long> wall = Arbitraries.longs().between(-HOUR, HOUR);
        return Combinators.combine(monotonic, wall)
                .as(Move::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(20);
    }
}
