package dev.leasehold.assertions;

/**
 * A tenure does not stand: neither the work that was about to begin under it nor the transaction that asserted it may go on.
 *
 * <p>An assertion throws it for a tenure that does not stand as its transaction sees the database. The engine's {@code Lease.requireHeld()}
 * throws it, without asking the database, when this process may no longer act as holder.
 *
 * <p>After an assertion: the transaction does not commit, also if its body catches this and goes on; see {@link LeaseAssertion#check}. As
 * a rule its work belongs to a tenure that is over, and running it again with the same tenure leads
 * to the same end: to go on, claim the lease anew and begin the work from the start, under the new tenure. It is otherwise in two cases. A
 * transaction whose snapshot is older than the tenure does not see it; the next one does. And where the message names a gate stripe and
 * shows the lease held under this very tenure, it is that stripe which is missing or damaged, or there are fewer of them than were asked
 * for; another transaction may get another one.
 *
 * <p>It is none of the driver's exceptions and has no label, so that {@link
 * com.mongodb.client.ClientSession#withTransaction} aborts the transaction and passes it on; where the body has caught it, {@code
 * withTransaction} throws it in place of committing. The message has the tenure
 * and what was found in its place. If that could not be read, the message says so and {@link #getSuppressed()} has the
 * reason.
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
