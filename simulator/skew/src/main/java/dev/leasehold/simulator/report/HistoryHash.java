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
import dev.leasehold.simulator.plan.History;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A rolling hash over the events of a history: of their times, machines, kinds and arguments. Two runs of one plan must have the same one,
 * on every JVM. So it is made of numbers, of texts and of the places of enum constants, and never of an object's own hash code where
 * that is not laid down.
 */
public final class HistoryHash {

    private static final long START = 0x243F6A8885A308D3L;
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private long hash = START;

    private HistoryHash() {}

    /** The hash of all events. */
    public static long of(History history) {
        HistoryHash hash = new HistoryHash();
        List<Event> events = history.events();
        for (int i = 0; i < events.size(); i++) {
            hash.add(events.get(i));
        }
        return hash.hash;
    }

    /** The first event that two runs of one plan do not share, in words; empty when there is none. */
    public static Optional<String> firstDifference(History first, History second) {
        int length = Math.max(first.events().size(), second.events().size());
        for (int i = 0; i < length; i++) {
            String one = line(first, i);
            String other = line(second, i);
            if (!one.equals(other) || hash(first, i) != hash(second, i)) {
                return Optional.of("event " + i + " differs: " + one + " / " + other);
            }
        }
        return Optional.empty();
    }

    private static String line(History history, int index) {
        if (index >= history.events().size()) {
            return "no event any more";
        }
        Event event = history.events().get(index);
        int machine = event.machine();
        return "at " + TimeWords.instant(event.atNanos()) + (machine < 0 ? " " : " m" + machine + ' ')
                + EventWords.event(event);
    }

    private static long hash(History history, int index) {
        HistoryHash hash = new HistoryHash();
        if (index < history.events().size()) {
            hash.add(history.events().get(index));
        }
        return hash.hash;
    }

    private void add(Event event) {
        add(event.atNanos());
        if (event instanceof Event.Message it) {
            add(1, it.machine());
            add(it.message());
            add(it.leg().ordinal());
            add(it.what());
        } else if (event instanceof Event.Committed it) {
            add(2, it.version());
            add(it.author());
            addAll(it.changes());
        } else if (event instanceof Event.Majority it) {
            add(3, it.version());
        } else if (event instanceof Event.Called it) {
            add(4, it.call());
            add(it.machine());
            add(it.incarnation());
            add(it.operation());
        } else if (event instanceof Event.Answered it) {
            add(5, it.call());
            add(it.answer());
        } else if (event instanceof Event.Resolved it) {
            add(6, it.call());
            add(it.answer());
        } else if (event instanceof Event.RolledBack it) {
            add(7, it.toVersion());
        } else {
            addOfEngine(event);
        }
    }

    private void addOfEngine(Event event) {
        if (event instanceof Event.Believed it) {
            add(8, it.machine());
            add(it.incarnation());
            add(it.tenure());
            add(it.untilNanos());
        } else if (event instanceof Event.Doubted it) {
            add(9, it.machine());
            add(it.incarnation());
            add(it.tenure());
        } else if (event instanceof Event.Lost it) {
            add(10, it.machine());
            add(it.incarnation());
            add(it.tenure());
            add(it.reason());
        } else if (event instanceof Event.Revived it) {
            add(19, it.machine());
            add(it.incarnation());
            add(it.tenure());
        } else if (event instanceof Event.Disagreed it) {
            add(20, it.machine());
            add(it.incarnation());
            add(it.tenure());
            add(it.held() ? 1 : 0);
        } else if (event instanceof Event.Started it) {
            add(11, it.machine());
            add(it.incarnation());
            add(it.localNanos());
        } else if (event instanceof Event.Stopped it) {
            add(12, it.machine());
            add(it.incarnation());
            add(it.crashed() ? 1 : 0);
        } else {
            addOfWorld(event);
        }
    }

    private void addOfWorld(Event event) {
        if (event instanceof Event.Fault it) {
            add(13, it.machine());
            add(it.fault());
            add(it.untilNanos());
        } else if (event instanceof Event.Reached it) {
            add(14, it.machine());
            add(it.mark());
            if (it.rest() != null) {
                add(it.rest().writer());
                add(it.rest().nanos());
            }
        } else if (event instanceof Event.Broken it) {
            add(15, it.machine());
            add(it.failure());
        } else if (event instanceof Event.Exceeded it) {
            add(16, 0);
            add(it.limit());
        } else {
            add(event instanceof Event.Healed ? 17 : 18, 0);
        }
    }

    private void add(Operation operation) {
        add(operation.kind().ordinal(), operation.durationNanos());
        add(operation.lease());
        add(operation.holder());
        add(operation.tenure());
        add(operation.session() ? 1 : 0, operation.waitNanos());
    }

    private void add(Answer answer) {
        add(answer.kind().ordinal(), answer.shown().size());
        add(answer.tenure());
        add(answer.reason());
        for (int i = 0; i < answer.shown().size(); i++) {
            Answer.Shown shown = answer.shown().get(i);
            add(shown.lease());
            add(shown.holder());
            add(shown.token(), shown.safeAfterNanos());
            add((shown.corrupt() ? 1 : 0) + (shown.expired() ? 2 : 0));
        }
    }

    private void add(Author author) {
        add(author.kind().ordinal(), author.machine());
        add(author.incarnation(), author.call());
        add(author.asserted());
        add(author.meant());
    }

    private void addAll(List<Change> changes) {
        add(changes.size());
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            if (change instanceof Change.OfLease it) {
                add(it.lease());
                add(it.before());
                add(it.after());
            } else if (change instanceof Change.OfClock it) {
                // All else of what was before is what an earlier event left behind.
                add(it.before().ticks());
                add(it.after());
                if (it.partition() > 0) {
                    add(it.partition());
                }
            } else if (change instanceof Change.OfStripe it) {
                add(it.lease());
                add(it.stripe());
                add(it.after());
            } else {
                Change.OfCaller it = (Change.OfCaller) change;
                add(it.document());
                add(it.value());
            }
        }
    }

    private void add(@Nullable StripeRow row) {
        if (row == null) {
            add(-1);
            return;
        }
        add(row.holder());
        add(row.token(), row.gates());
    }

    private void add(@Nullable LeaseRow row) {
        if (row == null) {
            add(-1);
            return;
        }
        add(row.holder());
        add(row.token(), row.gates());
        add(row.writer());
        add(row.writtenNanos(), orMinimum(row.expiryNanos()));
        add(row.sound() ? 1 : 0);
        // The order in which a set is gone through need not be the same in two runs.
        long pins = 0;
        for (String pin : row.pins()) {
            pins += mixed(START, pin.hashCode());
        }
        add(pins, row.pins().size());
    }

    private void add(ClockRow row) {
        add(row.ticks(), row.tokenFloor());
        for (Map.Entry<String, WriterRow> entry : row.writers().entrySet()) {
            WriterRow writer = entry.getValue();
            add(entry.getKey());
            add(writer.timeNanos());
            add(orMinimum(writer.transactionNanos()), orMinimum(writer.sessionNanos()));
        }
        add(row.writers().size());
    }

    private void add(@Nullable HeldTenure tenure) {
        if (tenure == null) {
            add(-1);
        } else {
            add(tenure.lease());
            add(tenure.holder());
            add(tenure.token());
        }
    }

    private static long orMinimum(@Nullable Long value) {
        return value == null ? Long.MIN_VALUE : value;
    }

    /** How a text is hashed is laid down, and texts remember it. */
    private void add(@Nullable String text) {
        if (text == null) {
            add(-1);
        } else {
            add(text.length(), text.hashCode());
        }
    }

    private void add(long first, long second) {
        add(first);
        add(second);
    }

    private void add(long value) {
        hash = mixed(hash, value);
    }

    private static long mixed(long hash, long value) {
        long mixed = (hash ^ value) * FACTOR;
        return mixed ^ mixed >>> 29;
    }
}
