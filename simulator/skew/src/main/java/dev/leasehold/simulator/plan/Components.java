package dev.leasehold.simulator.plan;

import dev.leasehold.simulator.conditions.MessageFault;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The components of records, for code that treats all records alike. */
public final class Components {

    private static final ClassValue<List<RecordComponent>> OF_CLASS = new ClassValue<>() {
        @Override
        protected List<RecordComponent> computeValue(Class<?> type) {
            List<RecordComponent> components = List.of(type.getRecordComponents());
            components.forEach(component -> component.getAccessor().setAccessible(true));
            return components;
        }
    };

    private static final Set<Class<?>> OPTIONAL = Set.of(Boolean.class, Integer.class, Long.class, MessageFault.class);

    private Components() {}

    public static List<RecordComponent> of(Record record) {
        return OF_CLASS.get(record.getClass());
    }

    public static @Nullable Object get(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("a record component cannot be read: " + component, e);
        }
    }

    /** Whether a record need not have it. */
    static boolean isOptional(RecordComponent component) {
        return OPTIONAL.contains(component.getType());
    }

    /** The same record, but for one component. */
    public static <R extends Record> R with(R record, String name, @Nullable Object value) {
        if (of(record).stream().noneMatch(component -> component.getName().equals(name))) {
            throw new IllegalArgumentException("no component " + name + ": " + record);
        }
        List<Class<?>> types = new ArrayList<>();
        List<@Nullable Object> values = new ArrayList<>();
        for (RecordComponent component : of(record)) {
            types.add(component.getType());
            values.add(component.getName().equals(name) ? value : get(record, component));
        }
        try {
            @SuppressWarnings("unchecked")
            R changed = (R) record.getClass()
                    .getDeclaredConstructor(types.toArray(Class<?>[]::new))
                    .newInstance(values.toArray());
            return changed;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no record can be made with " + name + " " + value + ": " + record, e);
        }
    }

    /** The same record with other values wherever a component has that name, in the records within it too. */
    static <R extends Record> R mapped(R record, String name, UnaryOperator<Object> change) {
        R mapped = record;
        for (RecordComponent component : of(record)) {
            Object value = get(record, component);
            if (value instanceof Record inner) {
                mapped = with(mapped, component.getName(), mapped(inner, name, change));
            } else if (value != null && component.getName().equals(name)) {
                mapped = with(mapped, name, change.apply(value));
            }
        }
        return mapped;
    }
}
