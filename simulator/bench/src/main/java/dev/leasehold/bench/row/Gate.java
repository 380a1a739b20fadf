package dev.leasehold.bench.row;

import static dev.leasehold.bench.measure.Quantity.MAX;
import static dev.leasehold.bench.measure.Quantity.P50;
import static dev.leasehold.bench.measure.Quantity.P99;
import static dev.leasehold.bench.measure.Quantity.RATE;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import dev.leasehold.bench.measure.Goal;
import dev.leasehold.bench.measure.Peer;
import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A transaction that asserts a lease, and the same one that does not. */
final class Gate implements Row {

    private static final String GATED = "gated transaction";
    private static final String STRIPED = "gated, with a stripe for each thread";
    private static final String UNGATED = "the same, not gated";
    private static final Duration LEAST_TURN = Duration.ofSeconds(2);
    private static final double FACTOR_ALONE = 1.15;
    private static final double SHARE_OF_MANY = 0.8;

    private final int threads;

    Gate(int threads) {
        this.threads = threads;
    }

    @Override
    public Heading heading() {
        return new Heading(
                "gate-" + threads,
                "Transactions of two writes, gated by one lease, in " + threads
                        + (threads == 1 ? " thread" : " threads"),
                List.of(P50, P99, MAX, RATE),
                threads == 1 ? Quantity.P50 : Quantity.RATE,
                UNGATED,
                List.of(
                        threads == 1
                                ? Goal.atMost(GATED, P50, FACTOR_ALONE, Peer.entrant(UNGATED))
                                : Goal.atLeast(STRIPED, RATE, SHARE_OF_MANY, Peer.entrant(UNGATED))));
    }

    @Override
    public void open(Arena arena, Lineup lineup) throws InterruptedException {
        MongoClient client = lineup.keep(arena.access().newClient());
        LeaseEngine engine =
                lineup.keep(arena.place().newEngine(client, heading().name()));
        Lease lease = lineup.keep(engine.tryAcquire("gate").orElseThrow());
        add(lineup, client, arena, UNGATED, Role.BARE, "", session -> {});
        add(lineup, client, arena, GATED, Role.OURS, "the assertion comes last", lease.assertion()::check);
        if (threads > 1) {
            Lease striped = lineup.keep(
                    engine.tryAcquire(LeaseRequest.of("striped gate").gateStripes(threads))
                            .orElseThrow());
            add(lineup, client, arena, STRIPED, Role.OURS, "", striped.assertion()::check);
        }
    }

    private void add(
            Lineup lineup,
            MongoClient client,
            Arena arena,
            String name,
            Role role,
            String remark,
            Consumer<ClientSession> last)
            throws InterruptedException {
        GatedWork work = new GatedWork(client, arena.place().database(), last);
        lineup.add(name, () -> new Callers(name, role, remark, threads, () -> work));
    }

    @Override
    public Duration turn(Plan plan) {
        return Plan.atLeast(LEAST_TURN, plan.duration());
    }

    @Override
    public Duration expected(Plan plan) {
        return plan.expected(threads == 1 ? 2 : 3, Callers.warmUpBefore(turn(plan)), turn(plan));
    }
}
