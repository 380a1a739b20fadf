package dev.leasehold.assertions;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.setOnInsert;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import java.util.Date;
import org.bson.Document;
import org.bson.conversions.Bson;

/** One lease, written as engines write it; this module knows no engine. */
final class LeaseDocuments {

    static final String NAMESPACE = "jobs";

    private static final FindOneAndUpdateOptions CREATE =
            new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER);

    private final MongoCollection<Document> collection;
    private final String name;
    private long stamp = 3_255_759_600_000_000_005L;

    LeaseDocuments(MongoDatabase database, String name) {
        this.collection = database.getCollection("leases");
        this.name = name;
    }

    MongoCollection<Document> collection() {
        return collection;
    }

    /** Begins the next tenure, whether the lease was held or not. */
    Tenure claimedBy(String holder) {
        return tenureIn(collection.findOneAndUpdate(id(), claim(holder), CREATE));
    }

    Tenure claimedBy(String holder, ClientSession session) {
        return tenureIn(collection.findOneAndUpdate(session, id(), claim(holder), CREATE));
    }

    void extended() {
        collection.updateOne(id(), combine(written(), inc("expiry", 60_000_000_000L)));
    }

    void vacated() {
        collection.updateOne(id(), combine(written(), set("holder", null)));
    }

    void removed() {
        collection.deleteOne(id());
    }

    void commented(String comment) {
        collection.updateOne(id(), combine(written(), set("comment", comment)));
    }

    Document document() {
        return collection.find(id()).first();
    }

    long gates() {
        return document().getLong("gates");
    }

    private Bson id() {
        return eq("_id", NAMESPACE + "#" + name);
    }

    private Bson claim(String holder) {
        return combine(
                set("type", "lease"),
                set("namespace", NAMESPACE),
                set("name", name),
                set("holder", holder),
                inc("token", 1L),
                written(),
                set("expiry", stamp + 60_000_000_000L),
                setOnInsert("gates", 0L),
                set("since", new Date(stamp / 1_000_000)));
    }

    private Bson written() {
        return combine(set("writer", "w1"), set("written", ++stamp));
    }

    private static Tenure tenureIn(Document lease) {
        return new Tenure(
                lease.getString("namespace"),
                lease.getString("name"),
                lease.getString("holder"),
                lease.getLong("token"));
    }
}
