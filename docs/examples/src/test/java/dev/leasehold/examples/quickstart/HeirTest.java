package dev.leasehold.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class HeirTest {

    private static final Instant SESSION_END = Instant.parse("2073-03-03T09:40:00.000000005Z");

    @Test
    void aFastClockMakesALiveLeaseLookExpired() {
        assertThat(Heir.misreading(SESSION_END, SESSION_END.plusSeconds(417)))
                .isEqualTo("the stored session ends at 09:40:00.000. By this clock that was 6m57s ago: "
                        + "a lock that compares times of day is taken from a live holder");
    }

    @Test
    void aSlowClockMakesTheWaitTooLong() {
        assertThat(Heir.misreading(SESSION_END, SESSION_END.minusSeconds(423)))
                .isEqualTo("the stored session ends at 09:40:00.000. By this clock that is in 7m03s: "
                        + "a lock that compares times of day is waited for that long");
    }
}
