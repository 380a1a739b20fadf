package dev.leasehold.operator.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.bson.Document;

/** What the connected user may do. */
final class Rights {

    private static final String CHECK = "rights";

    /** Of an engine, apart from the one to list collections. */
    private static final List<String> ON_THE_COLLECTION = List.of("find", "insert", "update", "remove", "changeStream");

    private static final String LIST = "listCollections";

    private final LeaseLocation place;

    Rights(LeaseLocation place) {
        this.place = place;
    }

    List<Finding> look() {
        Document status = place.admin(new Document("connectionStatus", 1).append("showPrivileges", true))
                .get("authInfo", Document.class);
        if (status.getList("authenticatedUsers", Document.class, List.of()).isEmpty()) {
            return List.of(Finding.notice(
                    CHECK,
                    "no user has logged in: either the servers ask for no login, or this connection may do nothing",
                    "switch authentication on, and give the connection string a user"));
        }
        List<Document> privileges = status.getList("authenticatedUserPrivileges", Document.class, List.of());
        Set<String> missing = missing(privileges);
        List<Finding> findings = new ArrayList<>();
        findings.add(
                missing.isEmpty() ? Finding.ok(CHECK, "this user may do all that an engine needs") : lacking(missing));
        return findings;
    }

    private Set<String> missing(List<Document> privileges) {
        Set<String> missing = new TreeSet<>(ON_THE_COLLECTION);
        missing.removeAll(actions(privileges, place.collection()));
        if (!actions(privileges, "").contains(LIST)) {
            missing.add(LIST);
        }
        return missing;
    }

    /** On the collection or the database, by whatever resource includes it. */
    private Set<String> actions(List<Document> privileges, String collection) {
        Set<String> actions = new TreeSet<>();
        for (Document privilege : privileges) {
            if (includes(privilege.get("resource", Document.class), collection)) {
                actions.addAll(privilege.getList("actions", String.class));
            }
        }
        return actions;
    }

    private boolean includes(Document resource, String collection) {
        if (Boolean.TRUE.equals(resource.getBoolean("anyResource"))) {
            return true;
        }
        String db = resource.getString("db");
        String named = resource.getString("collection");
        return db != null
                && named != null
                && (db.isEmpty() || db.equals(place.database()))
                && (named.isEmpty() || named.equals(collection));
    }

    private Finding lacking(Set<String> missing) {
        String found = "this user lacks " + String.join(", ", missing);
        String remedy = "an engine needs all of them, as in the role readWrite on '" + place.database()
                + "'; a user that only looks needs find, and changeStream to watch";
        return missing.contains("find")
                ? Finding.problem(CHECK, found + ", so nothing can be shown", remedy)
                : Finding.notice(CHECK, found + ": it is no user for engines" + orders(missing), remedy);
    }

    private static String orders(Set<String> missing) {
        return missing.contains("update") ? ", nor for orders" : "";
    }
}
