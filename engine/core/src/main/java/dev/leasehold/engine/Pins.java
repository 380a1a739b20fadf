package dev.leasehold.engine;

import java.util.Set;
import java.util.TreeSet;

/** Pins in words. */
final class Pins {

    private Pins() {}

    static String describe(Set<String> pins) {
        return pins.isEmpty() ? "" : ", pinned by '" + String.join("', '", new TreeSet<>(pins)) + "'";
    }
}
