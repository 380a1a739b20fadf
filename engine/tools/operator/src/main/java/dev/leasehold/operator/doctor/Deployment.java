package dev.leasehold.operator.doctor;

import com.mongodb.MongoException;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;

/** The servers: whether they can carry leases, and the settings of theirs that matter to leases. */
final class Deployment {

    private static final String DEPLOYMENT = "deployment";
    private static final String MEMBERS = "members";
    private static final String SETTINGS = "server-settings";
    private static final int LIFETIME_SECONDS_MAX = 60;
    private static final int ELECTION_MILLIS_MAX = 10_000;
    private static final int DATA_BEARING_MIN = 3;

    private final LeaseLocation place;

    Deployment(LeaseLocation place) {
        this.place = place;
    }

    List<Finding> look() {
        List<Finding> findings = new ArrayList<>();
        Document hello = place.admin(new Document("hello", 1));
        if ("isdbgrid".equals(hello.getString("msg"))) {
            findings.add(Finding.notice(
                    DEPLOYMENT,
                    "a sharded cluster, on which leases are not tested",
                    "leave the collection unsharded, or shard it by ranges of _id"));
            return findings;
        }
        if (!hello.containsKey("setName")) {
            findings.add(Finding.problem(
                    DEPLOYMENT,
                    "a standalone server, which runs no transactions",
                    "make it a replica set; one node is enough to begin with"));
            return findings;
        }
        findings.add(Finding.ok(
                DEPLOYMENT,
                "replica set " + hello.getString("setName") + ", MongoDB "
                        + place.admin(new Document("buildInfo", 1)).getString("version")));
        findings.add(members(hello));
        findings.addAll(parameters());
        findings.add(configuration());
        return findings;
    }

    private static Finding members(Document hello) {
        int bearing = hello.getList("hosts", String.class, List.of()).size()
                + hello.getList("passives", String.class, List.of()).size();
        int arbiters = hello.getList("arbiters", String.class, List.of()).size();
        String found = "nodes that bear data: " + bearing + ", arbiters: " + arbiters;
        return bearing >= DATA_BEARING_MIN
                ? Finding.ok(MEMBERS, found)
                : Finding.notice(
                        MEMBERS,
                        found + ": with one node down there may be no majority, and then no lease can be written",
                        "three nodes that bear data are what leases are for");
    }

    private List<Finding> parameters() {
        try {
            int seconds = place.admin(new Document("getParameter", 1).append("transactionLifetimeLimitSeconds", 1))
                    .getInteger("transactionLifetimeLimitSeconds");
            String found = "transactionLifetimeLimitSeconds is " + seconds;
            return List.of(
                    seconds <= LIFETIME_SECONDS_MAX
                            ? Finding.ok(SETTINGS, found)
                            : Finding.notice(
                                    SETTINGS,
                                    found
                                            + ": for so long a caller that died inside a gated transaction keeps its lease"
                                            + " from every other holder",
                                    "set it to 60 or less, if no transaction of an application needs longer"));
        } catch (MongoException e) {
            return List.of(notLookedAt("transactionLifetimeLimitSeconds", "getParameter", e));
        }
    }

    private Finding configuration() {
        try {
            Document config = place.admin(new Document("replSetGetConfig", 1)).get("config", Document.class);
            if (Boolean.FALSE.equals(config.getBoolean("writeConcernMajorityJournalDefault"))) {
                return Finding.problem(
                        SETTINGS,
                        "writeConcernMajorityJournalDefault is false: a majority that loses its power forgets what it"
                                + " acknowledged, tokens included",
                        "set it to true with rs.reconfig");
            }
            int millis =
                    config.get("settings", new Document()).getInteger("electionTimeoutMillis", ELECTION_MILLIS_MAX);
            String found = "writeConcernMajorityJournalDefault is true, electionTimeoutMillis is " + millis;
            return millis <= ELECTION_MILLIS_MAX
                    ? Finding.ok(SETTINGS, found)
                    : Finding.notice(
                            SETTINGS,
                            found + ": for so long no process can write leases after the primary died",
                            "lower it, or see to it that terms, sessions and operation budgets outlast it");
        } catch (MongoException e) {
            return notLookedAt("the configuration of the replica set", "replSetGetConfig", e);
        }
    }

    private static Finding notLookedAt(String what, String right, MongoException thrown) {
        return Finding.notice(
                SETTINGS,
                what + " could not be looked at: " + Refusals.describe(thrown),
                "look with a user that has the right " + right + ", as in the role clusterMonitor");
    }
}
