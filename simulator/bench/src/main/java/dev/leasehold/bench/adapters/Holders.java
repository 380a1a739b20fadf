package dev.leasehold.bench.adapters;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Libraries that keep many locks held, until they are closed. */
public final class Holders {

    private static final String NAMESPACE = "holders";
    private static final int THREADS = 32;

    private Holders() {}

    /** {@return leases kept by one session} */
    public static Locks ofSessions(Access access, Duration length) {
        return LeaseholdLocks.withSession(access, NAMESPACE, length);
    }

    /** {@return locks that ShedLock extends} */
    public static Locks ofShedLock(Access access, Duration length) {
        return ShedLocks.extended(access, NAMESPACE, length);
    }

    /** {@return fenced locks that their manager confirms} */
    public static Locks ofFencedLock(Access access, Duration length) {
        return FencedLocks.forHolders(access, NAMESPACE, length);
    }

    /**
     * Acquires so many locks, and keeps them.
     *
     * @throws ExecutionException if one of them could not be acquired
     */
    public static void hold(Locks locks, int count) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<Held>> acquisitions = new ArrayList<>();
            for (int number = 0; number < count; number++) {
                String name = "held-" + number;
                acquisitions.add(() -> locks.acquire(name));
            }
            for (Future<Held> acquired : threads.invokeAll(acquisitions)) {
                acquired.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
