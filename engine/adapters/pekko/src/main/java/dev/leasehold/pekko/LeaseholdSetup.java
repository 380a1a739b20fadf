package dev.leasehold.pekko;

import com.mongodb.client.MongoClient;
import org.apache.pekko.actor.setup.Setup;

/**
 * Hands the application's MongoDB client to the leases of an actor system. It is used by every lease whose {@code connection-string} is
 * empty, and never closed here: close it after the actor system has terminated.
 *
 * <p>The client is the one whose sessions carry the {@linkplain LeaseholdLease#assertion() assertion}, so hand it over where singletons or
 * entities gate transactions of their own.
 */
public final class LeaseholdSetup extends Setup {

    private final MongoClient client;

    private LeaseholdSetup(MongoClient client) {
        this.client = client;
    }

    /**
     * Goes into the {@code ActorSystemSetup} with which an actor system is created.
     *
     * @param client of the application, which closes it
     * @return the setup
     * @throws IllegalArgumentException if the client is null
     */
    public static LeaseholdSetup of(MongoClient client) {
        if (client == null) {
            throw new IllegalArgumentException("client null is refused: leave the setup out where there is none");
        }
        return new LeaseholdSetup(client);
    }

    MongoClient client() {
        return client;
    }
}
