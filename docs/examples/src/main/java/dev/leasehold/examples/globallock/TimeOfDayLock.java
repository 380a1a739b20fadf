package dev.leasehold.examples.globallock;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.or;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.client.MongoCollection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * The simple pattern as it is often written. Do not copy it: it compares the times of day of two machines: the holder's and that of the
 * worker that asks.
 */
final class TimeOfDayLock {

    private final MongoCollection<Document> objects;
    private final Clock clock;

    TimeOfDayLock(MongoCollection<Document> objects, Clock clock) {
        this.objects = objects;
        this.clock = clock;
    }

    boolean tryAcquire(String id, String leaseId, Duration duration) {
        Instant now = clock.instant();
        Bson free = or(exists("leasedUntil", false), lt("leasedUntil", Date.from(now)));
        Bson taken = combine(set("leaseId", leaseId), set("leasedUntil", Date.from(now.plus(duration))));
        return objects.updateOne(and(eq("_id", id), free), taken).getMatchedCount() == 1;
    }
}
