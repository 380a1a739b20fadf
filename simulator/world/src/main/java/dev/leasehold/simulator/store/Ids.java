package dev.leasehold.simulator.store;

import java.util.Arrays;
import java.util.Comparator;

/** Under which ids documents lie. Those of clock and leases are the real ones. */
final class Ids {

    /** By code points, as the server has them, and not by the halves in which Java keeps some. */
    static final Comparator<String> AS_STORED = (one, other) ->
            Arrays.compare(one.codePoints().toArray(), other.codePoints().toArray());

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

    /** A stripe of the lease whose document has that id. */
    static String stripeOf(String leaseId, int stripe) {
        int mark = leaseId.indexOf('#');
        return stripe(leaseId.substring(0, mark), leaseId.substring(mark + 1), stripe);
    }

    /** Of the document itself, or of a stripe. */
    static String nameOfLease(String id) {
        return id.substring(id.indexOf('#') + 1);
    }

    /** Which clock document of its namespace that is, from 0. */
    static int partitionOfClock(String id) {
        int mark = id.indexOf('~');
        return mark < 0 ? 0 : Integer.parseInt(id, mark + 1, id.length(), 10);
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
