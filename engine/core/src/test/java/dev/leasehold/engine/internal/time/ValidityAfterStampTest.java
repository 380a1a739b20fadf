package dev.leasehold.engine.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a later stamp of its writer does to a validity: others count what is left from the stamp that they have seen. */
class ValidityAfterStampTest {

    private static final long SECOND = 1_000_000_000;
    private static final long WALL = 5_000 * SECOND;

    private final Validity validity = Validity.from(100 * SECOND, WALL, 10 * SECOND);

    @Test
    @DisplayName(
            "The monotonic clock was faster than time of day: what is left by the stamp is all that time of day leaves")
    void wallTimeLeavesNoMoreThanTheStamp() {
        Validity bounded = validity.afterStamp(108 * SECOND, WALL + 7 * SECOND);

        assertThat(bounded).isEqualTo(new Validity(110 * SECOND, WALL + 9 * SECOND, 10 * SECOND));
        assertThat(bounded.remainingNanos(108 * SECOND, WALL + 7 * SECOND)).isEqualTo(2 * SECOND);
    }

    @Test
    @DisplayName("The monotonic clock was slower, or has stood still: time of day keeps the end that it had")
    void earlierEndByWallTimeStays() {
        assertThat(validity.afterStamp(104 * SECOND, WALL + 7 * SECOND)).isSameAs(validity);
        assertThat(validity.afterStamp(108 * SECOND, WALL + 8 * SECOND)).isSameAs(validity);
    }

    @Test
    void lastNanosecondIsLeftByWallTimeToo() {
        assertThat(validity.afterStamp(110 * SECOND - 1, WALL))
                .isEqualTo(new Validity(110 * SECOND, WALL + 1, 10 * SECOND));
    }

    @Test
    void stampBehindTheEndChangesNothing() {
        assertThat(validity.afterStamp(110 * SECOND, WALL)).isSameAs(validity);
        assertThat(validity.afterStamp(111 * SECOND, WALL)).isSameAs(validity);
    }

    @Test
    void sumsThatDoNotFitChangeNothing() {
        assertThat(new Validity(Long.MAX_VALUE, Long.MAX_VALUE, 1)
                        .afterStamp(1, Long.MAX_VALUE - 1)
                        .wallUntilNanos())
                .isEqualTo(Long.MAX_VALUE);
        assertThat(new Validity(Long.MAX_VALUE, Long.MAX_VALUE, 1)
                        .afterStamp(Long.MIN_VALUE, 0)
                        .wallUntilNanos())
                .isEqualTo(Long.MAX_VALUE);
        assertThat(new Validity(0, Long.MAX_VALUE, 1)
                        .afterStamp(10, Long.MIN_VALUE)
                        .wallUntilNanos())
                .isEqualTo(Long.MAX_VALUE);
    }
}
