package dev.leasehold.engine;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.util.Locale;

/**
 * Names the occurrences of a schedule, for {@link LeaseEngine#runOnce(LeaseRequest, String, OnceTask)}. Immutable; reads no clock.
 *
 * <pre>{@code
 * OccurrenceSchedule nights = OccurrenceSchedule.daily(ZoneId.of("Europe/Berlin")).at(LocalTime.of(3, 0));
 * engine.runOnce("invoices", nights.latest(Instant.now()).name(), task);
 * }</pre>
 *
 * <p>Two occurrences never have one name, each has one name in all processes, and names sort as texts in the order of their occurrences,
 * also where daylight saving repeats or skips a midnight. A day that a zone has skipped as a whole, as Samoa did in 2011, has no occurrence of
 * its own.
 *
 * <p><b>The clock only names.</b> That an occurrence is done once does not depend on it. A machine that is an hour ahead does the occurrence
 * an hour early, and the others find it done. One that is an hour behind names the last one, finds it done, and does nothing for an hour. One
 * that is a day ahead does the occurrence of tomorrow today, and tomorrow it is done.
 */
public abstract sealed class OccurrenceSchedule {

    /** So that names have years of four digits, also of the week before or the day after. */
    private static final Instant FIRST = Instant.parse("0001-02-01T00:00:00Z");

    private static final Instant LAST = Instant.parse("9999-12-01T00:00:00Z");

    private OccurrenceSchedule() {}

    /**
     * One occurrence.
     *
     * @param name what {@code runOnce} takes
     * @param begin when it begins
     */
    public record Occurrence(String name, Instant begin) {}

    /**
     * An occurrence in each interval, counted from 1970-01-01T00:00:00Z: with PT1H at each full hour of UTC. Its name is its begin, such as
     * {@code 2073-03-03T03:00:00Z}.
     *
     * @param interval whole seconds, one second to 366 days
     * @return the schedule
     */
    public static OccurrenceSchedule every(Duration interval) {
        if (interval == null
                || interval.getNano() != 0
                || interval.compareTo(Duration.ofSeconds(1)) < 0
                || interval.compareTo(Duration.ofDays(366)) > 0) {
            throw new IllegalArgumentException(
                    "interval " + interval + " is refused: it must be whole seconds, one second to 366 days");
        }
        return new Interval(interval.toSeconds());
    }

    /**
     * An occurrence each day, which begins at its first instant. Its name is the date, such as {@code 2073-03-03}.
     *
     * @param zone whose calendar counts, which must be the same in all processes
     * @return the schedule
     */
    public static OccurrenceSchedule daily(ZoneId zone) {
        return new Calendar(checked(zone), Unit.DAY, LocalTime.MIDNIGHT);
    }

    /**
     * An occurrence each week from Monday on. Its name is the week of ISO 8601, such as {@code 2073-W09}.
     *
     * @param zone whose calendar counts, which must be the same in all processes
     * @return the schedule
     */
    public static OccurrenceSchedule weekly(ZoneId zone) {
        return new Calendar(checked(zone), Unit.WEEK, LocalTime.MIDNIGHT);
    }

    /**
     * An occurrence each month from its first day on. Its name is the month, such as {@code 2073-03}.
     *
     * @param zone whose calendar counts, which must be the same in all processes
     * @return the schedule
     */
    public static OccurrenceSchedule monthly(ZoneId zone) {
        return new Calendar(checked(zone), Unit.MONTH, LocalTime.MIDNIGHT);
    }

    private static ZoneId checked(ZoneId zone) {
        if (zone == null) {
            throw new IllegalArgumentException("zone null is refused: it must say whose calendar counts");
        }
        return zone;
    }

    /**
     * The same occurrences, which begin later on their day. A time that daylight saving skips begins as much later as the clock jumps, and one
     * that comes twice begins the first time.
     *
     * @param time local time in the zone of the calendar
     * @return another schedule
     * @throws UnsupportedOperationException if this one has no calendar
     */
    public OccurrenceSchedule at(LocalTime time) {
        throw new UnsupportedOperationException(
                "an interval has no time of day: its occurrences are counted from 1970");
    }

    /**
     * The latest occurrence that has begun at or before an instant, by whichever clock that was read from. Never blocks.
     *
     * @param now in the years 1 to 9999
     * @return the occurrence
     */
    public final Occurrence latest(Instant now) {
        if (now == null || now.isBefore(FIRST) || now.isAfter(LAST)) {
            throw new IllegalArgumentException("instant " + now + " is refused: it must be " + FIRST + " to " + LAST);
        }
        return begunBy(now);
    }

    abstract Occurrence begunBy(Instant now);

    private static final class Interval extends OccurrenceSchedule {

        private final long seconds;

        Interval(long seconds) {
            this.seconds = seconds;
        }

        @Override
        Occurrence begunBy(Instant now) {
            Instant begin = Instant.ofEpochSecond(Math.floorDiv(now.getEpochSecond(), seconds) * seconds);
            return new Occurrence(begin.toString(), begin);
        }

        @Override
        public String toString() {
            return "OccurrenceSchedule[every " + Duration.ofSeconds(seconds) + "]";
        }
    }

    private enum Unit {
        DAY(ChronoUnit.DAYS),
        WEEK(ChronoUnit.WEEKS),
        MONTH(ChronoUnit.MONTHS);

        private final ChronoUnit length;

        Unit(ChronoUnit length) {
            this.length = length;
        }

        /** The first day of the one that has this date. */
        LocalDate first(LocalDate date) {
            return switch (this) {
                case DAY -> date;
                case WEEK -> date.with(DayOfWeek.MONDAY);
                case MONTH -> date.withDayOfMonth(1);
            };
        }

        LocalDate before(LocalDate first) {
            return first.minus(1, length);
        }

        String name(LocalDate first) {
            return switch (this) {
                case DAY -> first.toString();
                case WEEK ->
                    String.format(
                            Locale.ROOT,
                            "%04d-W%02d",
                            first.get(IsoFields.WEEK_BASED_YEAR),
                            first.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
                case MONTH -> String.format(Locale.ROOT, "%04d-%02d", first.getYear(), first.getMonthValue());
            };
        }
    }

    private static final class Calendar extends OccurrenceSchedule {

        /** How far the calendar may go back at once: local dates were repeated where the date line was moved. */
        private static final int DAYS_BACK = 2;

        private final ZoneId zone;
        private final Unit unit;
        private final LocalTime time;

        Calendar(ZoneId zone, Unit unit, LocalTime time) {
            this.zone = zone;
            this.unit = unit;
            this.time = time;
        }

        @Override
        public OccurrenceSchedule at(LocalTime at) {
            if (at == null) {
                throw new IllegalArgumentException("time null is refused: it must be a time of day");
            }
            return new Calendar(zone, unit, at);
        }

        /**
         * By the begins, not by the date that the zone shows now: where a clock goes back shortly after midnight, that date goes back, and
         * an occurrence that has begun goes on.
         */
        @Override
        Occurrence begunBy(Instant now) {
            LocalDate first = unit.first(now.atZone(zone).toLocalDate().plusDays(DAYS_BACK));
            Instant begin = begin(first);
            while (begin.isAfter(now)) {
                first = unit.before(first);
                begin = begin(first);
            }
            return new Occurrence(unit.name(first), begin);
        }

        private Instant begin(LocalDate first) {
            return time.equals(LocalTime.MIDNIGHT)
                    ? first.atStartOfDay(zone).toInstant()
                    : ZonedDateTime.of(first, time, zone).toInstant();
        }

        @Override
        public String toString() {
            return "OccurrenceSchedule[each " + unit.name().toLowerCase(Locale.ROOT) + " at " + time + " in " + zone
                    + "]";
        }
    }
}
