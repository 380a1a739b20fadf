package dev.leasehold.simulator.report;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.plan.Components;
import dev.leasehold.simulator.plan.History;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A rolling hash over the events of a history, with all their components. Two runs of one plan must have the same one, on every JVM. So it
 * is made of numbers, texts and the names of constants, and never of a hash code that the Java platform does not specify.
 */
public final class HistoryHash {

    private static final long START = 0x243F6A8885A308D3L;
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private HistoryHash() {}

    /** The hash of all events. */
    public static long of(History history) {
        return with(START, history.events());
    }

    /** The first event that two runs of one plan do not share, in words; empty when there is none. */
    public static Optional<String> firstDifference(History first, History second) {
        List<Event> one = first.events();
        List<Event> other = second.events();
        int index = 0;
        while (index < one.size() && index < other.size() && one.get(index).equals(other.get(index))) {
            index++;
        }
        return index == one.size() && index == other.size()
                ? Optional.empty()
                : Optional.of("event " + index + " differs: " + text(one, index) + " / " + text(other, index));
    }

    private static String text(List<Event> events, int index) {
        return index < events.size() ? events.get(index).toString() : "no event any more";
    }

    private static long with(long hash, @Nullable Object value) {
        if (value instanceof Record record) {
            long sum = with(hash, record.getClass().getSimpleName());
            for (RecordComponent component : Components.of(record)) {
                sum = with(sum, Components.get(record, component));
            }
            return sum;
        }
        if (value instanceof List<?> list) {
            long sum = mixed(hash, list.size());
            for (Object element : list) {
                sum = with(sum, element);
            }
            return sum;
        }
        if (value instanceof Map<?, ?> map) {
            return with(hash, map.entrySet());
        }
        if (value instanceof Map.Entry<?, ?> entry) {
            return with(with(hash, entry.getKey()), entry.getValue());
        }
        if (value instanceof Set<?> set) {
            // The order in which a set is iterated need not be the same in two runs.
            return mixed(
                    hash,
                    set.stream().mapToLong(element -> with(START, element)).sum());
        }
        return mixed(hash, number(value));
    }

    private static long number(@Nullable Object value) {
        if (value instanceof Number number) {
            return number.longValue();
        }
        return value instanceof Boolean flag
                ? (flag ? 1 : 0)
                : value == null ? -1 : text(value).hashCode();
    }

    private static String text(Object value) {
        return value instanceof Enum<?> constant ? constant.name() : (String) value;
    }

    private static long mixed(long hash, long value) {
        long mixed = (hash ^ value) * FACTOR;
        return mixed ^ mixed >>> 29;
    }
}
