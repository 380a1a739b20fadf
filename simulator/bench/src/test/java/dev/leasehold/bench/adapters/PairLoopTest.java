package dev.leasehold.bench.adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Timings;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PairLoopTest {

    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration SHORT = Duration.ofMillis(20);

    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong acquired = new AtomicLong();
    private final AtomicLong released = new AtomicLong();

    private PairLoop loop(Locks locks, PairLoop.Count count) {
        return new PairLoop(locks, "x-", false, count, nanos::get);
    }

    private static Turn turn(Duration settling) {
        return Turn.from(0, settling, SHORT);
    }

    /** Counts, locks nothing, and takes one millisecond. */
    private final class Counting implements Locks {
        @Override
        public Held acquire(String name) {
            names.add(name);
            acquired.incrementAndGet();
            nanos.addAndGet(MILLISECOND.toNanos());
            return released::incrementAndGet;
        }

        @Override
        public void close() {}
    }

    @Test
    void eachCallerHasALockOfItsOwnAndReleasesWhatItAcquired() throws Exception {
        Timings timings = loop(new Counting(), PairLoop.Count.PAIRS).run(3, turn(Duration.ZERO));

        assertThat(names).containsExactlyInAnyOrder("x-0", "x-1", "x-2");
        assertThat(released.get())
                .isEqualTo(acquired.get())
                .isEqualTo(timings.sample().operations());
    }

    @Test
    void callersOfOneLockTellTheirWaits() throws Exception {
        Timings timings =
                new PairLoop(new Counting(), "x", true, PairLoop.Count.PAIRS, nanos::get).run(3, turn(Duration.ZERO));

        assertThat(names).containsExactly("x");
        assertThat(timings.waits().ofCallers()).hasSize(3);
        assertThat(timings.waits().ofCallers().stream().mapToInt(List::size).sum())
                .isEqualTo(acquired.get());
        assertThat(timings.sample().of(Quantity.LONGEST_WAIT)).isGreaterThanOrEqualTo(1);
    }

    @Test
    void partsAreCountedOneByOne() throws Exception {
        Timings timings = loop(new Counting(), PairLoop.Count.PARTS).run(1, turn(Duration.ZERO));

        assertThat(timings.sample().operations()).isEqualTo(2 * acquired.get());
    }

    @Test
    void whatEndsAfterTheTurnHasItsLatencyAndIsNoPartOfTheRate() throws Exception {
        Duration longer = SHORT.multipliedBy(3);
        Locks slow = new Locks() {
            @Override
            public Held acquire(String name) {
                nanos.addAndGet((name.equals("x-0") ? MILLISECOND : longer).toNanos());
                return released::incrementAndGet;
            }

            @Override
            public void close() {}
        };

        Timings timings = loop(slow, PairLoop.Count.PAIRS).run(3, turn(Duration.ZERO));

        assertThat(timings.sample().of(Quantity.MAX)).isGreaterThanOrEqualTo(longer.toNanos());
        assertThat(timings.sample().operations()).isEqualTo(released.get());
        assertThat(timings.inNanos()).isEqualTo(SHORT.toNanos());
        // Of the quick one the last ends too late, of the slow ones each their only one.
        assertThat(timings.ended()).isEqualTo(released.get() - 3);
    }

    @Test
    void whatIsDoneBeforeTheTurnIsNotCounted() throws Exception {
        Timings timings = loop(new Counting(), PairLoop.Count.PAIRS).run(1, turn(SHORT));

        assertThat(timings.sample().operations()).isLessThan(acquired.get());
        assertThat(timings.ended()).isLessThan(acquired.get());
    }

    @Test
    void whatBeganBeforeTheTurnAndEndedInItIsAPartOfTheRateSinceWhatEndsAfterItIsNot() {
        Turn turn = Turn.from(5, Duration.ofNanos(10), Duration.ofNanos(100));

        assertThat(turn).isEqualTo(new Turn(5, 15, 115));
        assertThat(LongStream.of(14, 15, 114, 115).filter(turn::covers)).containsExactly(15L, 114L);
    }

    @Test
    void whatTheLibraryThrowsEndsTheMeasurement() {
        Locks broken = new Locks() {
            @Override
            public Held acquire(String name) {
                throw new IllegalStateException("no such server");
            }

            @Override
            public void close() {}
        };

        assertThatThrownBy(() -> loop(broken, PairLoop.Count.PAIRS).run(2, turn(Duration.ZERO)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no such server");
    }
}
