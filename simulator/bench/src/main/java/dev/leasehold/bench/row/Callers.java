package dev.leasehold.bench.row;

import dev.leasehold.bench.adapters.Library;
import dev.leasehold.bench.adapters.Locks;
import dev.leasehold.bench.adapters.PairLoop;
import dev.leasehold.bench.adapters.Turn;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.measure.Sample;
import java.time.Duration;
import java.util.concurrent.Callable;

/** Callers in this process, each with a lock of its own, or all with one. */
final class Callers extends Entrant {

    private static final Duration SETTLING = Duration.ofMillis(500);
    /** Code that has not run for some seconds is not what it is in a service. */
    private static final Duration LEAST_WARM_UP = Duration.ofSeconds(3);

    private final Callable<Locks> opening;
    private final int callers;
    private final boolean isShared;

    /** Callers that use what is opened in their turn alone: an idle library must not cost the others. */
    Callers(String name, Role role, String remark, int callers, Callable<Locks> opening) {
        super(name, role, remark);
        this.opening = opening;
        this.callers = callers;
        this.isShared = false;
    }

    /** Callers of a library. */
    Callers(Library library, int callers, boolean isShared, Callable<Locks> opening) {
        super(library);
        this.opening = opening;
        this.callers = callers;
        this.isShared = isShared;
    }

    /** How long the warm-up is before turns of this length. */
    static Duration warmUpBefore(Duration turn) {
        return Plan.atLeast(LEAST_WARM_UP, turn);
    }

    @Override
    void warmUp(Duration duration) throws Exception {
        measure(warmUpBefore(duration));
    }

    @Override
    Sample measure(Duration duration) throws Exception {
        try (Locks locks = opening.call()) {
            return new PairLoop(locks, "caller-", isShared, PairLoop.Count.PAIRS)
                    .run(callers, Turn.from(System.nanoTime(), SETTLING, duration))
                    .sample();
        }
    }
}
