package dev.leasehold.examples;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.result.UpdateResult;
import dev.leasehold.assertions.LeaseFence;
import dev.leasehold.assertions.Tenure;
import org.bson.Document;

/** A single write, outside any transaction, that older tenures cannot overwrite. */
final class FenceExample {

    private FenceExample() {}

    static boolean publish(MongoCollection<Document> reports, Tenure tenure, String text) {
        // example:start publish
        LeaseFence fence = LeaseFence.of(tenure, "fence"); // or lease.fence("fence")
        UpdateResult result =
                reports.updateOne(and(eq("_id", "weekly"), fence.filter()), combine(set("text", text), fence.update()));
        return result.getMatchedCount() == 1; // 0: a later tenure has written it, or there is no such report
        // example:end publish
    }
}
