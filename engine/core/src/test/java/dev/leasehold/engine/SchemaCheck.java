package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;

/** Reads all documents back after a test, by the written schema and not by the engine's own codecs. */
public final class SchemaCheck {

    private boolean on = true;

    /** It checks until it is switched off. */
    public SchemaCheck() {}

    void switchOff() {
        on = false;
    }

    /**
     * Fails with the first document that breaks the schema.
     *
     * @param documents the collection of the leases
     */
    public void check(MongoCollection<BsonDocument> documents) {
        if (!on) {
            return;
        }
        for (BsonDocument document : documents.find()) {
            String id = document.getString("_id").getValue();
            if (id.contains("#")) {
                checkLease(id, document);
            } else {
                checkClock(document);
            }
        }
    }

    private static void checkClock(BsonDocument clock) {
        assertThat(clock.get("type")).isEqualTo(new BsonString("clock"));
        assertThat(clock.get("schema")).isEqualTo(new BsonInt32(1));
        assertThat(clock.getInt64("ticks").getValue()).isNotNegative();
        assertThat(clock.getInt64("tokenFloor").getValue()).isNotNegative();
        for (BsonValue each : clock.getDocument("writers").values()) {
            BsonDocument entry = each.asDocument();
            assertThat(entry.getInt64("time").getValue()).isNotZero();
            if (entry.containsKey("txn")) {
                assertThat(entry.getInt64("txn").getValue()).isLessThanOrEqualTo(entry.getInt64("time").getValue());
            }
            if (entry.containsKey("lsid")) {
                assertThat(entry.getBinary("lsid").getType()).isEqualTo((byte) 4);
            }
        }
    }

    private static void checkLease(String id, BsonDocument lease) {
        assertThat(lease.get("type")).as(id).isEqualTo(new BsonString("lease"));
        String namespace = lease.getString("namespace").getValue();
        assertThat(id).isEqualTo(namespace + "#" + lease.getString("name").getValue());
        assertThat(lease.get("holder").getBsonType()).as(id).isIn(BsonType.STRING, BsonType.NULL);
        assertThat(lease.getInt64("token").getValue()).as(id).isPositive();
        assertThat(lease.getString("writer").getValue()).as(id).isNotEmpty();
        assertThat(lease.getInt64("written").getValue()).as(id).isNotZero();
        assertThat(lease.getInt64("gates").getValue()).as(id).isNotNegative();
        assertThat(lease.getDateTime("since")).as(id).isNotNull();
        if (lease.isNull("holder")) {
            assertThat(lease.containsKey("expiry")).as(id).isFalse();
        }
    }
}
