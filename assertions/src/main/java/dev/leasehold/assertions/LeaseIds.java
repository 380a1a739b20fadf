package dev.leasehold.assertions;

/**
 * The {@code _id} of each kind of document that Leasehold stores. They share one collection.
 *
 * <table>
 *   <caption>Ids</caption>
 *   <tr><th>document</th><th>{@code _id}</th></tr>
 *   <tr><td>clock document of a namespace</td><td>{@code <namespace>}</td></tr>
 *   <tr><td>lease document</td><td>{@code <namespace>#<name>}</td></tr>
 *   <tr><td>gate stripe of a lease, by its number</td><td>{@code <namespace>!<stripe>#<name>}</td></tr>
 * </table>
 *
 * <p>Two different documents never share an id, whatever the lease is called: a namespace has neither {@code #} nor {@code
 * !}, so the first of them in an id ends the namespace and tells the kind.
 *
 * <p>All methods are pure and may be called by any thread.
 */
public final class LeaseIds {

    /** The most gate stripes that a lease can have. */
    public static final int STRIPES_MAX = 64;

    private static final char NAME_FOLLOWS = '#';
    private static final char STRIPE_FOLLOWS = '!';

    private LeaseIds() {}

    /**
     * The id of a namespace's clock document.
     *
     * @param namespace a namespace, as {@link LeaseNames#checkNamespace} allows it
     * @return the id
     * @throws IllegalArgumentException if the namespace breaks its rule
     */
    public static String clockId(String namespace) {
        return LeaseNames.checkNamespace(namespace);
    }

    /**
     * The id of a lease document.
     *
     * @param namespace a namespace, as {@link LeaseNames#checkNamespace} allows it
     * @param name the lease's name, as {@link LeaseNames#checkName} allows it
     * @return the id
     * @throws IllegalArgumentException if the namespace or the name breaks its rule
     */
    public static String leaseId(String namespace, String name) {
        return LeaseNames.checkNamespace(namespace) + NAME_FOLLOWS + LeaseNames.checkName(name);
    }

    /**
     * The id of one of the gate stripes of a lease.
     *
     * @param namespace a namespace, as {@link LeaseNames#checkNamespace} allows it
     * @param name the lease's name, as {@link LeaseNames#checkName} allows it
     * @param stripe its number, 1 to {@value #STRIPES_MAX}
     * @return the id
     * @throws IllegalArgumentException if one of the three breaks its rule
     */
    public static String stripeId(String namespace, String name, int stripe) {
        if (stripe < 1 || stripe > STRIPES_MAX) {
            throw new IllegalArgumentException(
                    "gate stripe " + stripe + " is refused: it must be 1 to " + STRIPES_MAX);
        }
        return LeaseNames.checkNamespace(namespace) + STRIPE_FOLLOWS + stripe + NAME_FOLLOWS + LeaseNames.checkName(name);
    }

    /**
     * Checks how many gate stripes a lease is to have.
     *
     * @param stripes 0 to {@value #STRIPES_MAX}; 0 for none
     * @return the same number
     * @throws IllegalArgumentException if there are fewer or more
     */
    public static int checkStripes(int stripes) {
        if (stripes < 0 || stripes > STRIPES_MAX) {
            throw new IllegalArgumentException(
                    "gate stripes " + stripes + " is refused: it must be 0, for none, to " + STRIPES_MAX);
        }
        return stripes;
    }
}
