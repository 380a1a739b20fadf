package dev.leasehold.mergequeue.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TokenEraTest {

    private static final long FIRST = 1_795_974_272_000_002L;
    private static final long YEAR = 365L * 24 * 3_600 * 1_000_000;

    private final TokenEra era = new TokenEra(FIRST, 0);

    @Test
    void tenuresHaveRoomForTheirTokens() {
        assertThat(era.below(FIRST)).isZero();
        assertThat(era.below(FIRST + 1) - era.below(FIRST)).isEqualTo(TokenEra.TOKENS_PER_TENURE);
        assertThat(era.below(FIRST - 1)).isZero();
    }

    @Test
    @DisplayName(
            "The tokens of leases that begin anew with the time of the database end the era, and no token goes back")
    void nextEraIsAboveTheOneBefore() {
        long last = FIRST + 400_000_000;
        long anew = FIRST + 100 * YEAR;

        assertThat(era.has(last)).isTrue();
        assertThat(era.has(anew)).isFalse();
        assertThat(era.next(anew).has(anew)).isTrue();
        assertThat(era.next(anew).below(anew)).isGreaterThanOrEqualTo(era.below(last + 1));
        assertThat(era.next(anew).below(anew - 1)).isEqualTo(era.next(anew).below(anew));
    }

    @Test
    void whatIsNeverStoredIsRefused() {
        for (long base : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertThatIllegalArgumentException().isThrownBy(() -> new TokenEra(FIRST, base));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TokenEra(Long.MIN_VALUE, 0))
                .withMessageContaining("must be 1 or more");
    }

    @Test
    void manyErasFollow() {
        TokenEra last = era;
        for (int i = 1; i <= 1_000; i++) {
            last = last.next(FIRST + i * YEAR);
        }

        assertThat(last.below(FIRST + 1_000 * YEAR + 400_000_000)).isPositive();
    }
}
