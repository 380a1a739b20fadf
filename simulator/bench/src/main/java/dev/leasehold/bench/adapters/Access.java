package dev.leasehold.bench.adapters;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import org.jspecify.annotations.Nullable;

/**
 * How a contestant comes to its servers: always by a client of its own, with the driver's default settings, and writes that wait for a
 * majority whatever the set does by default.
 *
 * @param place where they are
 * @param listener hears of every command; null for none
 */
public record Access(ServerAddresses place, @Nullable CommandListener listener) {

    /** {@return access without a listener} */
    public static Access to(ServerAddresses place) {
        return new Access(place, null);
    }

    /** {@return a new client, to be closed by the caller} */
    public MongoClient newClient() {
        MongoClientSettings.Builder settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(place.mongo()))
                .writeConcern(WriteConcern.MAJORITY);
        if (listener != null) {
            settings.addCommandListener(listener);
        }
        return MongoClients.create(settings.build());
    }

    String database() {
        return place.database();
    }
}
