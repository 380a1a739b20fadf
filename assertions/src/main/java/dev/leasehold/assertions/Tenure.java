package dev.leasehold.assertions;

import java.io.Serializable;

/**
 * One uninterrupted holding of a lease. An immutable value, which may be handed to other threads and sent to other
 * processes.
 *
 * <p>The token tells the tenures of one lease apart. It grows with each of them, also across release, expiry and
 * removal, and when the same holder comes back. So equal tenures are the same holding, and the one with the greater
 * token is the later one. Tokens of different leases say nothing about each other.
 *
 * <p>A tenure that exists as a value need not be held any more. {@link LeaseAssertion} finds that out where it matters.
 *
 * <p>Use it as the engine returns it. In a namespace with partitions it names the partition of the lease, such as
 * {@code orders~3}, so that its document can be found by the tenure alone. A tenure that was made up with another
 * partition stands for nothing: its assertion never holds, and engines refuse it.
 *
 * @param namespace the namespace or the partition of one, as {@link LeaseNames#checkPartition} allows it; {@link
 *     LeaseIds#namespaceOf} tells the namespace of either
 * @param name the lease's name, as {@link LeaseNames#checkName} allows it
 * @param holder the holder, as {@link LeaseNames#checkHolder} allows it
 * @param token the fencing token, 1 or more
 * @serial exclude
 */
public record Tenure(String namespace, String name, String holder, long token) implements Serializable {

    /**
     * Checks the four parts, in their order.
     *
     * @param namespace the namespace, or the partition of one
     * @param name the lease's name
     * @param holder the holder
     * @param token the fencing token
     * @throws IllegalArgumentException if one of them breaks its rule; the message shows it
     */
    public Tenure {
        LeaseNames.checkPartition(namespace);
        LeaseNames.checkName(name);
        LeaseNames.checkHolder(holder);
        checkToken(token);
    }

    /**
     * The {@code _id} of the lease document.
     *
     * @return the id, see {@link LeaseIds#leaseId}
     */
    public String leaseId() {
        return LeaseIds.leaseId(namespace, name);
    }

    // Both as in any record. Generated, they are slow until the JVM has fully optimised them.

    @Override
    public boolean equals(Object other) {
        return other instanceof Tenure that
                && token == that.token
                && holder.equals(that.holder)
                && name.equals(that.name)
                && namespace.equals(that.namespace);
    }

    @Override
    public int hashCode() {
        return ((namespace.hashCode() * 31 + name.hashCode()) * 31 + holder.hashCode()) * 31 + Long.hashCode(token);
    }

    /** As of any record, with escapes for what cannot be seen. */
    @Override
    public String toString() {
        return "Tenure[namespace=" + namespace + ", name=" + Quoted.visible(name) + ", holder=" + Quoted.visible(holder)
                + ", token=" + token + "]";
    }

    static long checkToken(long token) {
        if (token < 1) {
            throw new IllegalArgumentException("token " + token + " is refused: it must be 1 or more");
        }
        return token;
    }
}
