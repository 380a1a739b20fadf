package dev.leasehold.simulator.plan;

import dev.leasehold.simulator.conditions.DatabaseConditions;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Gives every number in a plan the plainest value that it can have: the one of its own, if it has one, else 0, or as few digits that
 * are not 0 as possible. Booleans become false, apart from those that say in which conditions a plan is played.
 */
final class SimplerValues implements Shrinking {

    /** What a plan is about stays as it is. Machines and leases are merged elsewhere; a seed is 0 or as good as any other. */
    private static final Set<String> KEPT = Set.of(
            "profile", "seed", "inside", "driftPpm", "leases", "partitions", "watches", "machine", "lease", "from");

    /** What is plain for a component of that name, wherever it is not 0. */
    private static final Map<String, Long> PLAIN = Map.ofEntries(
            Map.entry("wallNanos", PlanRules.PLAIN_WALL_NANOS),
            Map.entry("wallPrecisionNanos", 1L),
            Map.entry("sessionPercent", 100L),
            Map.entry("sessionNanos", PlainerParts.SESSION_NANOS),
            Map.entry("heartbeatNanos", PlainerParts.HEARTBEAT_NANOS),
            Map.entry("operationNanos", PlainerParts.OPERATION_NANOS),
            Map.entry("commandNanos", PlainerParts.COMMAND_NANOS),
            Map.entry("closeNanos", PlainerParts.CLOSE_NANOS),
            Map.entry("retentionNanos", PlainerParts.RETENTION_NANOS),
            Map.entry("lifetimeNanos", DatabaseConditions.PLAIN.lifetimeNanos()),
            Map.entry("sweepNanos", DatabaseConditions.PLAIN.sweepNanos()));

    @Override
    public void shrink(Plan plan, Predicate<Plan> accept) {
        simplified(plan, 0, candidate -> accept.test((Plan) candidate));
    }

    private static @Nullable Object simplified(@Nullable Object value, long plain, Predicate<Object> accept) {
        if (value instanceof Record record) {
            return ofRecord(record, accept);
        }
        if (value instanceof List<?> list) {
            return ofList(list, accept);
        }
        if (value instanceof Long number) {
            return ofNumber(number, plain, accept::test);
        }
        if (value instanceof Integer number) {
            return ofNumber(number, plain, candidate -> accept.test(candidate.intValue()))
                    .intValue();
        }
        return Boolean.TRUE.equals(value) && accept.test(false) ? Boolean.FALSE : value;
    }

    private static Record ofRecord(Record record, Predicate<Object> accept) {
        Record best = record;
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            String name = component.getName();
            if (!KEPT.contains(name)) {
                Record before = best;
                Object value = simplified(
                        Components.get(best, component),
                        PLAIN.getOrDefault(name, 0L),
                        part -> accept.test(Components.with(before, name, part)));
                best = Components.with(before, name, value);
            }
        }
        return best;
    }

    private static List<?> ofList(List<?> list, Predicate<Object> accept) {
        List<@Nullable Object> best = new ArrayList<>(list);
        for (int i = 0; i < best.size(); i++) {
            int index = i;
            best.set(i, simplified(best.get(i), 0, part -> {
                List<@Nullable Object> candidate = new ArrayList<>(best);
                candidate.set(index, part);
                return accept.test(candidate);
            }));
        }
        return best;
    }

    private static Long ofNumber(long number, long plain, Predicate<Long> accept) {
        if (number == plain || accept.test(plain)) {
            return plain;
        }
        long unit = unitOf(number);
        long least = Long.signum(number) * unit;
        if (least == number || accept.test(least)) {
            return least;
        }
        for (; unit > 1; unit /= 10) {
            long rounded = number / unit * unit;
            if (rounded == number || accept.test(rounded)) {
                return rounded;
            }
        }
        return number;
    }

    /** The greatest power of ten that is no farther from 0. */
    private static long unitOf(long number) {
        long unit = 1;
        while (number / unit / 10 != 0) {
            unit *= 10;
        }
        return unit;
    }
}
