package dev.leasehold.engine.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.SchemaCheck;
import dev.leasehold.engine.campaign.Campaign.Course;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Four processes claim, take over, extend, expire and release six leases, acquire and close them with handles that a session
 * or a term keeps, and gate transactions by them, on the system's
 * clock and with short terms, while the primary steps down or is killed, nodes and processes are stopped for a while,
 * processes are killed and replaced, and the networks of single ones are cut. Afterwards all answers and all documents are
 * checked against the guarantees.
 *
 * <p>It is short unless told otherwise:
 *
 * <ul>
 *   <li>{@code -Dleasehold.campaign.seconds=300}: how long faults happen. Default 25. From 240 on it is also asserted that
 *       the interesting cases came up.
 *   <li>{@code -Dleasehold.campaign.seed=1}: where all that is drawn comes from, the plan of the faults and what each thread
 *       of each process does. Drawn itself by default, and printed. The order of events among processes is real, so a seed
 *       brings back the plan, and not the run.
 * </ul>
 *
 * <p>The journals of the processes, and what they logged, are in {@code target/campaign} until the next run.
 */
@WithOwnReplicaSet(nodes = 3, parameters = FailOverCampaignIT.END_OF_CALLERS_TRANSACTIONS)
class FailOverCampaignIT {

    /** A process that is killed inside a gated transaction blocks its lease until the server ends that. */
    static final String END_OF_CALLERS_TRANSACTIONS = "transactionLifetimeLimitSeconds=20";

    private static final long SECONDS =
            Long.getLong("leasehold.campaign.seconds", Boolean.getBoolean("leasehold.nightly") ? 300 : 25);
    private static final long SEED = Long.getLong("leasehold.campaign.seed", new SplittableRandom().nextLong());
    private static final long SECONDS_TO_SEE_ALL = 240;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final SchemaCheck schema = new SchemaCheck();
    private TestDatabase database;

    @BeforeEach
    void announce(TestDatabase fresh) {
        database = fresh;
        System.out.println("campaign: seed " + SEED + ", " + SECONDS + " s of faults");
    }

    @AfterEach
    void checkSchema() {
        schema.check(leases());
    }

    private MongoCollection<BsonDocument> leases() {
        return database.database().getCollection(Contender.COLLECTION, BsonDocument.class);
    }

    @Test
    void theGuaranteesAreKeptThroughFailOvers(ReplicaSet set) {
        try {
            Course course = new Campaign(set, database, SEED, Duration.ofSeconds(SECONDS)).run();
            checkSchema();
            Evidence evidence = evidence(course);
            Statistics statistics = new Statistics(course, evidence.calls());
            System.out.println("campaign: seed " + SEED + "\n" + statistics);
            assertThat(Guarantees.violations(evidence)).as("violations").isEmpty();
            assertTheCampaignWasOne(statistics);
            assertEveryLeaseCanBeHad();
        } catch (Exception | AssertionError e) {
            throw new AssertionError("seed " + SEED + ": " + e.getMessage(), e);
        }
    }

    private Evidence evidence(Course course) {
        List<Entry> all = new ArrayList<>(course.entries());
        List<FinalLease> stored = new ArrayList<>();
        GatedWork work = new GatedWork(database.database());
        for (String lease : Campaign.LEASES) {
            BsonDocument document =
                    leases().find(Filters.eq(Contender.NAMESPACE + "#" + lease)).first();
            long token = document == null
                    ? 0
                    : document.getInt64("token", new BsonInt64(0)).getValue();
            stored.add(new FinalLease(lease, token, work.count(lease)));
            if (document != null && document.containsKey("comment") && !document.isNull("holder")) {
                all.add(new Entry.Seen(
                        lease,
                        document.getString("holder").getValue(),
                        token,
                        document.getString("comment").getValue()));
            }
        }
        return new Evidence(all, stored, work.writes(), course.history());
    }

    private static void assertTheCampaignWasOne(Statistics statistics) {
        assertThat(FaultKind.values()).allMatch(kind -> statistics.faults(kind) > 0);
        assertThat(statistics.answers(Operation.CLAIM, Verdict.YES))
                .as("claims")
                .isPositive();
        assertThat(statistics.answers(Operation.GATE, Verdict.YES))
                .as("gated transactions")
                .isPositive();
        assertThat(statistics.answers(Operation.ACQUIRE, Verdict.YES))
                .as("acquisitions")
                .isPositive();
        assertThat(statistics.validities()).as("validities").isPositive();
        if (SECONDS >= SECONDS_TO_SEE_ALL) {
            assertTheRareCasesCameUp(statistics);
        }
    }

    private static void assertTheRareCasesCameUp(Statistics statistics) {
        for (Operation operation : EnumSet.complementOf(EnumSet.of(Operation.CLOSE))) {
            assertThat(statistics.answers(operation, Verdict.YES))
                    .as("yes to " + operation)
                    .isPositive();
            assertThat(statistics.answers(operation, Verdict.NO))
                    .as("no to " + operation)
                    .isPositive();
        }
        assertThat(statistics.losses()).as("losses of handles").isPositive();
        assertThat(statistics.unknown()).as("unknown outcomes").isPositive();
        assertThat(statistics.resolved(Verdict.YES))
                .as("unknown outcomes that had landed")
                .isPositive();
    }

    /** The holders are gone: their terms run out, and nothing else is in the way. */
    private void assertEveryLeaseCanBeHad() {
        try (LeaseEngine engine = LeaseEngine.builder(database.newClient())
                .database(database.name())
                .collection(Contender.COLLECTION)
                .namespace(Contender.NAMESPACE)
                .build()) {
            for (String lease : Campaign.LEASES) {
                Awaitility.await(lease)
                        .atMost(PATIENCE)
                        .ignoreException(LeaseContentionException.class)
                        .until(() ->
                                engine.tenures().claim(lease, "heir", PATIENCE).isGranted()
                                        || engine.tenures()
                                                .takeOver(lease, "heir", PATIENCE)
                                                .isGranted());
            }
        }
    }
}
