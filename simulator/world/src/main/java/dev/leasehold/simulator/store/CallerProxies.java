package dev.leasehold.simulator.store;

import com.mongodb.TransactionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.TransactionBody;
import com.mongodb.client.result.UpdateResult;
import com.mongodb.session.ServerSession;
import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The driver's interfaces in front of a caller's transactions, as far as an assertion uses them. As with the driver, one
 * collection serves all sessions.
 */
final class CallerProxies {

    private final DriverSession transactions;
    /** Told of filters by which a lease was found. */
    private final Consumer<BsonDocument> onFound;

    private final Visits visits;
    private final ClientSession session;
    private final ServerSession serverSession;

    CallerProxies(DriverSession transactions, Consumer<BsonDocument> onFound, int call, Visits visits) {
        this.transactions = transactions;
        this.onFound = onFound;
        this.visits = visits;
        this.session = Proxies.of(ClientSession.class, this, "session of call " + call, this::onSession);
        this.serverSession =
                Proxies.of(ServerSession.class, this, "server session of call " + call, this::onServerSession);
    }

    ClientSession session() {
        return session;
    }

    /** The collection of the leases, for whichever session. */
    @SuppressWarnings("unchecked")
    static MongoCollection<BsonDocument> leases() {
        return Proxies.of(MongoCollection.class, null, "leases", CallerProxies::onLeases);
    }

    private @Nullable Object onSession(Object proxy, String method, Object[] arguments) {
        switch (method) {
            case "hasActiveTransaction" -> {
                return transactions.isActive();
            }
            case "notifyMessageSent" -> {
                return transactions.sent();
            }
            case "getServerSession" -> {
                return serverSession;
            }
            case "getTransactionOptions" -> {
                return transactions.options();
            }
            case "withTransaction" -> {
                TransactionBody<?> body = (TransactionBody<?>) arguments[0];
                return visits.inside(() -> transactions.run(() -> visits.outside(body::execute)));
            }
            case "startTransaction" -> start(arguments);
            case "commitTransaction" -> inside(transactions::commit);
            case "abortTransaction", "close" -> inside(transactions::abort);
            default -> throw Proxies.unsupported(ClientSession.class, method);
        }
        return null;
    }

    private void start(Object[] arguments) {
        transactions.start(
                arguments.length == 0 ? TransactionOptions.builder().build() : (TransactionOptions) arguments[0]);
    }

    private void inside(Runnable call) {
        visits.inside(() -> {
            call.run();
            return null;
        });
    }

    private Object onServerSession(Object proxy, String method, Object[] arguments) {
        if (method.equals("getTransactionNumber")) {
            return transactions.number();
        }
        throw Proxies.unsupported(ServerSession.class, method);
    }

    private static Object onLeases(Object proxy, String method, Object[] arguments) {
        CallerProxies caller = arguments.length == 0 ? null : Proxies.ownerOf(CallerProxies.class, arguments[0]);
        if (method.equals("withDocumentClass") || method.equals("withCodecRegistry")) {
            return proxy;
        }
        if (arguments.length > 0 && arguments[0] instanceof ClientSession && caller == null) {
            throw new IllegalStateException("this session is none of the database in memory that has the lease, so it"
                    + " cannot carry an assertion on it: " + arguments[0]);
        }
        if (method.equals("updateOne") && caller != null && arguments.length == 3) {
            BsonDocument filter = Proxies.bson(arguments[1]);
            BsonDocument change = Proxies.bson(arguments[2]);
            return caller.visits.inside(() -> caller.update(filter, change));
        }
        if (method.equals("find") && caller != null && arguments.length == 2) {
            return caller.find(Proxies.bson(arguments[1]));
        }
        throw Proxies.unsupported(MongoCollection.class, method);
    }

    private UpdateResult update(BsonDocument filter, BsonDocument change) {
        Counts counts = transactions.write("update", List.of(new Statement.OfUpdate(filter, change, false)));
        if (counts.matched() > 0) {
            onFound.accept(filter);
        }
        return UpdateResult.acknowledged(counts.matched(), (long) counts.modified(), null);
    }

    private FindIterable<?> find(BsonDocument filter) {
        return Proxies.of(FindIterable.class, null, "find", (proxy, method, arguments) -> switch (method) {
            case "projection" -> proxy;
            case "first" -> visits.inside(() -> first(filter));
            default -> throw Proxies.unsupported(FindIterable.class, method);
        });
    }

    private @Nullable BsonDocument first(BsonDocument filter) {
        Document found = transactions.read("find", Statement.idIn(filter));
        if (found == null || !Filter.matches(filter, found.bson())) {
            return null;
        }
        onFound.accept(filter);
        return found.bson();
    }
}
