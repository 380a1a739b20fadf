package dev.leasehold.bench.row;

import static dev.leasehold.bench.measure.Quantity.WRITES;
import static dev.leasehold.bench.measure.Quantity.WRITES_PER_LEASE;

import dev.leasehold.bench.adapters.Access;
import dev.leasehold.bench.adapters.Holders;
import dev.leasehold.bench.adapters.Locks;
import dev.leasehold.bench.measure.Goal;
import dev.leasehold.bench.measure.Peer;
import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.measure.Sample;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What is written while many locks are held and nothing happens. Counted, not timed, so one round is enough. */
final class Renewal implements Row {

    private static final int MANY = 10_000;
    private static final int SOME = 1_000;
    private static final Duration LENGTH = Duration.ofSeconds(30);
    private static final Duration FILLING = Duration.ofSeconds(20);
    private static final String OURS = "Leasehold, 10,000 session leases, a heartbeat every 10 s";

    @Override
    public Heading heading() {
        return new Heading(
                "renewal",
                "Documents written to keep locks of " + LENGTH.toSeconds() + " s held, by the period of each library",
                List.of(WRITES, WRITES_PER_LEASE),
                Quantity.WRITES,
                "",
                List.of(Goal.atMost(OURS, WRITES, 1, Peer.fixed(1))));
    }

    @Override
    public void open(Arena arena, Lineup lineup) throws InterruptedException {
        Watch watch = new Watch();
        add(lineup, arena, watch, OURS, Role.OURS, MANY, Duration.ofSeconds(10), Holders::ofSessions);
        add(
                lineup,
                arena,
                watch,
                "ShedLock with KeepAliveLockProvider, 1,000 locks, extended every 15 s",
                Role.PEER,
                SOME,
                Duration.ofSeconds(15),
                Holders::ofShedLock);
        add(
                lineup,
                arena,
                watch,
                "FencedLock, 1,000 locks, confirmed every 10 s",
                Role.PEER,
                SOME,
                Duration.ofSeconds(10),
                Holders::ofFencedLock);
    }

    private static void add(
            Lineup lineup, Arena arena, Watch watch, String name, Role role, int leases, Duration period, Start start)
            throws InterruptedException {
        lineup.add(name, () -> {
            CommandCount count = new CommandCount();
            Locks locks = lineup.keep(start.start(new Access(arena.place(), count), LENGTH));
            Holders.hold(locks, leases);
            return new Kept(name, role, leases, period, count, watch);
        });
    }

    /** Starts a library. */
    private interface Start {
        Locks start(Access access, Duration length) throws Exception;
    }

    @Override
    public Duration expected(Plan plan) {
        return LENGTH.plus(FILLING);
    }

    @Override
    public int rounds(Plan plan) {
        return 1;
    }

    /** All look on during the same time: the one that is asked first waits, for all of them. */
    private static final class Watch {

        private boolean over;

        void sitOut() throws InterruptedException {
            if (!over) {
                TimeUnit.MILLISECONDS.sleep(LENGTH.toMillis());
                over = true;
            }
        }
    }

    private static final class Kept extends Entrant {

        private final int leases;
        private final Duration period;
        private final CommandCount count;
        private final Watch watch;
        private long before;

        Kept(String name, Role role, int leases, Duration period, CommandCount count, Watch watch) {
            super(name, role, "");
            this.leases = leases;
            this.period = period;
            this.count = count;
            this.watch = watch;
        }

        @Override
        void warmUp(Duration duration) {
            before = count.writes();
        }

        @Override
        Sample measure(Duration duration) throws InterruptedException {
            watch.sitOut();
            long written = count.writes() - before;
            double perPeriod = written * (double) period.toMillis() / LENGTH.toMillis();
            return new Sample(Map.of(WRITES, perPeriod, WRITES_PER_LEASE, perPeriod / leases), written);
        }
    }
}
