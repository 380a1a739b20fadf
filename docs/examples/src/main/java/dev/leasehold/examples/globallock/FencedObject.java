package dev.leasehold.examples.globallock;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.LeaseFence;
import dev.leasehold.assertions.Tenure;
import java.time.Instant;
import java.util.Date;
import org.bson.Document;
import org.bson.conversions.Bson;

/** The simple pattern: the object itself shows under which lease it was written, and an older lease cannot write it any more. */
public final class FencedObject {

    private final MongoCollection<Document> objects;
    private final String id;

    /**
     * Does no I/O.
     *
     * @param objects a collection
     * @param id of a document in it
     */
    public FencedObject(MongoCollection<Document> objects, String id) {
        this.objects = objects;
        this.id = id;
    }

    /**
     * Writes the object, unless a later tenure has.
     *
     * @param tenure of the lock
     * @param leasedUntil for people: nothing is decided by it
     * @param text what to write
     * @return whether it was written
     */
    public boolean write(Tenure tenure, Instant leasedUntil, String text) {
        // example:start write
        LeaseFence fence = LeaseFence.of(tenure, "leaseId"); // keeps the greatest token in that field
        Bson object = and(eq("_id", id), fence.filter());
        Bson change = combine(fence.update(), set("leasedUntil", Date.from(leasedUntil)), set("text", text));
        return objects.updateOne(object, change).getMatchedCount() == 1; // 0: a later tenure has written it
        // example:end write
    }
}
