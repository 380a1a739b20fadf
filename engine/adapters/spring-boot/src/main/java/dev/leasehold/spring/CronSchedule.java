package dev.leasehold.spring;

import dev.leasehold.assertions.LeaseNames;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.CronExpression;

/**
 * The occurrences of a cron expression in a zone. Each local time of the expression is one occurrence, which begins once: a time that the
 * zone skips when the clock has jumped, and one that comes twice the first time. So names rise with time. Asked for zoned times the
 * expression itself would leave out what is skipped, and repeat what comes twice. Immutable; reads no clock.
 */
final class CronSchedule {

    /** By how much a zone may go back at once: by a day where the date line was moved. */
    private static final Duration LONGEST_JUMP = Duration.ofDays(2);

    /** The calendar repeats after 400 years; a 29 February on one day of the week comes at least every 40. */
    private static final Duration LONGEST_INTERVAL = Duration.ofDays(40L * 366);

    private static final LocalDateTime ANY_TIME = LocalDateTime.of(2000, 1, 1, 0, 0);

    private final CronExpression cron;
    private final ZoneId zone;
    private final ZoneRules rules;

    private CronSchedule(CronExpression cron, ZoneId zone) {
        this.cron = cron;
        this.zone = zone;
        this.rules = zone.getRules();
    }

    /**
     * Reads an expression.
     *
     * @param text six fields, or one of the names that Spring knows, as {@code @daily}
     * @throws IllegalArgumentException if it is none, or never comes
     */
    static CronSchedule of(String text, ZoneId zone) {
        CronExpression cron;
        try {
            cron = CronExpression.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "cron expression " + LeaseNames.quote(text) + " is refused: " + e.getMessage(), e);
        }
        if (cron.next(ANY_TIME) == null) {
            throw new IllegalArgumentException(
                    "cron expression " + LeaseNames.quote(text) + " is refused: its time never comes");
        }
        return new CronSchedule(cron, zone);
    }

    /**
     * The latest occurrence that has begun at or before an instant.
     *
     * @return its local time, such as {@code 2073-03-03T03:00}, with seconds if it has some
     */
    LocalDateTime latest(Instant now) {
        LocalDateTime last = last(lastBegun(now));
        if (last == null) {
            throw new IllegalStateException("cron expression " + cron + " has no time in the "
                    + LONGEST_INTERVAL.toDays() + " days before " + now);
        }
        return last;
    }

    /** The last local time that has begun: the one that the zone shows, or a later one if the clock went back after that. */
    private LocalDateTime lastBegun(Instant now) {
        LocalDateTime last = LocalDateTime.ofInstant(now, zone);
        ZoneOffsetTransition jump = rules.previousTransition(now.plusNanos(1));
        while (jump != null && jump.getInstant().isAfter(now.minus(LONGEST_JUMP))) {
            LocalDateTime shownBefore = jump.getDateTimeBefore().minusNanos(1);
            if (jump.isOverlap() && shownBefore.isAfter(last)) {
                last = shownBefore;
            }
            jump = rules.previousTransition(jump.getInstant());
        }
        return last;
    }

    /** The last time of the expression at or before a local time, found by halving, as the expression can only be asked for the next. */
    private @Nullable LocalDateTime last(LocalDateTime limit) {
        LocalDateTime found = null;
        for (Duration back = Duration.ofMinutes(1);
                found == null && back.compareTo(LONGEST_INTERVAL.multipliedBy(4)) < 0;
                back = back.multipliedBy(4)) {
            found = next(limit.minus(back), limit);
        }
        if (found == null) {
            return null;
        }
        LocalDateTime none = limit;
        for (LocalDateTime next = next(found, none); next != null; next = next(found, none)) {
            found = next;
            LocalDateTime middle =
                    found.plusSeconds(Duration.between(found, none).toSeconds() / 2);
            LocalDateTime later = next(middle, limit);
            if (later == null) {
                none = middle;
            } else {
                found = later;
            }
        }
        return found;
    }

    private @Nullable LocalDateTime next(LocalDateTime after, LocalDateTime limit) {
        LocalDateTime next = cron.next(after);
        return next == null || next.isAfter(limit) ? null : next;
    }

    @Override
    public String toString() {
        return cron + " in " + zone;
    }
}
