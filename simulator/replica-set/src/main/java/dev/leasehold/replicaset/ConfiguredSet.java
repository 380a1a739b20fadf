package dev.leasehold.replicaset;

import com.mongodb.ConnectionString;
import dev.leasehold.replicaset.Attempt.Found;
import dev.leasehold.replicaset.Attempt.NotFound;

/** The replica set that the user named. */
final class ConfiguredSet implements Way {

    static final String VARIABLE = "LEASEHOLD_MONGODB_URI";

    private final Surroundings surroundings;

    ConfiguredSet(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public String name() {
        return VARIABLE;
    }

    @Override
    public Attempt attempt(int nodes) {
        return surroundings
                .variable(VARIABLE)
                .<Attempt>map(uri -> new Found(
                        new Server.Existing(uri),
                        "the existing replica set of %s at %s".formatted(VARIABLE, hosts(uri))))
                .orElseGet(() -> new NotFound("not set (URI of an existing replica set)"));
    }

    private static String hosts(String uri) {
        try {
            return String.join(",", new ConnectionString(uri).getHosts());
        } catch (IllegalArgumentException e) {
            // Not the value itself: it may hold a password.
            throw new ReplicaSetUnavailableException("%s is not a MongoDB URI: %s".formatted(VARIABLE, e.getMessage()));
        }
    }
}
