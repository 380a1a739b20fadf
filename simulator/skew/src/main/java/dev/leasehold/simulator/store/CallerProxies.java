package dev.leasehold.simulator.store;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.TransactionBody;
import com.mongodb.client.result.UpdateResult;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** The driver's interfaces in front of a caller's transactions, as far as an assertion uses them. */
final class CallerProxies {

    private final CallerTransactions transactions;
    /** Told of filters by which a lease was found. */
    private final Consumer<BsonDocument> onFound;
    private final int call;
    private final ClientSession session;
    private final MongoCollection<BsonDocument> leases;

    @SuppressWarnings("unchecked")
    CallerProxies(CallerTransactions transactions, Consumer<BsonDocument> onFound, int call) {
        this.transactions = transactions;
        this.onFound = onFound;
        this.call = call;
        this.session = proxy(ClientSession.class, this::onSession);
        this.leases = proxy(MongoCollection.class, this::onLeases);
    }

    ClientSession session() {
        return session;
    }

    MongoCollection<BsonDocument> leases() {
        return leases;
    }

    /** What is done by a method of an interface. */
    private interface Calls {
        @Nullable Object call(Object proxy, String method, Object[] arguments);
    }

    private <T> T proxy(Class<T> type, Calls calls) {
        InvocationHandler handler = (proxy, method, arguments) -> method.getDeclaringClass() == Object.class
                ? ofObject(proxy, type, method, arguments)
                : calls.call(proxy, method.getName(), arguments == null ? new Object[0] : arguments);
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** Without the identity hash, which is another one in every run. */
    private Object ofObject(Object proxy, Class<?> type, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> call;
            default -> type.getSimpleName() + " of call " + call;
        };
    }

    private @Nullable Object onSession(Object proxy, String method, Object[] arguments) {
        switch (method) {
            case "hasActiveTransaction" -> {
                return transactions.isActive();
            }
            case "withTransaction" -> {
                return transactions.run((TransactionBody<?>) arguments[0]);
            }
            case "startTransaction" -> transactions.start();
            case "commitTransaction" -> transactions.commit();
            case "abortTransaction", "close" -> transactions.abort();
            default -> throw unsupported(ClientSession.class, method);
        }
        return null;
    }

    private Object onLeases(Object proxy, String method, Object[] arguments) {
        boolean plain = arguments.length > 0 && arguments[0] == session;
        if (method.equals("withDocumentClass") || method.equals("withCodecRegistry")) {
            return proxy;
        }
        if (method.equals("updateOne") && plain && arguments.length == 3) {
            return update(bson(arguments[1]), bson(arguments[2]));
        }
        if (method.equals("find") && plain && arguments.length == 2) {
            return find(bson(arguments[1]));
        }
        throw unsupported(MongoCollection.class, method);
    }

    private UpdateResult update(BsonDocument filter, BsonDocument change) {
        BsonStatement statement = new BsonStatement(filter, change);
        boolean found = transactions.update(statement);
        if (found) {
            onFound.accept(filter);
        }
        return UpdateResult.acknowledged(found ? 1 : 0, statement.hasModified() ? 1L : 0L, null);
    }

    private FindIterable<?> find(BsonDocument filter) {
        return proxy(FindIterable.class, (proxy, method, arguments) -> switch (method) {
            case "projection" -> proxy;
            case "first" -> first(filter);
            default -> throw unsupported(FindIterable.class, method);
        });
    }

    private @Nullable BsonDocument first(BsonDocument filter) {
        if (!(transactions.read(BsonStatement.idIn(filter)) instanceof Document.Lease lease)) {
            return null;
        }
        BsonDocument found = LeaseBson.of(lease);
        if (!BsonStatement.matches(filter, found)) {
            return null;
        }
        onFound.accept(filter);
        return found;
    }

    private static BsonDocument bson(Object argument) {
        return Objects.requireNonNull((Bson) argument)
                .toBsonDocument(BsonDocument.class, MongoClientSettings.getDefaultCodecRegistry());
    }

    private static UnsupportedOperationException unsupported(Class<?> type, String method) {
        return new UnsupportedOperationException("the simulated " + type.getSimpleName() + " has no such " + method);
    }
}
