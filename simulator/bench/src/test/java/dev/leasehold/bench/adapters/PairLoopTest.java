package dev.leasehold.bench.adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Timings;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PairLoopTest {

    private static final Duration SHORT = Duration.ofMillis(20);

    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final AtomicLong acquired = new AtomicLong();
    private final AtomicLong released = new AtomicLong();

    private static Turn turn(Duration settling) {
        return Turn.from(System.nanoTime(), settling, SHORT);
    }

    /** Counts, and locks nothing. */
    private final class Counting implements Locks {
        @Override
        public Held acquire(String name) {
            names.add(name);
            acquired.incrementAndGet();
            return released::incrementAndGet;
        }

        @Override
        public void close() {}
    }

    @Test
    void eachCallerHasALockOfItsOwnAndReleasesWhatItAcquired() throws Exception {
        Timings timings = new PairLoop(new Counting(), "x-", PairLoop.Count.PAIRS).run(3, turn(Duration.ZERO));

        assertThat(names).containsExactlyInAnyOrder("x-0", "x-1", "x-2");
        assertThat(released.get()).isEqualTo(acquired.get()).isEqualTo(timings.operations());
    }

    @Test
    void partsAreCountedOneByOne() throws Exception {
        Timings timings = new PairLoop(new Counting(), "x-", PairLoop.Count.PARTS).run(1, turn(Duration.ZERO));

        assertThat(timings.operations()).isEqualTo(2 * acquired.get());
    }

    @Test
    void whatEndsAfterTheTurnHasItsLatencyAndIsNoPartOfTheRate() throws Exception {
        Duration longer = SHORT.multipliedBy(3);
        Locks slow = new Locks() {
            @Override
            public Held acquire(String name) throws InterruptedException {
                TimeUnit.MILLISECONDS.sleep(name.equals("x-0") ? 0 : longer.toMillis());
                return released::incrementAndGet;
            }

            @Override
            public void close() {}
        };

        Timings timings = new PairLoop(slow, "x-", PairLoop.Count.PAIRS).run(3, turn(Duration.ZERO));

        assertThat(timings.of(Quantity.MAX)).isGreaterThanOrEqualTo(longer.toNanos());
        assertThat(timings.operations()).isEqualTo(released.get());
        assertThat(timings.inNanos()).isEqualTo(SHORT.toNanos());
        // Of the quick one the last ends too late, of the slow ones each their only one.
        assertThat(timings.ended()).isEqualTo(released.get() - 3);
    }

    @Test
    void whatIsDoneBeforeTheTurnIsNotCounted() throws Exception {
        Timings timings = new PairLoop(new Counting(), "x-", PairLoop.Count.PAIRS).run(1, turn(Duration.ofMillis(300)));

        assertThat(timings.operations()).isLessThan(acquired.get());
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

        assertThatThrownBy(() -> new PairLoop(broken, "x-", PairLoop.Count.PAIRS).run(2, turn(Duration.ZERO)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no such server");
    }
}
