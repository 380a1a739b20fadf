package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Sorts;
import dev.leasehold.replicaset.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Reads all documents back after a test, by the written schema and not by the engine's own codecs. */
public final class SchemaCheck {

    private final Map<String, Long> greatestTokens = new HashMap<>();
    private final Map<String, Long> greatestTimes = new HashMap<>();
    private boolean on = true;

    /** It checks until it is switched off. */
    public SchemaCheck() {}

    void switchOff() {
        on = false;
    }

    /** All documents of a test that has used one collection of the usual name. */
    public static void of(TestDatabase database) {
        new SchemaCheck().check(database.database().getCollection(Engines.COLLECTION, BsonDocument.class));
    }

    /** Fails if this document breaks the schema, or has gone back. Of others it need not be as new as they are. */
    void saw(@Nullable BsonDocument document) {
        if (!on || document == null || isStripe(document) || isRecord(document) || isQueue(document)) {
            return;
        }
        if (id(document).contains("#")) {
            checkLease(id(document), document);
        } else {
            checkClock(document, Set.of());
        }
    }

    /**
     * Fails with the first document that breaks the schema, or has a smaller token, or an earlier time of a writer, than it was
     * seen with before.
     *
     * @param documents the collection of the leases, to which nothing writes
     */
    public void check(MongoCollection<BsonDocument> documents) {
        if (!on) {
            return;
        }
        // Leases before the clock, since a writer's session begins before the first lease that it keeps. Stripes are
        // between.
        Map<String, Set<String>> keepers = new HashMap<>();
        Map<String, BsonDocument> leaseOfStripe = new HashMap<>();
        for (BsonDocument document : documents.find().sort(Sorts.descending("_id"))) {
            String id = id(document);
            if (isRecord(document)) {
                checkRecord(id, document);
            } else if (isQueue(document)) {
                checkQueue(id, document);
            } else if (isStripe(document)) {
                checkStripe(id, document, leaseOfStripe.remove(id));
            } else if (id.contains("#")) {
                checkLease(id, document);
                stripesOf(document).forEach(stripe -> leaseOfStripe.put(stripe, document));
                keptBySession(document)
                        .ifPresent(writer -> keepers.computeIfAbsent(
                                        document.getString("namespace").getValue(), namespace -> new HashSet<>())
                                .add(writer));
            } else {
                checkClock(document, keepers.getOrDefault(id, Set.of()));
            }
        }
        assertThat(leaseOfStripe.keySet()).as("gate stripes that are missing").isEmpty();
    }

    private static String id(BsonDocument document) {
        return document.getString("_id").getValue();
    }

    private static boolean isRecord(BsonDocument document) {
        return id(document).matches("(?s)[^#!%]*%.*");
    }

    private static void checkRecord(String id, BsonDocument record) {
        assertThat(record.get("type")).as(id).isEqualTo(new BsonString("occurrence"));
        String name = record.getString("name").getValue();
        assertThat(id)
                .isEqualTo(record.getString("namespace").getValue() + "%"
                        + name.getBytes(StandardCharsets.UTF_8).length + "#" + name + "#"
                        + record.getString("occurrence").getValue());
        assertThat(record.getString("holder").getValue()).as(id).isNotBlank();
        assertThat(record.getInt64("token").getValue()).as(id).isPositive();
        assertThat(record.getDateTime("done")).as(id).isNotNull();
    }

    private static boolean isQueue(BsonDocument document) {
        return id(document).matches("(?s)[^#!%&]*&.*");
    }

    private static void checkQueue(String id, BsonDocument queue) {
        assertThat(queue.get("type")).as(id).isEqualTo(new BsonString("queue"));
        assertThat(id)
                .isEqualTo(queue.getString("namespace").getValue() + "&"
                        + queue.getString("name").getValue());
        assertThat(queue.getInt64("tickets").getValue()).as(id).isNotNegative();
        assertThat(queue.getArray("waiters", new BsonArray())).as(id).hasSizeLessThanOrEqualTo(128);
        for (BsonValue each : queue.getArray("waiters", new BsonArray())) {
            BsonDocument ticket = each.asDocument();
            assertThat(ticket.getString("writer").getValue()).as(id).isNotEmpty();
            assertThat(ticket.getInt64("stamp").getValue()).as(id).isNotZero();
            assertThat(ticket.getString("holder").getValue()).as(id).isNotBlank();
            assertThat(ticket.isInt32("priority")).as(id).isTrue();
        }
    }

    private static boolean isStripe(BsonDocument document) {
        return id(document).matches("(?s)[^#!%]*!.*");
    }

    private static List<String> stripesOf(BsonDocument lease) {
        String id = id(lease);
        int stripes = lease.getInt32("stripes", new BsonInt32(0)).getValue();
        return IntStream.rangeClosed(1, stripes)
                .mapToObj(stripe -> id.replaceFirst("#", "!" + stripe + "#"))
                .toList();
    }

    private static void checkStripe(String id, BsonDocument stripe, @Nullable BsonDocument lease) {
        assertThat(lease).as("lease of %s", id).isNotNull();
        assertThat(stripe.get("type")).as(id).isEqualTo(new BsonString("gate"));
        assertThat(stripe.getInt64("gates").getValue()).as(id).isNotNegative();
        for (String field : List.of("namespace", "name", "holder", "token")) {
            assertThat(stripe.get(field)).as(id + " " + field).isEqualTo(lease.get(field));
        }
    }

    private static Optional<String> keptBySession(BsonDocument lease) {
        boolean held = !lease.isNull("holder");
        return held && !lease.containsKey("expiry")
                ? Optional.of(lease.getString("writer").getValue())
                : Optional.empty();
    }

    private void checkClock(BsonDocument clock, Set<String> keepers) {
        assertThat(clock.get("type")).isEqualTo(new BsonString("clock"));
        assertThat(clock.get("schema")).isEqualTo(new BsonInt32(1));
        if (clock.containsKey("partitions")) {
            assertThat(clock.getInt32("partitions").getValue()).isBetween(2, 64);
        }
        assertThat(clock.getInt64("ticks").getValue()).isNotNegative();
        assertThat(clock.getInt64("tokenFloor").getValue()).isNotNegative();
        for (Map.Entry<String, BsonValue> each : clock.getDocument("writers").entrySet()) {
            BsonDocument entry = each.getValue().asDocument();
            if (entry.containsKey("session")) {
                assertThat(entry.getInt64("session").getValue())
                        .as(each.getKey())
                        .isPositive();
            }
            assertThat(keepers.contains(each.getKey()) && !entry.containsKey("session"))
                    .as("writer %s has no session, but keeps a lease by it", each.getKey())
                    .isFalse();
            long time = entry.getInt64("time").getValue();
            assertThat(time).isNotZero();
            assertNotBelow(greatestTimes, id(clock) + " " + each.getKey(), time);
            if (entry.containsKey("txn")) {
                assertThat(entry.getInt64("txn").getValue()).isLessThanOrEqualTo(time);
            }
            if (entry.containsKey("drift")) {
                assertThat(entry.getInt64("drift").getValue()).isBetween(0L, 999_999L);
            }
            if (entry.containsKey("lsid")) {
                assertThat(entry.getBinary("lsid").getType()).isEqualTo((byte) 4);
            }
        }
    }

    private static void assertNotBelow(Map<String, Long> greatest, String whose, long value) {
        assertThat(value).as(whose).isGreaterThanOrEqualTo(greatest.getOrDefault(whose, Long.MIN_VALUE));
        greatest.put(whose, value);
    }

    private void checkLease(String id, BsonDocument lease) {
        assertThat(lease.get("type")).as(id).isEqualTo(new BsonString("lease"));
        String namespace = lease.getString("namespace").getValue();
        assertThat(id).isEqualTo(namespace + "#" + lease.getString("name").getValue());
        assertThat(lease.get("holder").getBsonType()).as(id).isIn(BsonType.STRING, BsonType.NULL);
        long token = lease.getInt64("token").getValue();
        assertThat(token).as(id).isPositive();
        assertNotBelow(greatestTokens, id, token);
        assertThat(lease.getString("writer").getValue()).as(id).isNotEmpty();
        assertThat(lease.getInt64("written").getValue()).as(id).isNotZero();
        assertThat(lease.getInt64("gates").getValue()).as(id).isNotNegative();
        assertThat(lease.getDateTime("since")).as(id).isNotNull();
        if (lease.containsKey("expiry")) {
            assertThat(lease.getInt64("expiry").getValue())
                    .as(id)
                    .isGreaterThan(lease.getInt64("written").getValue());
        }
        if (lease.containsKey("payload")) {
            assertThat(lease.getString("payload").getValue())
                    .as(id)
                    .isNotEmpty()
                    .hasSizeLessThanOrEqualTo(4_096);
            assertThat(lease.isNull("holder"))
                    .as("a vacant lease publishes nothing: " + id)
                    .isFalse();
        }
        if (lease.containsKey("comment")) {
            assertThat(lease.getString("comment").getValue()).as(id).hasSizeLessThanOrEqualTo(512);
        }
        if (lease.containsKey("stripes")) {
            assertThat(lease.getInt32("stripes").getValue()).as(id).isBetween(1, 64);
        }
        if (lease.containsKey("pins")) {
            assertThat(lease.getArray("pins").getValues())
                    .as(id)
                    .doesNotHaveDuplicates()
                    .allSatisfy(
                            entity -> assertThat(entity.asString().getValue()).isNotEmpty());
        }
    }
}
