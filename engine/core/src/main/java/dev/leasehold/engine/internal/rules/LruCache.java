package dev.leasehold.engine.internal.rules;

import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What was used last, by name, and what was merely seen, as long as there is room for it. To look at something is no use of it. */
final class LruCache<V> {

    private final int limit;

    /** What was used longest ago comes first. */
    private final Map<String, V> used = new LinkedHashMap<>();

    /** What was seen first comes first. */
    private final Map<String, V> seen = new LinkedHashMap<>();

    LruCache(int limit) {
        this.limit = limit;
    }

    @Nullable V look(String name) {
        V value = used.get(name);
        return value == null ? seen.get(name) : value;
    }

    @Nullable V use(String name) {
        V value = look(name);
        if (value != null) {
            put(name, value);
        }
        return value;
    }

    boolean any(Predicate<? super V> predicate) {
        return used.values().stream().anyMatch(predicate)
                || seen.values().stream().anyMatch(predicate);
    }

    /** Of something that is used. */
    void put(String name, V value) {
        seen.remove(name);
        used.remove(name);
        used.put(name, value);
        if (used.size() + seen.size() > limit) {
            removeFirst(seen.isEmpty() ? used : seen);
        }
    }

    private static void removeFirst(Map<String, ?> values) {
        Iterator<String> names = values.keySet().iterator();
        names.next();
        names.remove();
    }

    /** Of something that was merely seen. It pushes nothing out, and goes first. */
    void putIfRoom(String name, V value) {
        if (used.replace(name, value) == null && (seen.containsKey(name) || used.size() + seen.size() < limit)) {
            seen.put(name, value);
        }
    }

    void removeAll(Collection<String> names) {
        names.forEach(name -> {
            used.remove(name);
            seen.remove(name);
        });
    }

    void clear() {
        used.clear();
        seen.clear();
    }
}
