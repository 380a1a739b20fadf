package dev.leasehold.simulator.store;

/** Under which ids documents lie. Those of clock and leases are the real ones. */
final class Ids {

    private static final String CALLERS = "!";

    private Ids() {}

    static String lease(String namespace, String name) {
        return namespace + '#' + name;
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

    // ---- what lies there ----

    static boolean isOfCaller(String id) {
        return id.startsWith(CALLERS);
    }

    static boolean isOfClock(String id) {
        return id.indexOf('#') < 0 && !isOfCaller(id);
    }

    static boolean isOfStripe(String id) {
        int mark = id.indexOf('!');
        return mark > 0 && mark < id.indexOf('#');
    }
}
