package dev.leasehold.engine.internal.mongo.documents;

import com.mongodb.client.MongoCollection;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.Partition;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** Documents that the tests of the store share, as values and, written out field by field, as stored. */
public final class Fixture {

    /** 2073-03-03T09:40:00.000000005Z: after 2038, and with an odd nanosecond. */
    public static final long Z = 3_255_759_600_000_000_005L;

    public static final long MINUTE = 60_000_000_000L;
    public static final Instant SINCE = Instant.parse("2073-03-03T09:40:00Z");

    public static final String NAMESPACE = "billing";
    public static final Partition WHOLE = Partition.whole(NAMESPACE);
    public static final String WRITER = "shop:4711#9f2c";
    public static final UUID DRIVER_SESSION = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");

    /** Texts that would be something else than text if they stood in another place. */
    public static final String[] HOSTILE_TEXTS = {
        "$where",
        "a.b",
        "a#b",
        "{\"$gt\": \"\"}",
        "$$ROOT",
        "spaces in it",
        "\u03A9\u043C\u0435\u0433\u0430",
        "\uD83D\uDE80",
        "\u05E9\u05DC\u05D5\u05DD"
    };

    private Fixture() {}

    public static LeaseDocument held() {
        return new LeaseDocument(
                NAMESPACE, "nightly", "worker-7", 3, WRITER, Z, Z + MINUTE, 12, "run 1", SINCE, Set.of(), 0, null);
    }

    public static LeaseDocument vacant() {
        return new LeaseDocument(NAMESPACE, "nightly", null, 3, WRITER, Z, null, 12, null, SINCE, Set.of(), 0, null);
    }

    /** The stored form of {@link #held()}. */
    public static BsonDocument storedLease() {
        return new BsonDocument("_id", new BsonString("billing#nightly"))
                .append("type", new BsonString("lease"))
                .append("namespace", new BsonString("billing"))
                .append("name", new BsonString("nightly"))
                .append("holder", new BsonString("worker-7"))
                .append("token", new BsonInt64(3))
                .append("writer", new BsonString(WRITER))
                .append("written", new BsonInt64(Z))
                .append("expiry", new BsonInt64(Z + MINUTE))
                .append("gates", new BsonInt64(12))
                .append("comment", new BsonString("run 1"))
                .append("since", new BsonDateTime(SINCE.toEpochMilli()));
    }

    /** A collection for values that are made with one and send nothing. */
    @SuppressWarnings("unchecked")
    public static MongoCollection<BsonDocument> withoutServer() {
        return (MongoCollection<BsonDocument>) Proxy.newProxyInstance(
                MongoCollection.class.getClassLoader(),
                new Class<?>[] {MongoCollection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().startsWith("with")) {
                        return proxy;
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    /** A stored clock document with one writer. */
    public static BsonDocument storedClock() {
        return new BsonDocument("_id", new BsonString("billing"))
                .append("type", new BsonString("clock"))
                .append("schema", new BsonInt32(1))
                .append("writers", new BsonDocument(WRITER, storedEntry()))
                .append("ticks", new BsonInt64(42))
                .append("tokenFloor", new BsonInt64(7));
    }

    public static BsonDocument storedEntry() {
        return new BsonDocument("time", new BsonInt64(Z))
                .append("txn", new BsonInt64(Z - 1))
                .append("session", new BsonInt64(MINUTE))
                .append("lsid", new BsonBinary(DRIVER_SESSION));
    }
}
