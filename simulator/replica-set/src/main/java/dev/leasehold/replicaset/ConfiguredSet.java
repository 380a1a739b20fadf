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
        ConnectionString connection;
        try {
            connection = new ConnectionString(uri);
        } catch (IllegalArgumentException e) {
            // Neither the value nor the words of the driver, which repeat parts of it: one may be of a password.
            throw new ReplicaSetUnavailableException(
                    ("%s is no MongoDB URI: it must begin with mongodb:// or mongodb+srv:// and have special characters of user"
                                    + " and password as %%XX. It is not shown here")
                            .formatted(VARIABLE));
        }
        String database = connection.getDatabase();
        if (database != null && database.indexOf('@') >= 0) {
            throw new ReplicaSetUnavailableException(
                    "%s is refused: a '/' or '@' in a user or password must be written as %%XX. It is not shown here"
                            .formatted(VARIABLE));
        }
        return String.join(",", connection.getHosts());
    }
}
