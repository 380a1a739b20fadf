package dev.leasehold.bench.row;

import dev.leasehold.bench.adapters.Access;
import dev.leasehold.bench.adapters.Library;
import dev.leasehold.bench.adapters.Locks;
import dev.leasehold.bench.adapters.PairLoop;
import dev.leasehold.bench.adapters.Turn;
import dev.leasehold.bench.measure.Sample;
import java.time.Duration;

/** Callers in this process, each with a lock of its own, or all with one. The library is open only in its turn: an idle one must not cost the others. */
final class Callers extends LibraryEntrant {

    private static final Duration LENGTH = Duration.ofSeconds(30);
    private static final Duration SETTLING = Duration.ofMillis(500);
    /** Code that has not run for some seconds is not what it is in a service. */
    private static final Duration LEAST_WARM_UP = Duration.ofSeconds(3);

    private final Library library;
    private final Access access;
    private final String row;
    private final int callers;
    private final boolean isShared;

    Callers(Library library, Access access, String row, int callers, boolean isShared) {
        super(library);
        this.library = library;
        this.access = access;
        this.row = row;
        this.callers = callers;
        this.isShared = isShared;
    }

    /** How long the warm-up is before turns of this length. */
    static Duration warmUpBefore(Duration turn) {
        return Plan.atLeast(LEAST_WARM_UP, turn);
    }

    @Override
    public void warmUp(Duration duration) throws Exception {
        measure(warmUpBefore(duration));
    }

    @Override
    public Sample measure(Duration duration) throws Exception {
        try (Locks locks = library.open(access, namespace(row), LENGTH)) {
            PairLoop loop = isShared
                    ? PairLoop.onOneLock(locks, "shared")
                    : new PairLoop(locks, "caller-", PairLoop.Count.PAIRS);
            return loop.run(callers, Turn.from(System.nanoTime(), SETTLING, duration));
        }
    }
}
