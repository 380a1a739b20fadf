package dev.leasehold.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.bench.measure.Timings;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PairLoopTest {

    private static final Duration SHORT = Duration.ofMillis(20);

    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final AtomicLong acquired = new AtomicLong();
    private final AtomicLong released = new AtomicLong();

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
        Timings timings = new PairLoop(new Counting(), "x-", PairLoop.Count.PAIRS).run(3, System.nanoTime(), SHORT);

        assertThat(names).containsExactlyInAnyOrder("x-0", "x-1", "x-2");
        assertThat(released.get()).isEqualTo(acquired.get()).isEqualTo(timings.operations());
    }

    @Test
    void partsAreCountedOneByOne() throws Exception {
        Timings timings = new PairLoop(new Counting(), "x-", PairLoop.Count.PARTS).run(1, System.nanoTime(), SHORT);

        assertThat(timings.operations()).isEqualTo(2 * acquired.get());
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

        assertThatThrownBy(() -> new PairLoop(broken, "x-", PairLoop.Count.PAIRS).run(2, System.nanoTime(), SHORT))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no such server");
    }
}
