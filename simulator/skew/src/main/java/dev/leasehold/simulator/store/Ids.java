package dev.leasehold.simulator.store;

import java.util.Arrays;
import java.util.Comparator;

/** Under which ids documents lie. Those of clock and leases are the real ones. */
final class Ids {

    /** By code points, as the server has them, and not by the halves in which Java keeps some. */
    static final Comparator<String> AS_STORED = (one, other) -> Arrays.compare(
            one.codePoints().toArray(), other.codePoints().toArray());

    private static final String CALLERS = "!";

    private Ids() {}

    static String lease(String namespace, String name) {
        return namespace + '#' + name;
    }

    /** What comes after all ids of the namespace's leases. */
    static String behindLeases(String namespace) {
        return namespace + '$';
    }

    static String stripe(String namespace, String name, int stripe) {
        return namespace + '!' + stripe + '#' + name;
    }

    /** Of the document itself, or of a stripe. */
    static String nameOfLease(String id) {
        return id.substring(id.indexOf('#') + 1);
    }

    static int numberOfStripe(String id) {
        return Integer.parseInt(id.substring(id.indexOf('!') + 1, id.indexOf('#')));
    }

    /** No namespace begins like that. */
    static String ofCaller(String document) {
        return CALLERS + document;
    }

    static String nameOfCallers(String id) {
        return id.substring(CALLERS.length());
    }
}
