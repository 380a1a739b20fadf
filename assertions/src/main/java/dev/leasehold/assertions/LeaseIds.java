package dev.leasehold.assertions;

/**
 * The {@code _id} of each kind of document that Leasehold stores. They share one collection.
 *
 * <table>
 *   <caption>Ids</caption>
 *   <tr><th>document</th><th>{@code _id}</th></tr>
 *   <tr><td>clock document of a namespace</td><td>{@code <namespace>}</td></tr>
 *   <tr><td>lease document</td><td>{@code <namespace>#<name>}</td></tr>
 * </table>
 *
 * <p>Two different documents never share an id, whatever the lease is called: a namespace has no {@code #}, so the
 * first one in an id ends the namespace. The character {@code !} is kept free for a further kind of document in the
 * same way.
 *
 * <p>All methods are pure and may be called by any thread.
 */
public final class LeaseIds {

    private static final char NAME_FOLLOWS = '#';

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
}
