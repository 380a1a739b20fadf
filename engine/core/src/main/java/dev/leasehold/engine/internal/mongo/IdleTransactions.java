package dev.leasehold.engine.internal.mongo;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoDatabase;
import dev.leasehold.engine.internal.mongo.connection.StoreContext;
import dev.leasehold.engine.internal.store.IdleTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBinarySubType;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The open transactions of the database user, as the primary knows them. Needs no right. Without authentication it
 * lists those of all users, with authentication those of the same user; a request to end another user's session returns
 * ok and has no effect.
 */
final class IdleTransactions {

    private static final BsonDocument SESSIONS =
            BsonDocument.parse("{$currentOp: {idleSessions: true, allUsers: false}}");
    private static final BsonDocument WITH_TRANSACTION =
            BsonDocument.parse("{$match: {type: 'idleSession', 'transaction.parameters.txnNumber': {$exists: true}}}");

    private final StoreContext context;

    IdleTransactions(StoreContext context) {
        this.context = context;
    }

    private MongoDatabase admin() {
        return context.readable("admin")
                .withReadConcern(ReadConcern.LOCAL)
                .withReadPreference(ReadPreference.primary());
    }

    List<IdleTransaction> list() {
        return context.read(() -> {
            List<IdleTransaction> found = new ArrayList<>();
            admin().aggregate(List.of(SESSIONS, WITH_TRANSACTION), BsonDocument.class)
                    .maxTime(context.limitMillis(), TimeUnit.MILLISECONDS)
                    .forEach(operation -> add(found, operation));
            return found;
        });
    }

    /** Skips a session whose id is not a UUID: it is not an engine's. */
    private static void add(List<IdleTransaction> found, BsonDocument operation) {
        BsonValue id = operation.getDocument("lsid").get("id");
        if (id instanceof BsonBinary binary && binary.getType() == BsonBinarySubType.UUID_STANDARD.getValue()) {
            BsonDocument transaction = operation.getDocument("transaction");
            found.add(new IdleTransaction(
                    binary.asUuid(),
                    transaction.getDocument("parameters").getNumber("txnNumber").longValue(),
                    nanos(transaction, "timeActiveMicros"),
                    nanos(transaction, "timeInactiveMicros")));
        }
    }

    private static long nanos(BsonDocument transaction, String micros) {
        return TimeUnit.MICROSECONDS.toNanos(transaction.getNumber(micros).longValue());
    }

    void end(Collection<UUID> driverSessions) {
        BsonArray ids = new BsonArray();
        driverSessions.forEach(id -> ids.add(new BsonDocument("id", new BsonBinary(id))));
        context.read(() -> admin().runCommand(new BsonDocument("killSessions", ids), BsonDocument.class));
    }
}
