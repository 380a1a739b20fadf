package dev.leasehold.engine.internal.rules;

import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A bounded map by name that distinguishes entries that were used from entries that were only seen. An entry that was
 * only seen is kept while there is room, and is dropped first.
 */
final class LruCache<V> {

    private final int limit;

    /** Least recently used first. */
    private final Map<String, V> used = new LinkedHashMap<>();

    /** Least recently seen first. */
    private final Map<String, V> seen = new LinkedHashMap<>();

    LruCache(int limit) {
        this.limit = limit;
    }

    @Nullable V peek(String name) {
        V value = used.get(name);
        return value == null ? seen.get(name) : value;
    }

    @Nullable V get(String name) {
        V value = peek(name);
        if (value != null) {
            put(name, value);
        }
        return value;
    }

    boolean any(Predicate<? super V> predicate) {
        return used.values().stream().anyMatch(predicate)
                || seen.values().stream().anyMatch(predicate);
    }

    /** Adds or replaces an entry and counts as a use of it. */
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

    /** Adds or replaces an entry without a use of it. It drops no other entry. */
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
