package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.engine.OccurrenceSchedule.Occurrence;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names never come twice for two occurrences, and none vanishes. */
class OccurrenceScheduleTest {

    /** Jumps at midnight, by half an hour, shortly after midnight, over a whole day, by two hours, and none. */
    private static final List<String> ZONES = List.of(
            "America/Sao_Paulo",
            "Australia/Lord_Howe",
            "Asia/Beirut",
            "Africa/Cairo",
            "America/St_Johns",
            "Pacific/Apia",
            "Antarctica/Troll",
            "America/Havana",
            "Asia/Gaza",
            "Europe/Berlin",
            "America/Juneau",
            "UTC");

    private static String dayAt(String zone, String instant) {
        return OccurrenceSchedule.daily(ZoneId.of(zone))
                .latest(Instant.parse(instant))
                .name();
    }

    @ParameterizedTest
    @DisplayName("The day is the one that the zone shows, also around a midnight that is skipped or comes twice")
    @CsvSource({
        "Europe/Berlin, 2073-03-02T22:59:59Z, 2073-03-02",
        "Europe/Berlin, 2073-03-02T23:00:00Z, 2073-03-03",
        // Midnight is skipped: the day begins at 01:00.
        "America/Sao_Paulo, 2018-11-04T02:59:59Z, 2018-11-03",
        "America/Sao_Paulo, 2018-11-04T03:00:00Z, 2018-11-04",
        // From midnight back to 23:00: the evening goes on.
        "America/Sao_Paulo, 2018-02-18T01:59:59Z, 2018-02-17",
        "America/Sao_Paulo, 2018-02-18T02:00:00Z, 2018-02-17",
        "America/Sao_Paulo, 2018-02-18T03:00:00Z, 2018-02-18",
        // From 00:01 back to 23:01: the day that has begun does not end.
        "America/St_Johns, 2010-11-07T02:29:59Z, 2010-11-06",
        "America/St_Johns, 2010-11-07T02:30:30Z, 2010-11-07",
        "America/St_Johns, 2010-11-07T02:31:30Z, 2010-11-07",
        // There was no 30 December.
        "Pacific/Apia, 2011-12-30T09:59:59Z, 2011-12-29",
        "Pacific/Apia, 2011-12-30T10:00:00Z, 2011-12-31",
    })
    void theDayIsTheOneThatTheZoneShows(String zone, String instant, String day) {
        assertThat(dayAt(zone, instant)).isEqualTo(day);
    }

    @ParameterizedTest
    @DisplayName(
            "In steps of ten minutes around each jump of a zone, names rise as texts, each has one begin, and no day is missing")
    @ValueSource(
            strings = {
                "America/Sao_Paulo",
                "Australia/Lord_Howe",
                "Asia/Beirut",
                "Africa/Cairo",
                "America/St_Johns",
                "Pacific/Apia",
                "Antarctica/Troll",
                "America/Havana",
                "Asia/Gaza",
                "Europe/Berlin"
            })
    void namesRiseAndNoneIsMissing(String zoneName) {
        ZoneId zone = ZoneId.of(zoneName);
        List<OccurrenceSchedule> schedules = List.of(
                OccurrenceSchedule.daily(zone),
                OccurrenceSchedule.daily(zone).at(LocalTime.of(0, 30)),
                OccurrenceSchedule.daily(zone).at(LocalTime.of(2, 15)),
                OccurrenceSchedule.daily(zone).at(LocalTime.of(23, 45)),
                OccurrenceSchedule.weekly(zone),
                OccurrenceSchedule.monthly(zone),
                OccurrenceSchedule.every(Duration.ofHours(1)));
        int jumps = 0;
        ZoneOffsetTransition jump = zone.getRules().nextTransition(Instant.parse("1985-01-01T00:00:00Z"));
        while (jump != null && jump.getInstant().isBefore(Instant.parse("2035-01-01T00:00:00Z"))) {
            jumps++;
            for (OccurrenceSchedule schedule : schedules) {
                assertRises(schedule, jump.getInstant());
            }
            assertNoDayIsMissing(zone, jump.getInstant());
            jump = zone.getRules().nextTransition(jump.getInstant());
        }
        assertThat(jumps).isGreaterThan(10);
    }

    private static void assertRises(OccurrenceSchedule schedule, Instant middle) {
        Map<String, Instant> begins = new HashMap<>();
        Occurrence last = schedule.latest(middle.minus(Duration.ofDays(3)));
        for (Instant now = middle.minus(Duration.ofDays(3));
                now.isBefore(middle.plus(Duration.ofDays(3)));
                now = now.plusSeconds(600)) {
            Occurrence one = schedule.latest(now);
            assertThat(one.begin()).as("%s at %s", schedule, now).isBeforeOrEqualTo(now);
            assertThat(one.name()).as("%s at %s", schedule, now).isGreaterThanOrEqualTo(last.name());
            assertThat(begins.computeIfAbsent(one.name(), name -> one.begin())).isEqualTo(one.begin());
            assertThat(schedule.latest(one.begin())).isEqualTo(one);
            assertThat(schedule.latest(one.begin().minusMillis(1)).name()).isLessThan(one.name());
            last = one;
        }
    }

    private static void assertNoDayIsMissing(ZoneId zone, Instant middle) {
        Set<String> named = new LinkedHashSet<>();
        Set<String> lived = new LinkedHashSet<>();
        for (Instant now = middle.minus(Duration.ofDays(3));
                now.isBefore(middle.plus(Duration.ofDays(3)));
                now = now.plusSeconds(60)) {
            named.add(OccurrenceSchedule.daily(zone).latest(now).name());
            lived.add(LocalDate.ofInstant(now, zone).toString());
        }
        assertThat(named).as("%s around %s", zone, middle).isEqualTo(lived);
    }

    @Property
    void ofTwoInstantsTheLaterOneHasTheSameNameOrAGreaterOne(
            @ForAll @IntRange(max = 11) int zone,
            @ForAll @LongRange(min = -3_000_000_000L, max = 4_000_000_000L) long second,
            @ForAll @LongRange(max = 400_000) long later,
            @ForAll @IntRange(max = 1439) int minute) {
        ZoneId of = ZoneId.of(ZONES.get(zone));
        for (OccurrenceSchedule schedule : List.of(
                OccurrenceSchedule.daily(of),
                OccurrenceSchedule.daily(of).at(LocalTime.of(minute / 60, minute % 60)),
                OccurrenceSchedule.weekly(of),
                OccurrenceSchedule.monthly(of),
                OccurrenceSchedule.every(Duration.ofSeconds(1 + later)))) {
            Occurrence one = schedule.latest(Instant.ofEpochSecond(second));
            Occurrence other = schedule.latest(Instant.ofEpochSecond(second + later));
            assertThat(one.name()).isLessThanOrEqualTo(other.name());
            assertThat(one.name().equals(other.name())).isEqualTo(one.begin().equals(other.begin()));
        }
    }

    @Test
    void weeksMonthsAndIntervalsAreNamedByTheirStandard() {
        ZoneId utc = ZoneId.of("UTC");
        Instant newYear = Instant.parse("2021-01-01T12:00:00Z");

        assertThat(OccurrenceSchedule.weekly(utc).latest(newYear))
                .isEqualTo(new Occurrence("2020-W53", Instant.parse("2020-12-28T00:00:00Z")));
        assertThat(OccurrenceSchedule.monthly(utc).latest(newYear).name()).isEqualTo("2021-01");
        assertThat(OccurrenceSchedule.monthly(utc)
                        .at(LocalTime.of(13, 0))
                        .latest(newYear)
                        .name())
                .isEqualTo("2020-12");
        assertThat(OccurrenceSchedule.every(Duration.ofMinutes(90))
                        .latest(newYear)
                        .name())
                .isEqualTo("2021-01-01T12:00:00Z");
        assertThat(OccurrenceSchedule.every(Duration.ofHours(1))
                        .latest(Instant.parse("1969-12-31T23:59:59.999Z"))
                        .name())
                .isEqualTo("1969-12-31T23:00:00Z");
    }

    @Test
    void whatNamesNoOccurrenceIsRefused() {
        for (Duration interval :
                List.of(Duration.ZERO, Duration.ofMillis(1_500), Duration.ofSeconds(-1), Duration.ofDays(367))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> OccurrenceSchedule.every(interval))
                    .withMessage(
                            "interval " + interval + " is refused: it must be whole seconds, one second to 366 days");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> OccurrenceSchedule.daily(null));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OccurrenceSchedule.daily(ZoneId.of("UTC")).latest(Instant.MAX));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> OccurrenceSchedule.every(Duration.ofHours(1)).at(LocalTime.NOON));
    }
}
