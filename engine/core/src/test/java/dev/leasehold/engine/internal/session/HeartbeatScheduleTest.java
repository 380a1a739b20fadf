package dev.leasehold.engine.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class HeartbeatScheduleTest {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long ACKNOWLEDGED = 17;

    private final Session.HeartbeatSchedule schedule = new Session.HeartbeatSchedule(10 * SECOND);

    private long dueInNanos(long passedNanos) {
        return schedule.dueInNanos(ACKNOWLEDGED, ACKNOWLEDGED + passedNanos);
    }

    @Test
    void nextIsDueAPeriodAfterTheNewestAcknowledgement() {
        assertThat(dueInNanos(0)).isEqualTo(10 * SECOND);
        assertThat(dueInNanos(3 * SECOND)).isEqualTo(7 * SECOND);
        assertThat(dueInNanos(10 * SECOND - 1)).isEqualTo(1);
    }

    @Test
    void overdueOneIsDueAtOnce() {
        assertThat(LongStream.of(10 * SECOND, 10 * SECOND + 1, 3_600 * SECOND).map(this::dueInNanos))
                .containsOnly(0L);
    }

    @Test
    void oneThatFailedIsTriedAgainAfterWindowsThatDouble() {
        assertThat(IntStream.rangeClosed(1, 8).mapToLong(failures -> schedule.windowNanos(failures, null)))
                .containsExactly(
                        3 * MILLI, 6 * MILLI, 12 * MILLI, 24 * MILLI, 48 * MILLI, 96 * MILLI, 192 * MILLI, 192 * MILLI);
    }

    @Test
    void oneThatAnOverloadedServerTurnedAwayIsTriedAgainLaterAndAFewTimesAPeriodAllTheSame() {
        LeaseException overload = new LeaseUnavailableException("shed", null, true);

        assertThat(IntStream.rangeClosed(1, 7).mapToLong(failures -> schedule.windowNanos(failures, overload)))
                .containsExactly(
                        100 * MILLI,
                        200 * MILLI,
                        400 * MILLI,
                        800 * MILLI,
                        1_600 * MILLI,
                        2_500 * MILLI,
                        2_500 * MILLI);
    }

    @Test
    void aShortPeriodHasRoomForSomeTriesHoweverManyFail() {
        Session.HeartbeatSchedule brief = new Session.HeartbeatSchedule(100 * MILLI);

        assertThat(IntStream.rangeClosed(3, 6).mapToLong(failures -> brief.windowNanos(failures, null)))
                .containsExactly(12 * MILLI, 24 * MILLI, 25 * MILLI, 25 * MILLI);
    }

    @Test
    void nearTheHeadOfAQueueTenHeartbeatsFallIntoASession() {
        assertThat(schedule.hastened(30 * SECOND)).isEqualTo(new Session.HeartbeatSchedule(3 * SECOND));
        assertThat(schedule.hastened(200 * SECOND)).as("not more seldom").isEqualTo(schedule);
    }
}
