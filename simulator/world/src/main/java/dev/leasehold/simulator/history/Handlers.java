package dev.leasehold.simulator.history;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** A table of what is done with the values of a sealed type, by their kind. Kinds that are not in it are ignored. */
public final class Handlers<T> {

    private final Map<Class<? extends T>, Consumer<T>> handlers = new HashMap<>();

    public <K extends T> Handlers<T> on(Class<K> kind, Consumer<? super K> handler) {
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
