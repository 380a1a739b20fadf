package dev.leasehold.simulator.store;

/** The ids of documents. Those of clock, leases and stripes are the real ones. */
final class Ids {

    /** No namespace begins like that. */
    private static final String CALLERS = "!";

    private Ids() {}

    /** A stripe of the lease whose document has that id. */
    static String stripeOf(String leaseId, int stripe) {
        int mark = leaseId.indexOf('#');
        return leaseId.substring(0, mark) + '!' + stripe + leaseId.substring(mark);
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

    static String ofCaller(String document) {
        return CALLERS + document;
    }

    static String nameOfCallers(String id) {
        return id.substring(CALLERS.length());
    }

    static boolean isOfCaller(String id) {
        return id.startsWith(CALLERS);
    }

    static boolean isOfClock(String id) {
        return id.indexOf('#') < 0 && !isOfQueue(id) && !isOfCaller(id);
    }

    /** The tickets of a lease. The first mark of an id tells its kind, since a name may have any of them. */
    static boolean isOfQueue(String id) {
        int mark = id.indexOf('&');
        int other = id.indexOf('#');
        return mark > 0 && (other < 0 || mark < other) && !isOfCaller(id);
    }

    static String nameOfQueue(String id) {
        return id.substring(id.indexOf('&') + 1);
    }

    static boolean isOfLease(String id) {
        return id.indexOf('#') > 0 && !isOfStripe(id) && !isOfRecord(id) && !isOfQueue(id);
    }

    /** Of an occurrence of the work of a lease. */
    static boolean isOfRecord(String id) {
        int mark = id.indexOf('%');
        return mark > 0 && mark < id.indexOf('#') && !isOfQueue(id);
    }

    static boolean isOfStripe(String id) {
        int mark = id.indexOf('!');
        return mark > 0 && mark < id.indexOf('#') && !isOfQueue(id);
    }
}
