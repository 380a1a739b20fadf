package dev.leasehold.simulator.plan;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Gives every number in a plan the plainest value that it can have: 0, or as few digits that are not 0 as possible. Booleans become
 * false, apart from those that say in which conditions a plan is played.
 */
final class SimplerValues implements Shrinking {

    /** What a plan is about stays as it is; and so does what has a plain value of its own. */
    private static final Set<String> KEPT =
            Set.of("profile", "inside", "driftPpm", "leases", "watches", "machine", "lease", "from", "wallNanos", "wallPrecisionNanos");

    @Override
    public void shrink(Plan plan, Predicate<Plan> accept) {
        simplified(plan, candidate -> accept.test((Plan) candidate));
    }

    private static @Nullable Object simplified(@Nullable Object value, Predicate<Object> accept) {
        if (value instanceof Record record) {
            return ofRecord(record, accept);
        }
        if (value instanceof List<?> list) {
            return ofList(list, accept);
        }
        if (value instanceof Long number) {
            return ofNumber(number, accept);
        }
        if (value instanceof Integer number) {
            return ofNumber(number, candidate -> accept.test((int) (long) (Long) candidate)).intValue();
        }
        return Boolean.TRUE.equals(value) && accept.test(false) ? Boolean.FALSE : value;
    }

    private static Record ofRecord(Record record, Predicate<Object> accept) {
        Record best = record;
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            String name = component.getName();
            boolean seedOfPlan = record instanceof Plan && name.equals("seed");
            if (!KEPT.contains(name) && !seedOfPlan) {
                Record before = best;
                Object value = simplified(
                        Components.get(best, component), part -> accept.test(Components.with(before, name, part)));
                best = Components.with(before, name, value);
            }
        }
        return best;
    }

    private static List<?> ofList(List<?> list, Predicate<Object> accept) {
        List<@Nullable Object> best = new ArrayList<>(list);
        for (int i = 0; i < best.size(); i++) {
            int index = i;
            best.set(i, simplified(best.get(i), part -> {
                List<@Nullable Object> candidate = new ArrayList<>(best);
                candidate.set(index, part);
                return accept.test(candidate);
            }));
        }
        return best;
    }

    private static Long ofNumber(long number, Predicate<Object> accept) {
        if (number == 0 || accept.test(0L)) {
            return 0L;
        }
        long unit = unitOf(number);
        long least = Long.signum(number) * unit;
        if (least != number && accept.test(least)) {
            return least;
        }
        while (unit > 1) {
            long rounded = number / unit * unit;
            if (rounded != number && accept.test(rounded)) {
                return rounded;
            }
            unit /= 10;
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
