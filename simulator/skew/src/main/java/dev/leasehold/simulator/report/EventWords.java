package dev.leasehold.simulator.report;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Change.ClockRow;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.StripeRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What events say, in words. */
final class EventWords {

    private EventWords() {}

    static String event(Event event) {
        if (event instanceof Event.Called it) {
            return operation(it.operation());
        }
        if (event instanceof Event.Answered it) {
            return answer(it.answer());
        }
        if (event instanceof Event.Resolved it) {
            return "found out: " + answer(it.answer());
        }
        if (event instanceof Event.Message it) {
            return it.what() + ' ' + words(it.leg());
        }
        if (event instanceof Event.Committed it) {
            return author(it.author()) + ": " + changes(it.changes());
        }
        if (event instanceof Event.Majority it) {
            return "a majority has version " + it.version();
        }
        if (event instanceof Event.RolledBack it) {
            return "taken back: everything after version " + it.toVersion();
        }
        return ofEngine(event);
    }

    private static String ofEngine(Event event) {
        if (event instanceof Event.Believed it) {
            return "believes " + tenure(it.tenure()) + " until " + TimeWords.instant(it.untilNanos());
        }
        if (event instanceof Event.Doubted it) {
            return "believes " + tenure(it.tenure()) + " no more";
        }
        if (event instanceof Event.Lost it) {
            return "lost " + tenure(it.tenure()) + ": " + it.reason();
        }
        if (event instanceof Event.Revived it) {
            return "a handle of " + tenure(it.tenure()) + " that was over holds it again";
        }
        if (event instanceof Event.Disagreed it) {
            return "says that " + tenure(it.tenure())
                    + (it.held() ? " is held, and that no time is left" : " is not held, and that time is left");
        }
        if (event instanceof Event.Started it) {
            return "engine " + it.incarnation() + " is ready, its clock shows " + it.localNanos();
        }
        if (event instanceof Event.Stopped it) {
            return "engine " + it.incarnation() + (it.crashed() ? " crashed" : " was closed");
        }
        if (event instanceof Event.Broken it) {
            return "broken: " + it.failure();
        }
        return ofWorld(event);
    }

    private static String ofWorld(Event event) {
        if (event instanceof Event.Fault it) {
            long forNanos = it.untilNanos() - it.atNanos();
            return "fault " + it.fault() + (forNanos > 0 ? " for " + TimeWords.exact(forNanos) : "");
        }
        if (event instanceof Event.Reached it) {
            return "reached " + it.mark()
                    + (it.rest() == null
                            ? ""
                            : " of " + it.rest().writer() + " after a rest of "
                                    + TimeWords.exact(it.rest().nanos()));
        }
        if (event instanceof Event.Healed) {
            return "healed: no faults from here on";
        }
        if (event instanceof Event.Exceeded it) {
            return "limit exceeded: " + it.limit();
        }
        if (event instanceof Event.Finished) {
            return "the end";
        }
        throw new IllegalArgumentException("no words for the event " + event);
    }

    static String operation(Operation operation) {
        StringBuilder text = new StringBuilder(words(operation.kind()));
        HeldTenure tenure = operation.tenure();
        if (tenure != null) {
            text.append(' ').append(tenure(tenure));
        } else if (operation.lease() != null) {
            text.append(' ').append(operation.lease());
        }
        if (operation.holder() != null && tenure == null) {
            text.append(" for ").append(operation.holder());
        }
        if (operation.durationNanos() != 0) {
            text.append(", ").append(TimeWords.exact(operation.durationNanos()));
        }
        if (operation.session()) {
            text.append(" by session");
        }
        if (operation.waitNanos() != 0) {
            text.append(", waits for ").append(TimeWords.exact(operation.waitNanos()));
        }
        return text.toString();
    }

    static String words(Enum<?> name) {
        return name.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    static String answer(Answer answer) {
        StringBuilder text = new StringBuilder(words(answer.kind()));
        if (answer.tenure() != null) {
            text.append(", ").append(tenure(answer.tenure()));
        }
        if (answer.reason() != null) {
            text.append(", ").append(answer.reason());
        }
        for (Answer.Shown shown : answer.shown()) {
            text.append("; ").append(shown(shown));
        }
        return text.toString();
    }

    static String shown(Answer.Shown shown) {
        if (shown.corrupt()) {
            return shown.lease() + " shown damaged";
        }
        if (shown.holder() == null) {
            return shown.lease() + " shown vacant #" + shown.token();
        }
        return shown.lease() + " shown held by " + shown.holder() + " #" + shown.token()
                + (shown.expired() ? ", past its expiry" : "") + ", safe after "
                + TimeWords.instant(shown.safeAfterNanos());
    }

    static String tenure(HeldTenure tenure) {
        return tenure.lease() + ' ' + tenure.holder() + " #" + tenure.token();
    }

    static String author(Author author) {
        switch (author.kind()) {
            case TRANSACTION:
                return "transaction of m" + author.machine() + call(author);
            case SINGLE_WRITE:
                return "single write of m" + author.machine() + call(author);
            case CALLER:
                return "transaction of a caller on m" + author.machine() + call(author) + asserted(author);
            case HAND:
                return "by hand";
            default:
                throw new IllegalArgumentException("no words for the author " + author);
        }
    }

    private static String call(Author author) {
        return author.call() < 0 ? "" : " in call " + author.call();
    }

    private static String asserted(Author author) {
        if (author.asserted() != null) {
            return " that asserted " + tenure(author.asserted());
        }
        return author.meant() == null ? "" : " that did not assert " + tenure(author.meant());
    }

    static String changes(List<Change> changes) {
        StringBuilder text = new StringBuilder();
        for (Change change : changes) {
            text.append(text.length() == 0 ? "" : "; ").append(change(change));
        }
        return text.toString();
    }

    private static String change(Change change) {
        if (change instanceof Change.OfLease it) {
            return it.lease() + ' ' + row(it.before()) + " -> " + row(it.after());
        }
        if (change instanceof Change.OfClock it) {
            return "clock" + (it.partition() == 0 ? "" : "~" + it.partition()) + clock(it.before(), it.after());
        }
        if (change instanceof Change.OfStripe it) {
            return it.lease() + " stripe " + it.stripe() + " = " + stripe(it.after());
        }
        Change.OfCaller it = (Change.OfCaller) change;
        return it.document() + " = " + it.value();
    }

    private static String stripe(@Nullable StripeRow row) {
        if (row == null) {
            return "nothing";
        }
        return (row.holder() == null ? "vacant" : row.holder()) + " #" + row.token()
                + (row.gates() > 0 ? ", gates " + row.gates() : "");
    }

    static String row(@Nullable LeaseRow row) {
        if (row == null) {
            return "nothing";
        }
        if (!row.sound()) {
            return "damaged";
        }
        StringBuilder text = new StringBuilder(row.holder() == null ? "vacant" : row.holder());
        text.append(" #")
                .append(row.token())
                .append(" by ")
                .append(row.writer())
                .append(" at ")
                .append(row.writtenNanos());
        if (row.holder() != null) {
            text.append(
                    row.expiryNanos() == null
                            ? ", session"
                            : ", expiry +" + TimeWords.exact(row.expiryNanos() - row.writtenNanos()));
        }
        if (row.gates() > 0) {
            text.append(", gates ").append(row.gates());
        }
        if (!row.pins().isEmpty()) {
            List<String> pins = new ArrayList<>(row.pins());
            Collections.sort(pins);
            text.append(", pinned by ").append(String.join(" ", pins));
        }
        return text.toString();
    }

    /** Only what is different. */
    private static String clock(ClockRow before, ClockRow after) {
        StringBuilder text = new StringBuilder();
        if (before.ticks() != after.ticks()) {
            text.append(" ticks ").append(after.ticks());
        }
        if (before.tokenFloor() != after.tokenFloor()) {
            text.append(" floor ").append(after.tokenFloor());
        }
        for (Map.Entry<String, WriterRow> entry : after.writers().entrySet()) {
            WriterRow was = before.writers().get(entry.getKey());
            if (!entry.getValue().equals(was)) {
                text.append(was == null ? " +" : " ")
                        .append(entry.getKey())
                        .append(' ')
                        .append(writer(was, entry.getValue()));
            }
        }
        for (String writer : before.writers().keySet()) {
            if (!after.writers().containsKey(writer)) {
                text.append(" -").append(writer);
            }
        }
        return text.toString();
    }

    private static String writer(@Nullable WriterRow was, WriterRow is) {
        StringBuilder text = new StringBuilder();
        text.append(is.timeNanos());
        if (is.transactionNanos() != null
                && (was == null || !is.transactionNanos().equals(was.transactionNanos()))) {
            text.append(" txn ").append(is.transactionNanos());
        }
        if (is.sessionNanos() != null && (was == null || was.sessionNanos() == null)) {
            text.append(" session ").append(TimeWords.exact(is.sessionNanos()));
        }
        return text.toString();
    }
}
