package dev.leasehold.replicaset;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.bson.Document;

/**
 * Ends the transactions that clients left open. The server would keep their documents locked for a minute, and a
 * database with a locked document cannot be dropped.
 */
final class OpenTransactions {

    private OpenTransactions() {}

    /**
     * Ends them.
     *
     * @param ofAllUsers whether clients may have been other users than this one; that takes rights of an administrator
     */
    static void end(MongoClient client, Collection<String> appNames, boolean ofAllUsers) {
        MongoDatabase admin = client.getDatabase("admin");
        List<Document> sessions = admin.aggregate(List.of(
                        new Document("$currentOp", new Document("idleSessions", true).append("allUsers", ofAllUsers)),
                        new Document(
                                "$match",
                                new Document("appName", new Document("$in", List.copyOf(appNames)))
                                        .append("transaction.parameters.txnNumber", new Document("$exists", true))),
                        // Without the user's digest, only sessions of one's own are killed.
                        new Document("$project", new Document("id", "$lsid.id").append("uid", "$lsid.uid"))))
                .into(new ArrayList<>());
        if (!sessions.isEmpty()) {
            admin.runCommand(new Document("killSessions", sessions));
        }
    }
}
