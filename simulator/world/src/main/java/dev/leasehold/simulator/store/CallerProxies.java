package dev.leasehold.simulator.store;

import com.mongodb.MongoClientSettings;
import com.mongodb.TransactionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.TransactionBody;
import com.mongodb.client.result.UpdateResult;
import com.mongodb.session.ServerSession;
import dev.leasehold.simulator.world.SimulatorFailure;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * The driver's interfaces in front of a caller's transactions, as far as an assertion uses them. As with the driver, one
 * collection serves all sessions.
 */
final class CallerProxies {

    private final CallerTransactions transactions;
    /** Told of filters by which a lease was found. */
    private final Consumer<BsonDocument> onFound;

    private final Visits visits;
    private final ClientSession session;
    private final ServerSession serverSession;

    CallerProxies(CallerTransactions transactions, Consumer<BsonDocument> onFound, int call, Visits visits) {
        this.transactions = transactions;
        this.onFound = onFound;
        this.visits = visits;
        this.session = proxy(ClientSession.class, new Handler(this, "session of call " + call, this::onSession));
        this.serverSession =
                proxy(ServerSession.class, new Handler(this, "server session of call " + call, this::onServerSession));
    }

    ClientSession session() {
        return session;
    }

    /** The collection of the leases, for whichever session. */
    @SuppressWarnings("unchecked")
    static MongoCollection<BsonDocument> leases() {
        return proxy(MongoCollection.class, new Handler(null, "leases", CallerProxies::onLeases));
    }

    /** What is done by a method of an interface. */
    private interface Calls {
        @Nullable Object call(Object proxy, String method, Object[] arguments);
    }

    /**
     * What stands behind a proxy.
     *
     * @param caller whose session it is; null if it is none
     * @param name for people
     * @param calls what is done
     */
    private record Handler(@Nullable CallerProxies caller, String name, Calls calls) implements InvocationHandler {

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
            Object[] given = arguments == null ? new Object[0] : arguments;
            return method.getDeclaringClass() == Object.class
                    ? ofObject(proxy, method.getName(), given)
                    : calls.call(proxy, method.getName(), given);
        }

        /** Without the identity hash, which is another one in every run. */
        private Object ofObject(Object proxy, String method, Object[] arguments) {
            return switch (method) {
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> name.hashCode();
                default -> "simulated " + name;
            };
        }
    }

    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** Whose session it is; null for anything else. */
    private static @Nullable CallerProxies callerOf(Object argument) {
        return argument instanceof ClientSession
                        && Proxy.isProxyClass(argument.getClass())
                        && Proxy.getInvocationHandler(argument) instanceof Handler handler
                ? handler.caller()
                : null;
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
            default -> throw unsupported(ClientSession.class, method);
        }
        return null;
    }

    private void start(Object[] arguments) {
        if (arguments.length == 0) {
            transactions.start();
        } else {
            transactions.start((TransactionOptions) arguments[0]);
        }
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
        throw unsupported(ServerSession.class, method);
    }

    private static Object onLeases(Object proxy, String method, Object[] arguments) {
        CallerProxies caller = arguments.length == 0 ? null : callerOf(arguments[0]);
        if (method.equals("withDocumentClass") || method.equals("withCodecRegistry")) {
            return proxy;
        }
        if (arguments.length > 0 && arguments[0] instanceof ClientSession && caller == null) {
            throw new IllegalStateException("this session is none of the database in memory that has the lease, so it"
                    + " cannot carry an assertion on it: " + arguments[0]);
        }
        if (method.equals("updateOne") && caller != null && arguments.length == 3) {
            BsonDocument filter = bson(arguments[1]);
            BsonDocument change = bson(arguments[2]);
            return caller.visits.inside(() -> caller.update(filter, change));
        }
        if (method.equals("find") && caller != null && arguments.length == 2) {
            return caller.find(bson(arguments[1]));
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
        return proxy(FindIterable.class, new Handler(null, "find", (proxy, method, arguments) -> switch (method) {
            case "projection" -> proxy;
            case "first" -> visits.inside(() -> first(filter));
            default -> throw unsupported(FindIterable.class, method);
        }));
    }

    private @Nullable BsonDocument first(BsonDocument filter) {
        BsonDocument found = LeaseBson.of(transactions.find(BsonStatement.idIn(filter)));
        if (found == null || !BsonStatement.matches(filter, found)) {
            return null;
        }
        onFound.accept(filter);
        return found;
    }

    private static BsonDocument bson(Object argument) {
        return Objects.requireNonNull((Bson) argument)
                .toBsonDocument(BsonDocument.class, MongoClientSettings.getDefaultCodecRegistry());
    }

    private static SimulatorFailure unsupported(Class<?> type, String method) {
        return new SimulatorFailure("the simulated " + type.getSimpleName() + " has no such " + method);
    }
}
