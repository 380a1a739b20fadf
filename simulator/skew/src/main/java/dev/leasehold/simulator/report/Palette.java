package dev.leasehold.simulator.report;

import java.util.LinkedHashMap;
import java.util.Map;

/** A colour for each holder, in the order in which they come up. */
final class Palette {

    private static final int COLOURS = 6;

    private final Map<String, Integer> holders = new LinkedHashMap<>();

    /** The class name of what is filled with a holder's colour. */
    String fill(String holder) {
        return "h" + index(holder);
    }

    /** The class name of text on that. */
    String ink(String holder) {
        return "i" + index(holder);
    }

    Iterable<String> holders() {
        return holders.keySet();
    }

    private int index(String holder) {
        holders.putIfAbsent(holder, holders.size());
        return holders.get(holder) % COLOURS;
    }
}
