package dev.leasehold.bench.row;

import static dev.leasehold.bench.measure.Quantity.MAX;
import static dev.leasehold.bench.measure.Quantity.P50;
import static dev.leasehold.bench.measure.Quantity.P99;
import static dev.leasehold.bench.measure.Quantity.RATE;

import dev.leasehold.bench.adapters.Library;
import dev.leasehold.bench.measure.Goal;
import dev.leasehold.bench.measure.Peer;
import dev.leasehold.bench.measure.Quantity;
import java.time.Duration;
import java.util.List;

/** Callers in one process, on leases of their own. */
final class OneProcess implements Row {

    /** With what its settling takes, and its drain. */
    private static final Duration OPENING = Duration.ofSeconds(1);
    /** One caller comes to a hundred operations in a second, which is too few for a ratio near to one. */
    private static final Duration LEAST_TURN_ALONE = Duration.ofSeconds(2);
    /** Many callers wait up to a second for an answer, and a turn has to have several of each. */
    private static final Duration LEAST_TURN_OF_MANY = Duration.ofSeconds(4);

    private static final Library[] CONTESTANTS = {
        Library.SESSION,
        Library.TERM,
        Library.SHEDLOCK,
        Library.FENCED_LOCK,
        Library.ETCD,
        Library.REDISSON,
        Library.JDBC,
        Library.ONE_WRITE,
        Library.TWO_WRITES
    };

    private final Heading heading;
    private final int callers;

    private OneProcess(Heading heading, int callers) {
        this.heading = heading;
        this.callers = callers;
    }

    static OneProcess uncontended() {
        String ours = Library.SESSION.title();
        return new OneProcess(
                new Heading(
                        "uncontended",
                        "One caller acquires and releases",
                        List.of(P50, P99, MAX, RATE),
                        Quantity.P50,
                        Library.ONE_WRITE.title(),
                        List.of(
                                Goal.atMost(ours, P50, 1.1, Peer.entrant(Library.TWO_WRITES.title())),
                                Goal.atMost(ours, P50, 1, Peer.bestPeer(false)),
                                Goal.atMost(ours, P50, 1, Peer.bestPeer(true)),
                                Goal.atMost(TermClaim.NAME, P50, 1.3, Peer.entrant(Library.ONE_WRITE.title())))),
                1);
    }

    static OneProcess contention(int callers) {
        String ours = Library.SESSION.title();
        return new OneProcess(
                new Heading(
                        "contention-" + callers,
                        callers + " callers in one process, each with a lease of its own",
                        List.of(P50, P99, MAX, RATE),
                        Quantity.RATE,
                        Library.ONE_WRITE.title(),
                        List.of(
                                Goal.atLeast(ours, RATE, 10, Peer.entrant(Library.SHEDLOCK.title())),
                                Goal.atLeast(ours, RATE, 3, Peer.entrant(Library.ETCD.title())),
                                Goal.atMost(ours, P99, 1, Peer.entrant(Library.TWO_WRITES.title())))),
                callers);
    }

    @Override
    public Heading heading() {
        return heading;
    }

    @Override
    public void open(Arena arena, Lineup lineup) throws InterruptedException {
        for (Library library : arena.present(CONTESTANTS)) {
            lineup.add(library.title(), () -> new Callers(library, arena.access(), heading.name(), callers));
        }
        if (callers == 1) {
            Library transaction = Library.TRANSACTION;
            lineup.add(transaction.title(), () -> new Callers(transaction, arena.access(), heading.name(), callers));
            lineup.add(TermClaim.NAME, () -> new TermClaim(arena.access(), heading.name() + "-claims"));
        }
    }

    @Override
    public Duration turn(Plan plan) {
        return Plan.atLeast(callers == 1 ? LEAST_TURN_ALONE : LEAST_TURN_OF_MANY, plan.duration());
    }

    @Override
    public Duration expected(Plan plan) {
        int entrants = CONTESTANTS.length + (callers == 1 ? 2 : 0);
        Duration turns = turn(plan).plus(OPENING).multipliedBy(plan.rounds());
        return turns.plus(Callers.warmUpBefore(turn(plan))).plus(OPENING).multipliedBy(entrants);
    }
}
