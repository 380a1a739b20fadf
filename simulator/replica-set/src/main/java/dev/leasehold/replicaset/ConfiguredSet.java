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

    /**
     * Neither the value nor the words of the driver, which repeat parts of it, are shown: it may hold a password. One with a '/' or '?'
     * ends for the driver there, and its beginning would be shown as a port.
     */
    private static String hosts(String uri) {
        try {
            ConnectionString connection = new ConnectionString(uri);
            if (connection.getUsername() != null || uri.indexOf('@') < 0) {
                return String.join(",", connection.getHosts());
            }
        } catch (IllegalArgumentException e) {
            // Refused below.
        }
        throw new ReplicaSetUnavailableException(
                ("%s is refused: it must be mongodb://[USER:PASSWORD@]HOST[:PORT][,...][/DATABASE][?OPTIONS] or mongodb+srv://...,"
                                + " with special characters in names, passwords and options as %%XX. It is not shown here")
                        .formatted(VARIABLE));
    }
}
