package dev.leasehold.operator.doctor;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;

/**
 * Where the leases are that are looked at.
 *
 * @param client of the servers
 * @param database of the leases
 * @param collection of the leases
 * @param namespace of the leases
 * @param timeout for each command on the server
 */
public record LeaseLocation(
        MongoClient client, String database, String collection, String namespace, Duration timeout) {

    /** A command for the database of the leases. */
    Document run(Document command) {
        return of(database).runCommand(command, ReadPreference.primary());
    }

    /** A command for the server as a whole. */
    Document admin(Document command) {
        return of("admin").runCommand(command, ReadPreference.primary());
    }

    List<Document> currentOperations(boolean allUsers, Document match) {
        return of("admin")
                .aggregate(List.of(
                        new Document("$currentOp", new Document("idleSessions", true).append("allUsers", allUsers)),
                        new Document("$match", match)))
                .maxTime(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .into(new ArrayList<>());
    }

    private MongoDatabase of(String name) {
        return client.getDatabase(name)
                .withReadPreference(ReadPreference.primary())
                .withReadConcern(ReadConcern.LOCAL);
    }

    String fullName() {
        return database + "." + collection;
    }
}
