package dev.leasehold.bench.row;

import static dev.leasehold.bench.measure.Quantity.MAX;
import static dev.leasehold.bench.measure.Quantity.P50;
import static dev.leasehold.bench.measure.Quantity.P99;

import dev.leasehold.bench.adapters.Access;
import dev.leasehold.bench.adapters.Library;
import dev.leasehold.bench.adapters.Locks;
import dev.leasehold.bench.adapters.PairLoop;
import dev.leasehold.bench.adapters.ServerAddresses;
import dev.leasehold.bench.adapters.Turn;
import dev.leasehold.bench.measure.Goal;
import dev.leasehold.bench.measure.Peer;
import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.measure.Sample;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/** Whether a namespace that grows gets slower. */
final class Growth implements Row {

    private static final Duration LENGTH = Duration.ofSeconds(30);
    private static final Duration OPENING = Duration.ofMillis(400);
    private static final double FLAT = 1.3;
    private static final Duration FILLING = Duration.ofSeconds(6);

    private final String name;
    private final String what;
    private final Library library;
    private final List<Integer> sizes;
    private final Filling filling;

    /** Makes a namespace so great. */
    private interface Filling {
        void fill(Contention contention, int size);
    }

    private Growth(String name, String what, Library library, List<Integer> sizes, Filling filling) {
        this.name = name;
        this.what = what;
        this.library = library;
        this.sizes = sizes;
        this.filling = filling;
    }

    static Growth ofLeases() {
        return new Growth(
                "growth-leases",
                "leases",
                Library.SESSION,
                List.of(100, 1_000, 10_000, 100_000),
                Contention::addLeases);
    }

    static Growth ofWriters(Library library) {
        return new Growth(
                "growth-writers-" + library.name().toLowerCase(Locale.ROOT),
                "writers",
                library,
                List.of(1, 10, 100, 1_000),
                Contention::addWriters);
    }

    @Override
    public Heading heading() {
        String smallest = title(sizes.get(0));
        String greatest = title(sizes.get(sizes.size() - 1));
        List<Goal> goals = List.of(Goal.atMost(greatest, P50, FLAT, Peer.entrant(smallest)));
        return new Heading(
                name,
                library.title() + ": acquire and release, by the number of " + what + " in the namespace",
                List.of(P50, P99, MAX),
                Quantity.P50,
                smallest,
                goals);
    }

    private String title(int size) {
        return String.format(Locale.ROOT, "%,d %s", size, size == 1 ? what.substring(0, what.length() - 1) : what);
    }

    @Override
    public void open(Arena arena, Lineup lineup) throws InterruptedException {
        for (int size : sizes) {
            // In a collection of its own, so that it is as small as it says.
            ServerAddresses place = arena.freshPlace(name.replace('-', '_') + "_" + size);
            lineup.add(title(size), () -> {
                filling.fill(new Contention(arena.client(), place, name).plantSeed(), size);
                return new Grown(title(size), () -> library.open(Access.to(place), name, LENGTH));
            });
        }
    }

    @Override
    public Duration expected(Plan plan) {
        return plan.duration()
                .plus(OPENING)
                .multipliedBy((long) sizes.size() * (plan.rounds() + 1))
                .plus(FILLING);
    }

    private static final class Grown extends NamedEntrant {

        private static final Duration SETTLING = Duration.ofMillis(300);

        private final Callable<Locks> opening;

        Grown(String name, Callable<Locks> opening) {
            super(name, Role.OURS, "");
            this.opening = opening;
        }

        @Override
        public void warmUp(Duration duration) throws Exception {
            measure(duration.dividedBy(2));
        }

        @Override
        public Sample measure(Duration duration) throws Exception {
            try (Locks locks = opening.call()) {
                PairLoop loop = new PairLoop(locks, "one-more-", PairLoop.Count.PAIRS);
                return loop.run(1, Turn.from(System.nanoTime(), SETTLING, duration));
            }
        }
    }
}
