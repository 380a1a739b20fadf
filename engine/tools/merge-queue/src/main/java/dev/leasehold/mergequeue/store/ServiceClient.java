package dev.leasehold.mergequeue.store;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoDriverInformation;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;

/** The client of a replica. The database shows its transactions under the name of this service, whatever the URI says. */
public final class ServiceClient {

    /** As one of the names of the driver, between bars. */
    static final String NAME = "leasehold-merge-queue";

    private ServiceClient() {}

    /**
     * Makes a client. Sends nothing that is waited for.
     *
     * @param settings of the client
     * @return to be closed by the caller
     */
    public static MongoClient open(MongoClientSettings settings) {
        return MongoClients.create(
                settings, MongoDriverInformation.builder().driverName(NAME).build());
    }
}
