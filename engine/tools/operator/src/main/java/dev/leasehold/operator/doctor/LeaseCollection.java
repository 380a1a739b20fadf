package dev.leasehold.operator.doctor;

import com.mongodb.MongoException;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;

/** The collection of the leases: of which kind it is, and that nothing deletes from it. */
final class LeaseCollection {

    private static final String CHECK = "collection";

    private final LeaseLocation place;

    LeaseCollection(LeaseLocation place) {
        this.place = place;
    }

    List<Finding> look() {
        List<Finding> findings = new ArrayList<>();
        findings.add(kind());
        findings.addAll(indexes());
        return findings;
    }

    private Finding kind() {
        Document listed;
        try {
            listed = place.client()
                    .getDatabase(place.database())
                    .listCollections()
                    .filter(new Document("name", place.collection()))
                    .first();
        } catch (MongoException e) {
            return Finding.notice(
                    CHECK,
                    "its kind could not be looked at: " + Refusals.describe(e),
                    "look with a user that has the right listCollections; engines need it too");
        }
        if (listed == null) {
            return Finding.problem(
                    CHECK,
                    "there is no collection " + place.fullName(),
                    "look whether database and collection are the right ones; the first engine makes it");
        }
        Document options = listed.get("options", new Document());
        if (!"collection".equals(listed.getString("type"))
                || options.getBoolean("capped", false)
                || options.containsKey("collation")) {
            return Finding.problem(
                    CHECK,
                    place.fullName() + " is a " + listed.getString("type") + " with the options " + options.toJson()
                            + ", which cannot carry leases",
                    "keep leases in an ordinary collection with the simple collation");
        }
        return Finding.ok(CHECK, place.fullName() + " is an ordinary collection");
    }

    private List<Finding> indexes() {
        List<Finding> findings = new ArrayList<>();
        try {
            for (Document index : place.client()
                    .getDatabase(place.database())
                    .getCollection(place.collection())
                    .listIndexes()) {
                if (index.containsKey("expireAfterSeconds")) {
                    findings.add(Finding.problem(
                            CHECK,
                            "the index " + index.getString("name") + " lets documents expire: a lease document that is"
                                    + " deleted forgets its token",
                            "drop that index"));
                }
                if (index.getBoolean("unique", false)
                        && !index.get("key", new Document()).containsKey("_id")) {
                    findings.add(Finding.problem(
                            CHECK,
                            "the index " + index.getString("name") + " is unique, and refuses documents of leases: no"
                                    + " engine starts, and those that run cannot write some leases",
                            "drop that index, or keep leases in a collection of their own"));
                }
            }
        } catch (MongoException e) {
            findings.add(Finding.notice(
                    CHECK,
                    "its indexes could not be looked at: " + Refusals.describe(e),
                    "look with a user that has the right listIndexes, as in the role read"));
        }
        return findings;
    }
}
