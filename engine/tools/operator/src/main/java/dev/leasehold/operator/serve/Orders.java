package dev.leasehold.operator.serve;

/** What the page may do besides showing. Each says in a sentence what came of it, and never throws. */
public interface Orders {

    /** Pins a lease for an entity. */
    String pin(String lease, String entity);

    /** Takes an entity's pin away. */
    String unpin(String lease, String entity);

    /**
     * Ends the tenure of a lease, or the time for which it is kept free after that.
     *
     * @param token of the tenure that was shown: another one is not ended
     */
    String forceExpire(String lease, long token, String reason);
}
