package dev.leasehold.simulator.mutants;

import com.mongodb.client.MongoCollection;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/** Collections in which assertions ask for something else. */
final class ChangedAssertions {

    private ChangedAssertions() {}

    /** The holder is asserted, and not the token. */
    static MongoCollection<BsonDocument> withoutToken(MongoCollection<BsonDocument> leases) {
        return changed(
                leases,
                guard -> {
                    BsonDocument changed = guard.clone();
                    changed.remove("token");
                    return changed;
                },
                UnaryOperator.identity());
    }

    /** The lease is written as it is, which conflicts with nobody. */
    static MongoCollection<BsonDocument> changingNothing(MongoCollection<BsonDocument> leases) {
        return changed(
                leases,
                UnaryOperator.identity(),
                update -> new BsonDocument("$inc", new BsonDocument("gates", new BsonInt64(0))));
    }

    @SuppressWarnings("unchecked")
    private static MongoCollection<BsonDocument> changed(
            MongoCollection<BsonDocument> leases,
            UnaryOperator<BsonDocument> filter,
            UnaryOperator<BsonDocument> update) {
        return (MongoCollection<BsonDocument>) Proxy.newProxyInstance(
                MongoCollection.class.getClassLoader(),
                new Class<?>[] {MongoCollection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("updateOne")) {
                        arguments[1] = filter.apply((BsonDocument) arguments[1]);
                        arguments[2] = update.apply((BsonDocument) arguments[2]);
                    }
                    try {
                        return method.getReturnType() == MongoCollection.class
                                ? proxy
                                : method.invoke(leases, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
