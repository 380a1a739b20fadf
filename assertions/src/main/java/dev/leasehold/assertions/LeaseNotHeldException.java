package dev.leasehold.assertions;

/**
 * A tenure does not stand. Neither work that was about to begin under it nor a transaction that asserted it may go on.
 *
 * <p>An assertion throws it if the tenure does not stand as its transaction sees the database. The engine's {@code
 * Lease.requireHeld()} throws it, without I/O, if this process may no longer act as holder.
 *
 * <p>After an assertion the transaction does not commit, also if its body catches this exception and goes on; see
 * {@link LeaseAssertion#check}. As a rule its work belongs to a tenure that is over, and a repetition with the same
 * tenure ends in the same way. To go on, acquire the lease again and begin the work from the start, under the new
 * tenure. There are two exceptions. A transaction whose snapshot is older than the tenure does not see it; the next one
 * does. And if the message names a gate stripe and shows the lease held under this very tenure, that stripe is missing
 * or damaged, or there are fewer stripes than were asked for; the next transaction may use another one.
 *
 * <p>It is no exception of the driver and has no label, so {@link com.mongodb.client.ClientSession#withTransaction}
 * aborts the transaction and throws it. If the body has caught it, {@code withTransaction} throws it in place of
 * committing. The message has the tenure and what was found in its place; if that could not be read, {@link
 * #getSuppressed()} has the reason.
 */
public final class LeaseNotHeldException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** The tenure that does not stand. */
    private final Tenure tenure;

    /**
     * For assertions, for leases, and for tests that need one.
     *
     * @param tenure the tenure that does not stand
     * @param found why not, or what was found in its place: the end of the message
     */
    public LeaseNotHeldException(Tenure tenure, String found) {
        super("Lease " + Quoted.of(tenure.name())
                + " of namespace " + Quoted.of(LeaseIds.namespaceOf(tenure.namespace()))
                + " is not held by " + Quoted.of(tenure.holder())
                + " under token " + tenure.token()
                + ": " + found);
        this.tenure = tenure;
    }

    /**
     * The tenure that does not stand.
     *
     * @return the tenure that was asserted or required
     */
    public Tenure tenure() {
        return tenure;
    }
}
