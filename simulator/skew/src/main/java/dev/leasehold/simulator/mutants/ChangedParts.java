package dev.leasehold.simulator.mutants;

import com.mongodb.client.MongoCollection;
import dev.leasehold.engine.internal.runtime.EngineCallbacks;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.time.EngineClock;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/** Clocks, threads and collections on which something is not as it should be. */
final class ChangedParts {

    private ChangedParts() {}

    // ---- the runtime ----

    private static EngineRuntime with(EngineRuntime runtime, String method, Intercepted.Replacement replacement) {
        return Intercepted.part(EngineRuntime.class, runtime, method, replacement);
    }

    private static EngineRuntime withClock(EngineRuntime runtime, EngineClock clock) {
        return with(runtime, "clock", (arguments, original) -> clock);
    }

    /** Local time is the time of day. */
    static EngineRuntime withWallClockAlone(EngineRuntime runtime) {
        EngineClock clock = runtime.clock();
        return withClock(
                runtime,
                Intercepted.part(
                        EngineClock.class, clock, "monotonicNanos", (arguments, original) -> clock.wallNanos()));
    }

    /** The time of day is read once, and then follows local time. */
    static EngineRuntime withMonotonicClockAlone(EngineRuntime runtime) {
        EngineClock clock = runtime.clock();
        long aheadNanos = clock.wallNanos() - clock.monotonicNanos();
        return withClock(
                runtime,
                Intercepted.part(
                        EngineClock.class,
                        clock,
                        "wallNanos",
                        (arguments, original) -> clock.monotonicNanos() + aheadNanos));
    }

    /** There is no pause between two attempts. */
    static EngineRuntime withoutPauses(EngineRuntime runtime) {
        return with(runtime, "randomNanos", (arguments, original) -> 0L);
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
                (arguments, original) -> Intercepted.part(
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

    @SuppressWarnings("unchecked")
    private static MongoCollection<BsonDocument> withUpdate(
            MongoCollection<BsonDocument> leases, int argument, UnaryOperator<BsonDocument> change) {
        return Intercepted.part(MongoCollection.class, leases, "updateOne", (arguments, original) -> {
            arguments[argument] = change.apply((BsonDocument) arguments[argument]);
            return original.call();
        });
    }
}
