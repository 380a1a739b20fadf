package dev.leasehold.simulator.plan;

import java.lang.reflect.RecordComponent;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The components of records, for what treats all of them alike. */
final class Components {

    private Components() {}

    static @Nullable Object get(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("records of plans can be read: " + component, e);
        }
    }

    /** The same record, but for one component. */
    static Record with(Record record, String name, @Nullable Object value) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        @Nullable Object[] values = new @Nullable Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = components[i].getName().equals(name) ? value : get(record, components[i]);
        }
        try {
            return record.getClass().getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("records of plans can be made of any values: " + record, e);
        }
    }

    /** The same record with other values wherever a component has that name, in the records within it too. */
    static Record mapped(Record record, String name, UnaryOperator<Object> change) {
        Record mapped = record;
        for (RecordComponent component : record.getClass().getRecordComponents()) {
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
