package dev.leasehold.bench.row;

import static dev.leasehold.bench.measure.Quantity.MAX;
import static dev.leasehold.bench.measure.Quantity.P50;
import static dev.leasehold.bench.measure.Quantity.P99;

import dev.leasehold.bench.adapters.Access;
import dev.leasehold.bench.adapters.Library;
import dev.leasehold.bench.adapters.ServerAddresses;
import dev.leasehold.bench.measure.Goal;
import dev.leasehold.bench.measure.Peer;
import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Role;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Whether a namespace that grows gets slower. */
final class Growth implements Row {

    private static final Duration LENGTH = Duration.ofSeconds(30);
    private static final Duration OPENING = Duration.ofMillis(600);
    private static final double FLAT = 1.3;
    private static final Duration FILLING = Duration.ofSeconds(6);

    private final String name;
    private final String what;
    private final Library library;
    private final List<Integer> sizes;
    private final Filling filling;

    /** Makes a namespace so great. */
    private interface Filling {
        void fill(FilledNamespace namespace, int size);
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
                FilledNamespace::addLeases);
    }

    static Growth ofWriters(Library library) {
        return new Growth(
                "growth-writers-" + library.name().toLowerCase(Locale.ROOT),
                "writers",
                library,
                List.of(1, 10, 100, 1_000),
                FilledNamespace::addWriters);
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
                filling.fill(new FilledNamespace(arena.client(), place, name).plantSeed(), size);
                return new Callers(title(size), Role.OURS, "", 1, () -> library.open(Access.to(place), name, LENGTH));
            });
        }
    }

    @Override
    public Duration expected(Plan plan) {
        return plan.expected(
                        sizes.size(),
                        Callers.warmUpBefore(plan.duration()),
                        plan.duration().plus(OPENING))
                .plus(FILLING);
    }
}
