package dev.leasehold.bench.row;

import static dev.leasehold.bench.measure.Quantity.MAX;
import static dev.leasehold.bench.measure.Quantity.P50;
import static dev.leasehold.bench.measure.Quantity.P99;
import static dev.leasehold.bench.measure.Quantity.RATE;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.bench.adapters.Held;
import dev.leasehold.bench.adapters.Locks;
import dev.leasehold.bench.measure.Goal;
import dev.leasehold.bench.measure.Peer;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.RunOnceResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.Document;

/** A task that is run once per occurrence of its schedule, and the same one with a record that its caller inserts by hand. */
final class Once implements Row {

    private static final String RUN_ONCE = "runOnce";
    private static final String BY_HAND = "gated transaction with an insert by hand";
    private static final double FACTOR = 1.15;
    private static final int ENTRANTS = 2;

    private final AtomicLong occurrences = new AtomicLong();

    @Override
    public Heading heading() {
        return new Heading(
                "once",
                "A lease is acquired, a task of two writes done once per occurrence, and the lease released, in 1 thread",
                List.of(P50, P99, MAX, RATE),
                P50,
                BY_HAND,
                List.of(Goal.atMost(RUN_ONCE, P50, FACTOR, Peer.entrant(BY_HAND))));
    }

    @Override
    public void open(Arena arena, Lineup lineup) throws InterruptedException {
        MongoClient client = lineup.keep(arena.access().newClient());
        String database = arena.place().database();
        LeaseEngine engine =
                lineup.keep(arena.place().newEngine(client, heading().name()));
        GatedWork work = new GatedWork(client, database, session -> {});
        MongoCollection<Document> records = client.getDatabase(database).getCollection("records-by-hand");
        lineup.add(
                RUN_ONCE,
                () -> entrant(
                        RUN_ONCE, Role.OURS, "looks for the record before the lease and in the transaction", lease -> {
                            RunOnceResult<Boolean> result =
                                    engine.runOnce(LeaseRequest.of(lease), nextOccurrence(), (held, session) -> {
                                        work.write(session, lease);
                                        return true;
                                    });
                            if (!(result instanceof RunOnceResult.Ran)) {
                                throw new IllegalStateException("it was not run: " + result);
                            }
                        }));
        lineup.add(
                BY_HAND,
                () -> entrant(BY_HAND, Role.BARE, "a second insert fails with a duplicate key", lease -> {
                    try (Lease held = engine.tryAcquire(lease).orElseThrow();
                            ClientSession session = client.startSession()) {
                        held.inTransaction(session, same -> {
                            records.insertOne(same, new Document("_id", nextOccurrence()));
                            work.write(same, lease);
                            return true;
                        });
                    }
                }));
    }

    private String nextOccurrence() {
        return "occurrence-" + occurrences.incrementAndGet();
    }

    private interface Job {
        void run(String lease) throws Exception;
    }

    private static Entrant entrant(String name, Role role, String remark, Job job) {
        Locks locks = new Locks() {
            @Override
            public Held acquire(String lease) throws Exception {
                job.run(lease);
                return () -> {};
            }

            @Override
            public void close() {}
        };
        return new Callers(name, role, remark, 1, () -> locks);
    }

    @Override
    public Duration expected(Plan plan) {
        return plan.expected(ENTRANTS, Callers.warmUpBefore(turn(plan)), turn(plan));
    }
}
