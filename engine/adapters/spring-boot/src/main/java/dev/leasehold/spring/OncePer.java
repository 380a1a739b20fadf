package dev.leasehold.spring;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.OccurrenceSchedule;
import java.lang.reflect.Method;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.convert.DurationStyle;

/** Which occurrence of its work a call of a {@link Leased} method does, as its {@link Leased#oncePer()} says. Immutable. */
final class OncePer {

    /** A scheduler calls a moment early where the clock was set back while it waited; the call is not meant for the occurrence before. */
    private static final Duration EARLY = Duration.ofMillis(500);

    private static final int CRON_FIELDS = 6;

    private static final String RULE =
            "it has to be a cron expression with six fields, an interval such as PT1H, or a text with #{...}";

    /** What names the occurrence of a call. */
    private interface Namer {
        String name(Object target, Object[] arguments, Instant now);
    }

    private final Namer namer;
    private final boolean isSchedule;

    private OncePer(Namer namer, boolean isSchedule) {
        this.namer = namer;
        this.isSchedule = isSchedule;
    }

    /**
     * Reads the annotation of a method.
     *
     * @return null if every call runs
     * @throws IllegalArgumentException if an attribute cannot be kept, with its value and the rule
     */
    static @Nullable OncePer of(
            Leased leased, Method method, BeanFactory beans, LeasedCall.PlaceholderResolver resolver) {
        if (leased.oncePer().isEmpty()) {
            if (leased.catchUp() != CatchUp.NONE) {
                throw new IllegalArgumentException("catchUp = " + leased.catchUp()
                        + " is refused: it needs oncePer, which says what the latest occurrence is");
            }
            checkNoZone(leased, "oncePer, which is empty, has no use for one");
            return null;
        }
        return leased.oncePer().contains("#{")
                ? ofArguments(leased, method, beans, resolver)
                : ofSchedule(leased, resolver);
    }

    private static OncePer ofArguments(
            Leased leased, Method method, BeanFactory beans, LeasedCall.PlaceholderResolver resolver) {
        checkNoZone(leased, "oncePer is a text over the arguments, and has no use for one");
        if (leased.catchUp() != CatchUp.NONE) {
            throw new IllegalArgumentException(
                    "catchUp = " + leased.catchUp() + " is refused: oncePer " + LeaseNames.quote(leased.oncePer())
                            + " is a text over the arguments, so no occurrence is the latest");
        }
        TextTemplate text = TextTemplate.of("oncePer", leased.oncePer(), method, beans, resolver);
        return new OncePer((target, arguments, now) -> text.of(target, arguments), false);
    }

    private static void checkNoZone(Leased leased, String why) {
        if (!leased.zone().isEmpty()) {
            throw new IllegalArgumentException("zone " + LeaseNames.quote(leased.zone()) + " is refused: " + why);
        }
    }

    private static OncePer ofSchedule(Leased leased, LeasedCall.PlaceholderResolver resolver) {
        String text =
                TextTemplate.resolved("oncePer", leased.oncePer(), resolver).strip();
        if (text.startsWith("@") || text.split("\\s+").length == CRON_FIELDS) {
            CronSchedule cron = cron(text, zone(TextTemplate.resolved("zone", leased.zone(), resolver)));
            return new OncePer((target, arguments, now) -> cron.latest(now).toString(), true);
        }
        OccurrenceSchedule interval = interval(text);
        checkNoZone(leased, "oncePer " + LeaseNames.quote(text) + " is counted from 1970, and has no use for one");
        return new OncePer((target, arguments, now) -> interval.latest(now).name(), true);
    }

    private static CronSchedule cron(String text, ZoneId zone) {
        try {
            return CronSchedule.of(text, zone);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("oncePer: " + e.getMessage(), e);
        }
    }

    private static ZoneId zone(String text) {
        try {
            return text.isEmpty() ? ZoneId.systemDefault() : ZoneId.of(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "zone " + LeaseNames.quote(text)
                            + " is refused: it has to be a time zone such as Europe/Berlin or UTC",
                    e);
        }
    }

    private static OccurrenceSchedule interval(String text) {
        try {
            return OccurrenceSchedule.every(DurationStyle.detectAndParse(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "oncePer " + LeaseNames.quote(text) + " is refused: " + RULE + " (" + e.getMessage() + ")", e);
        }
    }

    /** {@return whether the clock names the occurrence, and not the arguments} */
    boolean isSchedule() {
        return isSchedule;
    }

    /**
     * The occurrence that a call does.
     *
     * @param now by the clock of this machine
     * @throws IllegalArgumentException if the arguments make no name of an occurrence
     */
    String occurrence(Object target, Object[] arguments, Instant now) {
        return LeaseNames.checkOccurrence(namer.name(target, arguments, now.plus(EARLY)));
    }
}
