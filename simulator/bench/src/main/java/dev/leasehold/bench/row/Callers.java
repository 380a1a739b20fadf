package dev.leasehold.bench.row;

import dev.leasehold.bench.contest.Library;
import dev.leasehold.bench.contest.Locks;
import dev.leasehold.bench.contest.PairLoop;
import dev.leasehold.bench.measure.Sample;
import java.time.Duration;

/** Callers in this process, each with a lock of its own. */
final class Callers extends LibraryEntrant {

    private final PairLoop loop;
    private final int callers;

    Callers(Library library, Locks locks, int callers) {
        super(library);
        this.loop = new PairLoop(locks, "caller-", PairLoop.Count.PAIRS);
        this.callers = callers;
    }

    @Override
    public void warmUp(Duration duration) throws Exception {
        measure(duration);
    }

    @Override
    public Sample measure(Duration duration) throws Exception {
        return loop.run(callers, System.nanoTime(), duration);
    }
}
