package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.scheduling.support.CronExpression;

/** Names of occurrences never come twice for two of them, and none vanishes, also where the clocks jump. */
class CronScheduleTest {

    private static String latest(String cron, String zone, String now) {
        return CronSchedule.of(cron, ZoneId.of(zone)).latest(Instant.parse(now)).toString();
    }

    @ParameterizedTest
    @DisplayName("The occurrence is the latest local time that has begun")
    @CsvSource({
        "0 0 3 * * *, UTC, 2073-03-03T02:59:59.999Z, 2073-03-02T03:00",
        "0 0 3 * * *, UTC, 2073-03-03T03:00:00Z, 2073-03-03T03:00",
        "0 0 3 * * *, UTC, 2073-03-04T02:59:59.999Z, 2073-03-03T03:00",
        "*/10 * * * * *, UTC, 2073-03-03T02:00:19.999Z, 2073-03-03T02:00:10",
        "* * * 1 1 *, UTC, 2073-12-31T00:00:00Z, 2073-01-01T23:59:59",
        "0 0 0 29 2 MON, UTC, 2073-03-03T00:00:00Z, 2072-02-29T00:00",
        "@monthly, UTC, 2073-03-31T23:00:00Z, 2073-03-01T00:00",
        "0 0 0 L * *, UTC, 2073-03-30T23:00:00Z, 2073-02-28T00:00",
        // 02:30 is skipped: it begins when the clock has jumped, at 03:00.
        "0 30 2 * * *, Europe/Berlin, 2024-03-31T00:59:59Z, 2024-03-30T02:30",
        "0 30 2 * * *, Europe/Berlin, 2024-03-31T01:00:00Z, 2024-03-31T02:30",
        // 02:30 comes twice: it begins the first time, and not again.
        "0 30 2 * * *, Europe/Berlin, 2024-10-27T00:30:00Z, 2024-10-27T02:30",
        "0 30 2 * * *, Europe/Berlin, 2024-10-27T01:10:00Z, 2024-10-27T02:30",
        "0 30 2 * * *, Europe/Berlin, 2024-10-27T01:30:00Z, 2024-10-27T02:30",
        "0 45 2 * * *, Europe/Berlin, 2024-10-27T01:10:00Z, 2024-10-27T02:45",
        // 02:00 and 03:00 begin at one instant: one occurrence.
        "0 0 * * * *, Europe/Berlin, 2024-03-31T01:00:00Z, 2024-03-31T03:00",
        // Midnight is skipped.
        "0 0 0 * * *, America/Sao_Paulo, 2018-11-04T02:59:59Z, 2018-11-03T00:00",
        "0 0 0 * * *, America/Sao_Paulo, 2018-11-04T03:00:00Z, 2018-11-04T00:00",
        // From midnight back to 23:00.
        "0 30 23 * * *, America/Sao_Paulo, 2018-02-18T02:10:00Z, 2018-02-17T23:30",
        "0 0 0 * * *, America/Sao_Paulo, 2018-02-18T02:59:59Z, 2018-02-17T00:00",
        "0 0 0 * * *, America/Sao_Paulo, 2018-02-18T03:00:00Z, 2018-02-18T00:00",
        // By half an hour, from 02:00 to 02:30 and from 02:00 back to 01:30.
        "0 15 2 * * *, Australia/Lord_Howe, 2024-10-05T15:29:59Z, 2024-10-05T02:15",
        "0 15 2 * * *, Australia/Lord_Howe, 2024-10-05T15:30:00Z, 2024-10-06T02:15",
        "0 45 1 * * *, Australia/Lord_Howe, 2024-04-06T14:45:00Z, 2024-04-07T01:45",
        "0 45 1 * * *, Australia/Lord_Howe, 2024-04-06T15:05:00Z, 2024-04-07T01:45",
        "0 45 1 * * *, Australia/Lord_Howe, 2024-04-06T15:15:00Z, 2024-04-07T01:45",
        // There was no 30 December: its night begins with the 31st.
        "0 0 3 * * *, Pacific/Apia, 2011-12-30T09:59:59Z, 2011-12-29T03:00",
        "0 0 3 * * *, Pacific/Apia, 2011-12-30T10:00:00Z, 2011-12-30T03:00",
        "0 0 3 * * *, Pacific/Apia, 2011-12-30T13:00:00Z, 2011-12-31T03:00",
    })
    void theOccurrenceIsTheLatestLocalTimeThatHasBegun(String cron, String zone, String now, String occurrence) {
        assertThat(latest(cron, zone, now)).isEqualTo(occurrence);
    }

    private static final List<String> EXPRESSIONS = List.of(
            "0 0 3 * * *",
            "0 0 0 * * *",
            "0 15 2 * * *",
            "0 30 23 * * *",
            "0 0 * * * *",
            "0 */20 * * * *",
            "0 0,15 2,3 * * *",
            "0 30 1 * * MON-FRI");

    /** The definition, the slow way: each local time begins when the clock of the zone first shows it, or has jumped over it. */
    private static final class Slowly {

        private final List<LocalDateTime> times = new ArrayList<>();
        private final List<Instant> begins = new ArrayList<>();

        Slowly(String expression, ZoneId zone, Instant from, Instant to) {
            CronExpression cron = CronExpression.parse(expression);
            LocalDateTime end = LocalDateTime.ofInstant(to, zone).plusDays(2);
            for (LocalDateTime time = cron.next(LocalDateTime.ofInstant(from, zone));
                    time != null && time.isBefore(end);
                    time = cron.next(time)) {
                times.add(time);
                ZoneOffsetTransition jump = zone.getRules().getTransition(time);
                begins.add(
                        jump != null && jump.isGap()
                                ? jump.getInstant()
                                : time.atZone(zone).toInstant());
            }
        }

        LocalDateTime latest(Instant now) {
            int i = times.size() - 1;
            while (begins.get(i).isAfter(now)) {
                i--;
            }
            return times.get(i);
        }

        /** Those that are not one occurrence with a later one. */
        Set<LocalDateTime> occurrences(Instant from, Instant to) {
            Map<Instant, LocalDateTime> last = new LinkedHashMap<>();
            for (int i = 0; i < times.size(); i++) {
                if (!begins.get(i).isBefore(from) && begins.get(i).isBefore(to)) {
                    last.put(begins.get(i), times.get(i));
                }
            }
            return new LinkedHashSet<>(last.values());
        }
    }

    @ParameterizedTest
    @DisplayName(
            "In steps of five minutes around each jump of a zone, names rise, no occurrence is missing, and none comes again")
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
                "Europe/Berlin",
                "America/Juneau"
            })
    void namesRiseAndNoneIsMissing(String name) {
        ZoneId zone = ZoneId.of(name);
        int jumps = 0;
        ZoneOffsetTransition jump = zone.getRules().nextTransition(Instant.parse("2008-01-01T00:00:00Z"));
        while (jump != null && jump.getInstant().isBefore(Instant.parse("2019-03-01T00:00:00Z"))) {
            jumps++;
            for (String expression : EXPRESSIONS) {
                assertNamed(expression, zone, jump.getInstant());
            }
            jump = zone.getRules().nextTransition(jump.getInstant());
        }
        assertThat(jumps).isPositive();
    }

    private static void assertNamed(String expression, ZoneId zone, Instant jump) {
        CronSchedule schedule = CronSchedule.of(expression, zone);
        Instant from = jump.minus(Duration.ofDays(2)).truncatedTo(ChronoUnit.HOURS);
        Instant to = jump.plus(Duration.ofDays(2));
        Slowly slowly = new Slowly(expression, zone, from.minus(Duration.ofDays(4)), to);
        Set<LocalDateTime> named = new LinkedHashSet<>();
        LocalDateTime last = LocalDateTime.MIN;
        for (Instant now = from; now.isBefore(to); now = now.plusSeconds(300)) {
            LocalDateTime one = schedule.latest(now);
            assertThat(one).as("%s at %s", schedule, now).isEqualTo(slowly.latest(now));
            assertThat(one).as("%s at %s", schedule, now).isAfterOrEqualTo(last);
            named.add(one);
            last = one;
        }
        assertThat(named).as("%s around %s", schedule, jump).containsAll(slowly.occurrences(from, to));
    }

    @Test
    @DisplayName("Every night of thirty years is named once, also those of jumps")
    void everyNightIsNamed() {
        for (String zone : List.of("America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Beirut", "Europe/Berlin")) {
            CronSchedule schedule = CronSchedule.of("0 30 0 * * *", ZoneId.of(zone));
            Set<LocalDate> nights = new LinkedHashSet<>();
            Instant now = Instant.parse("2000-01-01T12:00:00Z");
            while (now.isBefore(Instant.parse("2030-01-01T00:00:00Z"))) {
                nights.add(schedule.latest(now).toLocalDate());
                now = now.plus(Duration.ofHours(3));
            }
            LocalDate first = nights.iterator().next();
            assertThat(nights)
                    .as(zone)
                    .containsExactlyElementsOf(
                            first.datesUntil(first.plusDays(nights.size())).toList());
            assertThat(nights.size()).as(zone).isGreaterThan(10_950);
        }
    }

    @Test
    @DisplayName("An expression that cannot be read, or whose time never comes, is refused")
    void whatNeverComesIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CronSchedule.of("0 0 0 31 2 *", ZoneId.of("UTC")))
                .withMessageContaining("'0 0 0 31 2 *'")
                .withMessageContaining("never comes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CronSchedule.of("0 0 25 * * *", ZoneId.of("UTC")))
                .withMessageContaining("'0 0 25 * * *'");
    }
}
