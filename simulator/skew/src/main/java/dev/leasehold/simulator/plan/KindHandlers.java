package dev.leasehold.simulator.plan;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Handlers of the values of a sealed type, one for each kind. A table in place of a switch over types. */
public final class KindHandlers<T> {

    private final Map<Class<? extends T>, Consumer<T>> handlers = new HashMap<>();

    public <K extends T> KindHandlers<T> on(Class<K> kind, Consumer<? super K> handler) {
        handlers.put(kind, value -> handler.accept(kind.cast(value)));
        return this;
    }

    /** Whether there is a handler for its kind. */
    public boolean handle(T value) {
        Consumer<T> handler = handlers.get(value.getClass());
        if (handler != null) {
            handler.accept(value);
        }
        return handler != null;
    }
}
