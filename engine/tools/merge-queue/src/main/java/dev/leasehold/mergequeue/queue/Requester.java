package dev.leasehold.mergequeue.queue;

/**
 * In whose name an event happens.
 *
 * @param name of the credentials; empty for none
 * @param mayEndOthers whether it may end requests of others
 */
public record Requester(String name, boolean mayEndOthers) {

    /** How long the name of credentials may be, in UTF-8. */
    public static final int NAME_BYTES_MAX = 100;

    /** Of a service that asks for no credentials. */
    public static final Requester ANY = new Requester("", true);

    boolean owns(PendingRequest request) {
        return request.by().equals(name);
    }

    boolean mayEnd(PendingRequest request) {
        return mayEndOthers || owns(request);
    }
}
