package dev.leasehold.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** True time to pixels. */
class AxisTest {

    private static final long MS = Script.MS;
    private static final long SECOND = Script.SECOND;

    /** A burst, and a minute of nothing, and a burst. */
    private static List<Long> bursts() {
        List<Long> instants = new ArrayList<>(List.of(0L));
        for (int i = 0; i < 6; i++) {
            instants.add(5 * SECOND + i * MS);
            instants.add(65 * SECOND + i * MS);
        }
        return instants;
    }

    @Test
    void evenlySpreadInstantsHaveOneScale() {
        Axis axis = Axis.of(List.of(0L, SECOND, 2 * SECOND, 3 * SECOND, 4 * SECOND));

        assertThat(axis.isStretched()).isFalse();
        assertThat(axis.x(SECOND)).isEqualTo(Axis.WIDTH / 4);
        assertThat(axis.x(SECOND / 2)).isEqualTo(Axis.WIDTH / 8);
        assertThat(axis.breaks()).isEmpty();
        assertThat(axis.ticks()).extracting(Axis.Tick::label).startsWith("0 s", "0.5 s", "1 s");
    }

    @Test
    void whatIsNearToTheFocusCanBeToldApartFromIt() {
        List<Long> instants = List.of(0L, SECOND, 2 * SECOND, 2 * SECOND + MS, 3 * SECOND, 4 * SECOND, 5 * SECOND);

        assertThat(Axis.of(instants).isStretched()).isFalse();
        assertThat(Axis.of(instants, SECOND).isStretched()).isFalse();
        Axis axis = Axis.of(instants, 2 * SECOND);
        assertThat(axis.isStretched()).isTrue();
        assertThat(axis.x(2 * SECOND + MS) - axis.x(2 * SECOND)).isGreaterThan(20);
    }

    @Test
    void aBurstIsStretchedAndTheNothingBesideItIsMarked() {
        Axis axis = Axis.of(bursts());

        assertThat(axis.isStretched()).isTrue();
        assertThat(axis.width()).isEqualTo(Axis.WIDTH);
        assertThat(axis.x(5 * SECOND + MS) - axis.x(5 * SECOND)).isGreaterThan(20);
        assertThat(axis.breaks()).extracting(Axis.Break::nanos).containsExactly(5 * SECOND, 60 * SECOND - 5 * MS);
    }

    @Test
    void theLabelsOfABurstSayHowFarTheyAreFromItsBegin() {
        assertThat(Axis.of(bursts()).ticks()).extracting(Axis.Tick::label).contains("0 s", "5 s", "+1 ms", "65 s");
    }

    @Test
    void aNanosecondCanBeSeen() {
        Axis axis = Axis.of(List.of(0L, SECOND, SECOND + 1, SECOND + 2, 30 * SECOND));

        assertThat(axis.x(SECOND + 1) - axis.x(SECOND)).isGreaterThan(5);
    }

    @Test
    void oneInstantIsEnough() {
        Axis axis = Axis.of(List.of(7L));

        assertThat(axis.x(7)).isZero();
        assertThat(axis.width()).isEqualTo(Axis.WIDTH);
    }

    @Test
    void whatIsOutsideLiesOnTheEdge() {
        Axis axis = Axis.of(List.of(SECOND, 2 * SECOND));

        assertThat(axis.x(0)).isZero();
        assertThat(axis.x(Long.MAX_VALUE)).isEqualTo(axis.width());
        assertThat(axis.holds(0)).isFalse();
        assertThat(axis.holds(2 * SECOND)).isTrue();
    }

    @Property(tries = 200)
    void laterIsFurtherToTheRight(
            @ForAll @Size(min = 2, max = 60) List<@LongRange(min = 0, max = 100_000_000_000L) Long> instants) {
        Axis axis = Axis.of(instants);
        List<Long> sorted = new ArrayList<>(instants);
        Collections.sort(sorted);
        for (int i = 1; i < sorted.size(); i++) {
            double from = axis.x(sorted.get(i - 1));
            double between = axis.x(sorted.get(i - 1) + (sorted.get(i) - sorted.get(i - 1)) / 2);
            assertThat(between).isBetween(from, axis.x(sorted.get(i)));
        }
        assertThat(axis.width()).isGreaterThanOrEqualTo(Axis.WIDTH - 0.01);
    }

    @Property(tries = 200)
    void labelsDoNotTouch(
            @ForAll @Size(min = 2, max = 60) List<@LongRange(min = 0, max = 100_000_000_000L) Long> instants) {
        Axis axis = Axis.of(instants);
        double freeX = 0;
        for (Axis.Tick tick : axis.ticks()) {
            double width = Lane.textWidth(tick.label());
            double fromX = axis.endsAt(tick.x(), tick.label()) ? tick.x() - width : tick.x();
            assertThat(fromX).as(tick.label()).isGreaterThanOrEqualTo(freeX);
            freeX = fromX + width;
        }
    }
}
