package dev.leasehold.mergequeue.store;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/**
 * The writes that a replica left open, since it was killed or frozen in the middle. Each blocks the lease of its provider until the server
 * ends it, for 60 to 90 s, so that no other replica can take over. Known by the name of {@link ServiceClient} and by how long nothing was
 * sent in it, which is longer than a write may take: the writes of a replica that works end before. If one was only slow, it is run again.
 *
 * <p>Needs no right: the server shows, and lets end, the transactions of the same database user. Safe for use by many threads.
 */
final class LeftWrites {

    private static final BsonDocument SESSIONS =
            BsonDocument.parse("{$currentOp: {idleSessions: true, allUsers: false}}");

    private final MongoDatabase admin;
    private final BsonDocument left;

    /**
     * Sends nothing.
     *
     * @param limit for each command
     * @param longest how long a write may take, all in all
     */
    LeftWrites(MongoClient client, Duration limit, Duration longest) {
        this.admin = client.getDatabase("admin")
                .withReadConcern(ReadConcern.LOCAL)
                .withReadPreference(ReadPreference.primary())
                .withTimeout(limit.toMillis(), TimeUnit.MILLISECONDS);
        this.left = new BsonDocument(
                "$match",
                BsonDocument.parse("{type: 'idleSession', 'clientMetadata.driver.name': {$regex: '(^|[|])"
                                + ServiceClient.NAME + "([|]|$)'}}")
                        .append(
                                "transaction.timeInactiveMicros",
                                new BsonDocument(
                                        "$gt", new BsonInt64(TimeUnit.NANOSECONDS.toMicros(longest.toNanos())))));
    }

    /**
     * Ends them. Blocks for one command, and for a second one if there are any.
     *
     * @return how many there were
     */
    int end() {
        BsonArray sessions = new BsonArray();
        List<BsonDocument> found =
                admin.aggregate(List.of(SESSIONS, left), BsonDocument.class).into(new ArrayList<>());
        for (BsonDocument operation : found) {
            sessions.add(new BsonDocument("id", operation.getDocument("lsid").get("id")));
        }
        if (!sessions.isEmpty()) {
            admin.runCommand(new BsonDocument("killSessions", sessions), BsonDocument.class);
        }
        return sessions.size();
    }
}
