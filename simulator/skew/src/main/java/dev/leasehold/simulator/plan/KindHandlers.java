package dev.leasehold.simulator.plan;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Handlers of the values of a sealed type, one for each kind. Kinds without a handler are ignored. */
public final class KindHandlers<T> {

    private final Map<Class<? extends T>, Consumer<T>> handlers = new HashMap<>();

    public <K extends T> KindHandlers<T> on(Class<K> kind, Consumer<? super K> handler) {
        handlers.put(kind, value -> handler.accept(kind.cast(value)));
        return this;
    }

    public void handle(T value) {
        Consumer<T> handler = handlers.get(value.getClass());
        if (handler != null) {
            handler.accept(value);
        }
    }
}
