package dev.leasehold.simulator.store;

/** Under which ids documents lie. Those of clock and leases are the real ones. */
final class Ids {

    private static final String CALLERS = "!";

    private Ids() {}

    static String lease(String namespace, String name) {
        return namespace + '#' + name;
    }

    /** What comes after all ids of the namespace's leases. */
    static String behindLeases(String namespace) {
        return namespace + '$';
    }

    static boolean isLease(String id) {
        return id.indexOf('#') >= 0;
    }

    static String nameOfLease(String id) {
        return id.substring(id.indexOf('#') + 1);
    }

    /** No namespace begins like that. */
    static String ofCaller(String document) {
        return CALLERS + document;
    }

    static String nameOfCallers(String id) {
        return id.substring(CALLERS.length());
    }
}
