package dev.leasehold.operator.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.WriterState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is said of an engine, and how it is known. */
class WriterRowTest {

    private static final Instant SEEN = Instant.parse("2073-03-03T12:00:00Z");

    private static WriterRow row(@Nullable Duration session, @Nullable UUID lsid, boolean moving, long secondsLater) {
        Instant end = session == null ? null : SEEN.plus(session);
        return WriterRow.of(
                new WriterState.Known(
                        "shop:1#a", "billing", 7, session, lsid, SEEN, moving, end, Duration.ofSeconds(2), 1_000L),
                List.of("invoices"),
                SEEN.plusSeconds(secondsLater));
    }

    private static String words(WriterRow row, long secondsLater) {
        return row.signInWords(SEEN.plusSeconds(secondsLater));
    }

    @Test
    void aStampThatWasSeenToMoveIsASignOfLife() {
        WriterRow row = row(Duration.ofSeconds(30), UUID.randomUUID(), true, 3);

        assertThat(row.sign()).isEqualTo("alive");
        assertThat(words(row, 3)).isEqualTo("alive: seen moving 3.0 s ago");
        assertThat(row.unchangedMillis()).isEqualTo(3_000);
    }

    @Test
    void withoutOneOthersHaveToWaitForTheEndOfTheSession() {
        WriterRow row = row(Duration.ofSeconds(30), UUID.randomUUID(), false, 12);

        assertThat(row.sign()).isEqualTo("silent");
        assertThat(words(row, 12)).isEqualTo("not seen to move for 12 s; others may end its session in 18 s");
    }

    @Test
    void afterItsEndOthersMayActWhateverWasSeenBefore() {
        WriterRow row = row(Duration.ofSeconds(30), UUID.randomUUID(), true, 31);

        assertThat(row.sign()).isEqualTo("over");
        assertThat(words(row, 31)).isEqualTo("not seen to move for 31 s; others may end its session now");
    }

    @Test
    void anEngineWithoutASessionNeedNotGiveSigns() {
        assertThat(row(null, UUID.randomUUID(), false, 1).sign()).isEqualTo("quiet");
        assertThat(row(null, UUID.randomUUID(), true, 1).sign()).isEqualTo("alive");
        assertThat(row(null, null, false, 1).sign()).isEqualTo("closed");
    }

    @Test
    void aCorruptEntryIsSaidToBe() {
        WriterRow row =
                WriterRow.of(new WriterState.Corrupt("shop:1#a", "billing", "time", "is missing"), List.of(), SEEN);

        assertThat(row.sign()).isEqualTo("corrupt");
        assertThat(words(row, 0)).isEqualTo("corrupt: field 'time': is missing");
    }

    @Test
    @DisplayName("A clock that is ahead is called ahead, by how much for sure")
    void aClockThatIsAhead() {
        WriterRow ahead = WriterRow.of(
                new WriterState.Known(
                        "shop:1#a",
                        "billing",
                        7,
                        Duration.ofSeconds(30),
                        UUID.randomUUID(),
                        SEEN,
                        true,
                        SEEN.plusSeconds(30),
                        Duration.ofHours(-30),
                        null),
                List.of(),
                SEEN);

        assertThat(ahead.clockInWords()).isEqualTo("ahead by 1 d 6 h or more");
        assertThat(ahead.isClockAhead()).isTrue();
        assertThat(row(null, null, false, 0).clockInWords()).isEqualTo("behind by 2.0 s at most");
        assertThat(row(null, null, false, 0).isClockAhead()).isFalse();
    }
}
