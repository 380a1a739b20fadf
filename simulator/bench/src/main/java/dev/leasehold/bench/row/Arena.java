package dev.leasehold.bench.row;

import com.mongodb.client.MongoClient;
import dev.leasehold.bench.adapters.Access;
import dev.leasehold.bench.adapters.Library;
import dev.leasehold.bench.adapters.ServerAddresses;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Where a run takes place: the servers, and databases of its own, which it drops in the end. Used by one thread. */
public final class Arena implements AutoCloseable {

    private final ServerAddresses place;
    private final MongoClient client;
    private final List<String> databases;

    /** An arena in the database of the place. */
    public Arena(ServerAddresses place) {
        this(place, List.of(place.database()));
    }

    /** In the end these are dropped, and those that were added. */
    Arena(ServerAddresses place, List<String> databases) {
        this.place = place;
        this.client = Access.to(place).newClient();
        this.databases = new ArrayList<>(databases);
    }

    ServerAddresses place() {
        return place;
    }

    Access access() {
        return Access.to(place);
    }

    MongoClient client() {
        return client;
    }

    /** {@return a place with a database that was never used, whose name ends so} */
    ServerAddresses freshPlace(String suffix) {
        ServerAddresses fresh = place.in(place.database() + "_" + suffix);
        databases.add(fresh.database());
        return fresh;
    }

    /** {@return those of them whose servers are there} */
    List<Library> present(Library... libraries) {
        return Stream.of(libraries).filter(library -> library.isThere(place)).toList();
    }

    @Override
    public void close() {
        // The driver does nothing for a thread that is interrupted, and what is left behind stays.
        Thread.interrupted();
        databases.forEach(name -> client.getDatabase(name).drop());
        client.close();
    }
}
