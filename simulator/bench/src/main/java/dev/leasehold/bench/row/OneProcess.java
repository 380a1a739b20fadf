package dev.leasehold.bench.row;

import static dev.leasehold.bench.measure.Quantity.IN_ORDER;
import static dev.leasehold.bench.measure.Quantity.LONGEST_WAIT;
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

/** Callers in one process, on leases of their own, or on one. */
final class OneProcess implements Row {

    private static final Duration LENGTH = Duration.ofSeconds(30);
    /** With what its settling takes, and its drain. */
    private static final Duration OPENING = Duration.ofSeconds(1);
    /** One caller comes to a hundred operations in a second, which is too few for a ratio near to one. */
    private static final Duration LEAST_TURN_ALONE = Duration.ofSeconds(2);
    /** Many callers wait up to a second for an answer, and a turn has to have several of each. */
    private static final Duration LEAST_TURN_OF_MANY = Duration.ofSeconds(4);

    private static final double LONGEST_WAIT_FACTOR = 1.2;

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

    /** Those that know their waiters, ShedLock, and the smallest lease by hand with woken waiters. */
    static final Library[] OF_ONE_LEASE = {
        Library.SESSION, Library.SHEDLOCK, Library.ETCD, Library.CURATOR, Library.REDISSON_FAIR, Library.TOLD
    };

    private final Heading heading;
    private final int callers;
    private final boolean isShared;
    private final Library[] contestants;

    private OneProcess(Heading heading, int callers, boolean isShared, Library... contestants) {
        this.heading = heading;
        this.callers = callers;
        this.isShared = isShared;
        this.contestants = contestants;
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
                1,
                false,
                CONTESTANTS);
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
                callers,
                false,
                CONTESTANTS);
    }

    /** Where order counts as much as speed. */
    static Heading headingOfOneLease(String name, String title) {
        String ours = Library.SESSION.title();
        return new Heading(
                name,
                title,
                List.of(P50, P99, MAX, RATE, LONGEST_WAIT, IN_ORDER),
                Quantity.RATE,
                Library.TOLD.title(),
                List.of(
                        Goal.atLeast(ours, RATE, 1.5, Peer.entrant(Library.TOLD.title())),
                        Goal.atMost(ours, LONGEST_WAIT, LONGEST_WAIT_FACTOR, Peer.fixed(1)),
                        Goal.atLeast(ours, IN_ORDER, 1, Peer.fixed(1))));
    }

    static OneProcess onOneLease(int callers) {
        return new OneProcess(
                headingOfOneLease("one-lease-threads", callers + " callers in one process, all with the same lease"),
                callers,
                true,
                OF_ONE_LEASE);
    }

    @Override
    public Heading heading() {
        return heading;
    }

    @Override
    public void open(Arena arena, Lineup lineup) throws InterruptedException {
        for (Library library : arena.present(contestants)) {
            add(lineup, arena, library);
        }
        if (callers == 1) {
            add(lineup, arena, Library.TRANSACTION);
            lineup.add(TermClaim.NAME, () -> new TermClaim(arena.access(), heading.name() + "-claims"));
        }
    }

    private void add(Lineup lineup, Arena arena, Library library) throws InterruptedException {
        String namespace = library.namespace(heading.name());
        lineup.add(
                library.title(),
                () -> new Callers(library, callers, isShared, () -> library.open(arena.access(), namespace, LENGTH)));
    }

    @Override
    public Duration turn(Plan plan) {
        return Plan.atLeast(callers == 1 ? LEAST_TURN_ALONE : LEAST_TURN_OF_MANY, plan.duration());
    }

    @Override
    public Duration expected(Plan plan) {
        int entrants = contestants.length + (callers == 1 ? 2 : 0);
        Duration turn = turn(plan);
        return plan.expected(entrants, Callers.warmUpBefore(turn).plus(OPENING), turn.plus(OPENING));
    }
}
