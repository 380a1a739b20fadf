package dev.leasehold.replicaset;

import java.util.List;
import org.bson.Document;

/**
 * What a {@link DatabaseUser} may do, and where in its database.
 *
 * @param collection the name of a collection, or the empty name for the database with all its collections
 * @param actions as the server knows them, such as {@code find} and {@code listCollections}; immutable
 */
public record Privilege(String collection, List<String> actions) {

    /**
     * Keeps a copy of the actions.
     *
     * @param collection the name of a collection, or the empty name
     * @param actions as the server knows them
     */
    public Privilege {
        actions = List.copyOf(actions);
    }

    /**
     * Actions on one collection, which need not exist yet.
     *
     * @param collection its name
     * @param actions such as {@code find}, {@code insert}, {@code update}, {@code remove}
     * @return the privilege
     */
    public static Privilege onCollection(String collection, String... actions) {
        return new Privilege(collection, List.of(actions));
    }

    /**
     * Actions on the database itself, and on all its collections.
     *
     * @param actions such as {@code listCollections}
     * @return the privilege
     */
    public static Privilege onDatabase(String... actions) {
        return new Privilege("", List.of(actions));
    }

    Document in(String database) {
        return new Document("resource", new Document("db", database).append("collection", collection))
                .append("actions", actions);
    }
}
