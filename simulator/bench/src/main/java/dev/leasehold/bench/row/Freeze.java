package dev.leasehold.bench.row;

import static dev.leasehold.bench.measure.Quantity.MAX;
import static dev.leasehold.bench.measure.Quantity.P50;

import dev.leasehold.bench.measure.Goal;
import dev.leasehold.bench.measure.Peer;
import dev.leasehold.bench.measure.Quantity;
import java.time.Duration;
import java.util.List;

/**
 * From the end of a process in the midst of a transaction to the next write of what it had written. An engine has the server end
 * such a transaction; the bare driver leaves that to the server's own limit.
 */
final class Freeze implements Row {

    private static final double LONGEST_NANOS = 3e9;
    private static final Duration SERVER_LIMIT = Duration.ofSeconds(92);

    @Override
    public Heading heading() {
        return new Heading(
                "freeze",
                "From the end of a process that left a transaction open to the next write of the same document",
                List.of(P50, MAX),
                Quantity.MAX,
                FrozenDocuments.NAME,
                List.of(Goal.atMost(FrozenNamespace.NAME, MAX, 1, Peer.fixed(LONGEST_NANOS))));
    }

    @Override
    public void open(Arena arena, Lineup lineup) throws InterruptedException {
        lineup.add(FrozenDocuments.NAME, () -> lineup.keep(new FrozenDocuments(arena, lineup.rounds())));
        lineup.add(FrozenNamespace.NAME, () -> lineup.keep(new FrozenNamespace(arena)));
    }

    @Override
    public Duration expected(Plan plan) {
        return SERVER_LIMIT.plus(FrozenDocuments.STAGGER.multipliedBy(plan.rounds()));
    }
}
