package dev.leasehold.engine.internal.mongo.connection;

import java.util.Map;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.jspecify.annotations.Nullable;

/**
 * Whether a server's version gets no more updates, as far as that was known when this was built. A server tells every
 * user, whatever its rights, the newest wire protocol that it speaks, and each version has a newer one.
 */
final class EndOfLife {

    private static final String MAX_WIRE_VERSION = "maxWireVersion";

    /** The first wire version of a series, and what is said of the series; empty if it still gets updates. */
    private static final TreeMap<Integer, String> SERIES = new TreeMap<>(Map.of(
            0, "4.0 or older, which have had no updates since April 2022 or earlier",
            8, "4.2, which has had no updates since April 2023",
            9, "4.4, which has had no updates since February 2024",
            13, "5.0, which has had no updates since October 2024",
            14, "of the releases between 5.0 and 6.0, which get no updates",
            17, "6.0, which has had no updates since July 2025",
            18, "of the releases between 6.0 and 7.0, which get no updates",
            21, "",
            22, "of the releases between 7.0 and 8.0, which get no updates",
            25, ""));

    private EndOfLife() {}

    /** What is to be said of the server with this reply to {@code hello}; null if it still gets updates. */
    static @Nullable String of(BsonDocument hello) {
        int wireVersion = hello.getNumber(MAX_WIRE_VERSION, new BsonInt32(Integer.MAX_VALUE))
                .intValue();
        String ended = SERIES.floorEntry(Math.max(0, wireVersion)).getValue();
        return ended.isEmpty() ? null : "the server is MongoDB " + ended;
    }
}
