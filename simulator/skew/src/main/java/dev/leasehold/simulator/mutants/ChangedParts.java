package dev.leasehold.simulator.mutants;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOneModel;
import dev.leasehold.engine.internal.runtime.EngineCallbacks;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.time.EngineClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/** Clocks, callbacks and collections of which one method does something else. */
final class ChangedParts {

    private ChangedParts() {}

    /** What is done instead. */
    private interface Replacement {
        @Nullable Object call(Object[] arguments, Original original) throws Throwable;
    }

    /** What would have been done. */
    private interface Original {
        @Nullable Object call() throws Throwable;
    }

    /** The same part, but for one method. Arguments that the replacement changes are changed for the original too. */
    private static <T> T with(Class<T> type, T part, String method, Replacement replacement) {
        if (Arrays.stream(type.getMethods()).noneMatch(it -> it.getName().equals(method))) {
            throw new IllegalStateException(type + " has no method " + method);
        }
        Class<?>[] types = {type};
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), types, (self, called, arguments) -> {
            Original original = () -> {
                try {
                    Object result = called.invoke(part, arguments);
                    return called.getReturnType() == type ? self : result;
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            };
            return called.getName().equals(method) ? replacement.call(arguments, original) : original.call();
        }));
    }

    // ---- the runtime ----

    private static EngineRuntime with(EngineRuntime runtime, String method, Replacement replacement) {
        return with(EngineRuntime.class, runtime, method, replacement);
    }

    private static EngineRuntime withClock(EngineRuntime runtime, String method, Replacement replacement) {
        EngineClock clock = with(EngineClock.class, runtime.clock(), method, replacement);
        return with(runtime, "clock", (arguments, original) -> clock);
    }

    /** Local time is the time of day. */
    static EngineRuntime withWallClockAlone(EngineRuntime runtime) {
        EngineClock clock = runtime.clock();
        return withClock(runtime, "monotonicNanos", (arguments, original) -> clock.wallNanos());
    }

    /** The time of day is read once, and then follows local time. */
    static EngineRuntime withMonotonicClockAlone(EngineRuntime runtime) {
        EngineClock clock = runtime.clock();
        long aheadNanos = clock.wallNanos() - clock.monotonicNanos();
        return withClock(runtime, "wallNanos", (arguments, original) -> clock.monotonicNanos() + aheadNanos);
    }

    /** What should be unique is the same in every engine of a machine. */
    static EngineRuntime withOneText(EngineRuntime runtime) {
        return with(
                runtime,
                "uniqueText",
                (arguments, original) ->
                        ((String) Objects.requireNonNull(original.call())).replaceFirst("i\\d+n\\d+", "i0n0"));
    }

    /** Callbacks are not called. */
    static EngineRuntime withoutCallbacks(EngineRuntime runtime) {
        return with(
                runtime,
                "startCallbacks",
                (arguments, original) -> with(
                        EngineCallbacks.class,
                        (EngineCallbacks) Objects.requireNonNull(original.call()),
                        "execute",
                        (task, none) -> null));
    }

    // ---- the collection of assertions ----

    /** The holder is asserted, and not the token. */
    static MongoCollection<BsonDocument> withoutToken(MongoCollection<BsonDocument> leases) {
        return withUpdate(leases, 1, guard -> {
            BsonDocument changed = guard.clone();
            changed.remove("token");
            return changed;
        });
    }

    /** The lease is written as it is, which conflicts with no other write. */
    static MongoCollection<BsonDocument> changingNothing(MongoCollection<BsonDocument> leases) {
        return withUpdate(leases, 2, update -> new BsonDocument("$inc", new BsonDocument("gates", new BsonInt64(0))));
    }

    /** The id of a record contains the token. */
    static MongoCollection<BsonDocument> withTokenInRecords(MongoCollection<BsonDocument> leases) {
        return withModels(leases, models -> {
            UpdateOneModel<?> record = models.get(1);
            BsonDocument filter = ((BsonDocument) record.getFilter()).clone();
            BsonDocument update = (BsonDocument) Objects.requireNonNull(record.getUpdate());
            long token = update.getDocument("$setOnInsert").getInt64("token").getValue();
            filter.put("_id", new BsonString(filter.getString("_id").getValue() + "/" + token));
            return List.of(models.get(0), new UpdateOneModel<BsonDocument>(filter, update, record.getOptions()));
        });
    }

    /** The assertion is written, and not the record. */
    static MongoCollection<BsonDocument> withoutRecords(MongoCollection<BsonDocument> leases) {
        return withModels(leases, models -> models.subList(0, 1));
    }

    @SuppressWarnings("unchecked")
    private static MongoCollection<BsonDocument> withModels(
            MongoCollection<BsonDocument> leases, UnaryOperator<List<UpdateOneModel<?>>> change) {
        return with(MongoCollection.class, leases, "bulkWrite", (arguments, original) -> {
            arguments[1] = change.apply((List<UpdateOneModel<?>>) arguments[1]);
            return original.call();
        });
    }

    @SuppressWarnings("unchecked")
    private static MongoCollection<BsonDocument> withUpdate(
            MongoCollection<BsonDocument> leases, int argument, UnaryOperator<BsonDocument> change) {
        return with(MongoCollection.class, leases, "updateOne", (arguments, original) -> {
            arguments[argument] = change.apply((BsonDocument) arguments[argument]);
            return original.call();
        });
    }
}
