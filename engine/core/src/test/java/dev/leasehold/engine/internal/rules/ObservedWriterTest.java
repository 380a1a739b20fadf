package dev.leasehold.engine.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.ExpiryBound;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What reads of a writer's entry tell, on the clock of the reading engine. */
class ObservedWriterTest {

    private static final Drift NO_DRIFT = new Drift(0);

    private Map<String, ObservedWriter> observations = Map.of();

    private ObservedWriter saw(long timeNanos, @Nullable Long sessionNanos, long nowNanos) {
        observations = ObservedWriter.after(
                observations, List.of(new WriterEntry.Sound("w#1", timeNanos, null, sessionNanos, null)), nowNanos);
        return Objects.requireNonNull(observations.get("w#1"));
    }

    @Test
    void aStampIsCountedFromItsFirstRead() {
        saw(7, 30L, 1_000);
        ObservedWriter later = saw(7, 30L, 1_020);

        assertThat(later.firstSeenNanos()).isEqualTo(1_000);
        assertThat(later.seenMoving()).isFalse();
        assertThat(later.safeAfterNanos(NO_DRIFT)).isEqualTo(1_030);
    }

    @Test
    void aStampThatMovesIsASignOfLifeAndCountsAnew() {
        saw(7, 30L, 1_000);
        ObservedWriter moved = saw(17, 30L, 1_020);

        assertThat(moved.firstSeenNanos()).isEqualTo(1_020);
        assertThat(moved.seenMoving()).isTrue();
        assertThat(moved.safeAfterNanos(NO_DRIFT)).isEqualTo(1_050);
        assertThat(saw(17, 30L, 1_040).seenMoving())
                .as("it did, before this stamp")
                .isTrue();
    }

    @Test
    void theDriftOfBothClocksIsWaitedForToo() {
        assertThat(saw(7, 30L, 1_000).safeAfterNanos(new Drift(500_000))).isGreaterThan(1_030);
    }

    @Test
    void withoutASessionThereIsNoEnd() {
        assertThat(saw(7, null, 1_000).safeAfterNanos(NO_DRIFT)).isEqualTo(ExpiryBound.NEVER);
    }

    @Test
    void theLeastDifferenceEverSeenBoundsTheClock() {
        saw(7, 30L, 1_007);
        assertThat(saw(7, 30L, 1_020).behindNanosMax()).isEqualTo(1_000);
        assertThat(saw(27, 30L, 1_021).behindNanosMax()).isEqualTo(994);
        assertThat(saw(28, 30L, 1_030).behindNanosMax()).isEqualTo(994);
    }

    @Test
    void writerThatIsGoneIsForgotten() {
        saw(7, 30L, 1_000);
        observations = ObservedWriter.after(
                observations, List.of(new WriterEntry.Corrupt("w#1", "time", "is missing")), 1_010);
        assertThat(observations.get("w#1")).isNull();

        assertThat(saw(8, 30L, 1_020).seenMoving())
                .as("seen for the first time")
                .isFalse();
    }
}
