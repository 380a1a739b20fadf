package dev.leasehold.bench.row;

import dev.leasehold.bench.adapters.Locks;
import dev.leasehold.bench.adapters.PairLoop;
import dev.leasehold.bench.adapters.Turn;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.measure.Sample;
import java.time.Duration;

/** Transactions of one kind, one after the other in each thread. */
final class TransactionEntrant extends NamedEntrant {

    static final Duration LEAST_WARM_UP = Duration.ofSeconds(4);
    private static final Duration SETTLING = Duration.ofMillis(200);

    private final PairLoop loop;
    private final int threads;

    /** @param work runs one transaction for each "lock" */
    TransactionEntrant(String name, Role role, String remark, Locks work, int threads) {
        super(name, role, remark);
        this.loop = new PairLoop(work, name.replace(' ', '-'), PairLoop.Count.PAIRS);
        this.threads = threads;
    }

    @Override
    public void warmUp(Duration duration) throws Exception {
        measure(Plan.atLeast(LEAST_WARM_UP, duration));
    }

    @Override
    public Sample measure(Duration duration) throws Exception {
        return loop.run(threads, Turn.from(System.nanoTime(), SETTLING, duration));
    }
}
