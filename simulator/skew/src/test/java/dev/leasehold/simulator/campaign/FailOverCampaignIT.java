package dev.leasehold.simulator.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.WaiterDetails;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import dev.leasehold.simulator.campaign.Campaign.Course;
import dev.leasehold.simulator.checker.HistoryChecker;
import dev.leasehold.simulator.checker.Recording;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Operation.Kind;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Four processes claim, take over, extend, expire and release six leases, acquire and close them with handles that a session
 * or a term keeps, and gate transactions by them, on the system's
 * clock and with short terms, and hand over a seventh lease in a ring, by the wait queue, while the primary steps down or is killed, nodes and processes are stopped for a while,
 * processes are killed and replaced, and the networks of single ones are cut. Afterwards the
 * simulator's checker judges what the processes were told and what the database committed.
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

    private TestDatabase database;

    @BeforeEach
    void announce(TestDatabase fresh) {
        database = fresh;
        System.out.println("campaign: seed " + SEED + ", " + SECONDS + " s of faults");
    }

    @Test
    void theGuaranteesAreKeptThroughFailOvers(ReplicaSet set) {
        try {
            Course course = new Campaign(set, database, SEED, Duration.ofSeconds(SECONDS)).run();
            Statistics statistics = new Statistics(course.faults(), course.journals(), course.commits());
            System.out.println("campaign: seed " + SEED + "\n" + statistics);
            Recording recording = new CampaignHistory(course.journals(), course.commits()).recording();
            assertThat(HistoryChecker.check(recording).violations())
                    .as("violations")
                    .isEmpty();
            assertTheCampaignWasOne(statistics);
            assertEveryLeaseCanBeHad();
            assertNoTicketStays();
        } catch (Exception | AssertionError e) {
            throw new AssertionError("seed " + SEED + ": " + e.getMessage(), e);
        }
    }

    private static void assertTheCampaignWasOne(Statistics statistics) {
        assertThat(FaultKind.values()).allMatch(kind -> statistics.faults(kind) > 0);
        assertThat(statistics.answers(Kind.CLAIM, Answer.Kind.YES)).as("claims").isPositive();
        assertThat(statistics.answers(Kind.GATE, Answer.Kind.YES))
                .as("gated transactions")
                .isPositive();
        assertThat(statistics.answers(Kind.ACQUIRE, Answer.Kind.YES))
                .as("acquisitions")
                .isPositive();
        assertThat(statistics.validities()).as("validities").isPositive();
        assertThat(statistics.handOvers(RingMember.LEASE))
                .as("hand-overs of the ring")
                .isPositive();
        if (SECONDS >= SECONDS_TO_SEE_ALL) {
            assertTheRareCasesCameUp(statistics);
        }
    }

    private static void assertTheRareCasesCameUp(Statistics statistics) {
        for (Kind operation : EnumSet.range(Kind.CLAIM, Kind.EXPIRE)) {
            assertBothAnswers(statistics, operation);
        }
        assertBothAnswers(statistics, Kind.ACQUIRE);
        assertBothAnswers(statistics, Kind.GATE);
        assertThat(statistics.losses()).as("losses of handles").isPositive();
        assertThat(statistics.unknown()).as("unknown outcomes").isPositive();
        assertThat(statistics.resolved(Answer.Kind.YES))
                .as("unknown outcomes that had landed")
                .isPositive();
    }

    private static void assertBothAnswers(Statistics statistics, Kind operation) {
        assertThat(statistics.answers(operation, Answer.Kind.YES))
                .as("yes to " + operation)
                .isPositive();
        assertThat(statistics.answers(operation, Answer.Kind.NO))
                .as("no to " + operation)
                .isPositive();
    }

    /** The holders are gone: their terms run out, and nothing else is in the way. */
    private void assertEveryLeaseCanBeHad() throws InterruptedException {
        try (LeaseEngine engine = LeaseEngine.builder(database.newClient())
                .database(database.name())
                .collection(Contender.COLLECTION)
                .namespace(Contender.NAMESPACE)
                .build()) {
            for (String lease : Campaign.LEASES) {
                assertCanBeHad(engine, lease);
            }
            assertCanBeHad(engine, RingMember.LEASE);
        }
    }

    /** Those of processes that were killed go with the entries of these, when housekeeping finds them absent. */
    private void assertNoTicketStays() throws InterruptedException {
        try (LeaseEngine engine = LeaseEngine.builder(database.newClient())
                .database(database.name())
                .collection(Contender.COLLECTION)
                .namespace(Contender.NAMESPACE)
                .build()) {
            long endNanos = System.nanoTime() + PATIENCE.toNanos();
            List<WaiterDetails> left;
            do {
                engine.housekeeping();
                left = engine.admin().waiters(RingMember.LEASE);
            } while (!left.isEmpty() && System.nanoTime() < endNanos);
            assertThat(left).as("tickets of the ring").isEmpty();
        }
    }

    private static void assertCanBeHad(LeaseEngine engine, String lease) throws InterruptedException {
        long endNanos = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < endNanos) {
            try {
                LeaseRequest request = LeaseRequest.of(lease).term(PATIENCE);
                if (engine.tryAcquire(request.waitAtMost(PATIENCE)).asOptional().isPresent()) {
                    return;
                }
            } catch (LeaseContentionException e) {
                // A caller's transaction whose process was killed blocks it until the server ends that.
            }
        }
        throw new AssertionError("no holder can have lease " + lease);
    }
}
