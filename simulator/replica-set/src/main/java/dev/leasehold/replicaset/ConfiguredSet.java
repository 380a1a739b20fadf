package dev.leasehold.replicaset;

import com.mongodb.ConnectionString;
import dev.leasehold.replicaset.StartAttempt.Found;
import dev.leasehold.replicaset.StartAttempt.NotFound;

/** The replica set that the user named. */
final class ConfiguredSet implements MongodSource {

    static final String VARIABLE = "LEASEHOLD_MONGODB_URI";

    private final HostEnvironment hostEnvironment;

    ConfiguredSet(HostEnvironment hostEnvironment) {
        this.hostEnvironment = hostEnvironment;
    }

    @Override
    public String name() {
        return VARIABLE;
    }

    @Override
    public StartAttempt attempt(ReplicaSetSettings settings) {
        return hostEnvironment
                .variable(VARIABLE)
                .<StartAttempt>map(uri -> found(uri, settings))
                .orElseGet(() -> new NotFound("not set (URI of an existing replica set)"));
    }

    private static Found found(String uri, ReplicaSetSettings settings) {
        String hosts = hosts(uri);
        if (settings.needProcesses()) {
            throw new ReplicaSetUnavailableException(
                    "%s names an existing replica set at %s, which is taken as it is: %s cannot be had with it"
                            .formatted(VARIABLE, hosts, settings.wishes()));
        }
        return new Found(new Server.Existing(uri), "the existing replica set of %s at %s".formatted(VARIABLE, hosts));
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
