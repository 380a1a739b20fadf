package dev.leasehold.bench.adapters;

import com.mongodb.client.MongoClient;
import dev.leasehold.engine.LeaseEngine;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the servers are that contestants use. Can be handed to another process.
 *
 * @param mongo the URI of the replica set
 * @param database where everything is kept
 * @param etcd the end points of etcd, separated by commas; null if there is none
 * @param zooKeeper the end points of ZooKeeper, separated by commas; null if there is none
 * @param redis the address of Redis; null if there is none
 * @param postgres the URL for JDBC of a database of PostgreSQL, with the user in it; null if there is none
 */
public record ServerAddresses(
        String mongo,
        String database,
        @Nullable String etcd,
        @Nullable String zooKeeper,
        @Nullable String redis,
        @Nullable String postgres) {

    private static final String NONE = "-";
    private static final int PARTS = 6;

    /** {@return the same servers, with another database} */
    public ServerAddresses in(String otherDatabase) {
        return new ServerAddresses(mongo, otherDatabase, etcd, zooKeeper, redis, postgres);
    }

    /** {@return a new engine with its default settings in this database, to be closed by the caller} */
    public LeaseEngine newEngine(MongoClient client, String namespace) {
        return LeaseEngine.builder(client)
                .database(database)
                .namespace(namespace)
                .build();
    }

    /** {@return arguments from which {@link #parse} makes it again} */
    public List<String> arguments() {
        return List.of(mongo, database, orNone(etcd), orNone(zooKeeper), orNone(redis), orNone(postgres));
    }

    /**
     * Reads what {@link #arguments()} wrote.
     *
     * @throws IllegalArgumentException if there are more or fewer
     */
    public static ServerAddresses parse(List<String> arguments) {
        if (arguments.size() != PARTS) {
            throw new IllegalArgumentException(arguments.size() + " arguments are refused: a place has " + PARTS);
        }
        return new ServerAddresses(
                arguments.get(0),
                arguments.get(1),
                orNull(arguments.get(2)),
                orNull(arguments.get(3)),
                orNull(arguments.get(4)),
                orNull(arguments.get(5)));
    }

    /**
     * The address of a server that has to be there.
     *
     * @throws IllegalStateException if it is not
     */
    static <T> T needed(@Nullable T address, String server) {
        return Optional.ofNullable(address)
                .orElseThrow(() -> new IllegalStateException("there is no " + server + " in this run"));
    }

    private static String orNone(@Nullable String address) {
        return address == null ? NONE : address;
    }

    private static @Nullable String orNull(String argument) {
        return argument.equals(NONE) ? null : argument;
    }
}
