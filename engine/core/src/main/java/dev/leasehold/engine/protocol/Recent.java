package dev.leasehold.engine.protocol;

import java.util.LinkedHashMap;
import java.util.Map;

/** What was touched last, by name. */
final class Recent<V> extends LinkedHashMap<String, V> {

    private static final long serialVersionUID = 1L;

    private final int limit;

    Recent(int limit) {
        super(16, 0.75f, true);
        this.limit = limit;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
        return size() > limit;
    }
}
