package dev.leasehold.simulator.store;

import com.mongodb.MongoClientSettings;
import dev.leasehold.simulator.world.SimulatorFailure;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Interfaces of the driver, of which only what engines and assertions call is there. Everything else fails loudly, by its name. */
final class Proxies {

    private Proxies() {}

    /** What is done by the methods of an interface. */
    interface Calls {
        @Nullable Object call(Object proxy, String method, Object[] arguments);
    }

    /** What stands behind a proxy. */
    private record Handler(@Nullable Object owner, String name, Calls calls) implements InvocationHandler {

        private static final Object[] NONE = {};

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
            Object[] given = arguments == null ? NONE : arguments;
            if (method.getDeclaringClass() != Object.class) {
                return calls.call(proxy, method.getName(), given);
            }
            // Without the identity hash, which is another one in every run.
            return switch (method.getName()) {
                case "equals" -> proxy == given[0];
                case "hashCode" -> name.hashCode();
                default -> "simulated " + name;
            };
        }
    }

    static <T> T of(Class<T> type, @Nullable Object owner, String name, Calls calls) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new Handler(owner, name, calls)));
    }

    /** The owner, if it is a proxy of that kind of owner; else null. */
    static <T> @Nullable T ownerOf(Class<T> kind, Object argument) {
        return argument instanceof Proxy
                        && Proxy.getInvocationHandler(argument) instanceof Handler handler
                        && kind.isInstance(handler.owner())
                ? kind.cast(handler.owner())
                : null;
    }

    static BsonDocument bson(Object argument) {
        return argument instanceof BsonDocument plain
                ? plain
                : ((Bson) argument).toBsonDocument(BsonDocument.class, MongoClientSettings.getDefaultCodecRegistry());
    }

    static SimulatorFailure unsupported(Class<?> type, String method) {
        return new SimulatorFailure("the simulated " + type.getSimpleName() + " has no such " + method);
    }
}
