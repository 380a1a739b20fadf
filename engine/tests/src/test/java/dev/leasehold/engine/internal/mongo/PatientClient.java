package dev.leasehold.engine.internal.mongo;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client with a timeout, whose database commands have that timeout as their limit whatever shorter one is asked for. So a
 * single write of a store waits in the server for as long as a test needs.
 */
final class PatientClient {

    private PatientClient() {}

    static MongoClient of(MongoClient client) {
        return wrapped(
                MongoClient.class,
                client,
                (name, answer) -> name.equals("getDatabase") ? database((MongoDatabase) answer) : answer);
    }

    private static MongoDatabase database(MongoDatabase database) {
        long patienceMillis = database.getTimeout(TimeUnit.MILLISECONDS);
        return wrapped(MongoDatabase.class, database, (name, answer) -> switch (name) {
            case "withTimeout" -> ((MongoDatabase) answer).withTimeout(patienceMillis, TimeUnit.MILLISECONDS);
            case "withCodecRegistry" -> database((MongoDatabase) answer);
            default -> answer;
        });
    }

    private interface Change {
        @Nullable Object of(String method, Object answer);
    }

    private static <T> T wrapped(Class<T> type, T real, Change change) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Object answer = called(real, method, arguments);
                    return answer == null ? null : change.of(method.getName(), answer);
                }));
    }

    private static @Nullable Object called(Object real, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
