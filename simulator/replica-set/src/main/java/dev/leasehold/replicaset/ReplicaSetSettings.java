package dev.leasehold.replicaset;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a replica set of one's own is started. Immutable: each method gives a changed copy.
 *
 * <pre>{@code
 * ReplicaSet.start(ReplicaSetSettings.ofNodes(3)
 *         .withAuthentication()
 *         .withParameter("transactionLifetimeLimitSeconds", "5"));
 * }</pre>
 *
 * @param nodes 1 or 3
 * @param authentication whether clients must authenticate, so that each has only the rights of its user
 * @param parameters of each server process, by name; immutable
 */
public record ReplicaSetSettings(int nodes, boolean authentication, Map<String, String> parameters) {

    /**
     * Checks the settings, and keeps a copy of the parameters.
     *
     * @param nodes 1 or 3
     * @param authentication whether clients must authenticate
     * @param parameters of each server process, by name
     * @throws IllegalArgumentException if the number of nodes is neither 1 nor 3, or if the name of a parameter is blank
     */
    public ReplicaSetSettings {
        if (nodes != 1 && nodes != 3) {
            throw new IllegalArgumentException("nodes must be 1 or 3, is " + nodes);
        }
        if (parameters.keySet().stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("a parameter must have a name, but one of " + parameters + " has none");
        }
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    /**
     * A set that every client may use, with the parameters of this package.
     *
     * @param nodes 1 or 3
     * @return the settings
     * @throws IllegalArgumentException if it is another number
     */
    public static ReplicaSetSettings ofNodes(int nodes) {
        return new ReplicaSetSettings(nodes, false, Map.of());
    }

    /**
     * With authentication. {@link ReplicaSet#uri()} and {@link ReplicaSet#client()} are those of an administrator with
     * all rights then; {@link TestDatabase#newUser} makes users with fewer.
     *
     * @return a changed copy
     */
    public ReplicaSetSettings withAuthentication() {
        return new ReplicaSetSettings(nodes, true, parameters);
    }

    /**
     * With a parameter of each server process, as {@code --setParameter} takes it. Nodes that are restarted have it too.
     *
     * @param name as the server knows it, such as {@code transactionLifetimeLimitSeconds}; one that it does not know keeps
     *     it from starting
     * @param value replaces an earlier one, also one that this package sets by itself
     * @return a changed copy
     * @throws IllegalArgumentException if the name is blank
     */
    public ReplicaSetSettings withParameter(String name, String value) {
        Map<String, String> changed = new LinkedHashMap<>(parameters);
        changed.put(name, value);
        return new ReplicaSetSettings(nodes, authentication, changed);
    }

    /** Whether only a server that is started for this set alone will do. */
    boolean needProcesses() {
        return authentication || !parameters.isEmpty();
    }

    /** What they are, but for the number of nodes; completes the sentence "... cannot be had with ...". */
    String wishes() {
        return authentication && !parameters.isEmpty()
                ? "authentication and server parameters " + parameters
                : authentication ? "authentication" : "server parameters " + parameters;
    }
}
