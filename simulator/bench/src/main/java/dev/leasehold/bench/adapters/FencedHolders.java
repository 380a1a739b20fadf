package dev.leasehold.bench.adapters;

import java.time.Duration;

/** Fenced locks. */
final class FencedHolders implements Holders {

    private final FencedLocks locks;

    FencedHolders(Access access, Duration length) {
        this.locks = FencedLocks.forHolders(access, "holders", length);
    }

    @Override
    public void hold(int count) throws Exception {
        for (int number = 0; number < count; number++) {
            locks.acquire("held-" + number);
        }
    }

    @Override
    public void close() {
        locks.close();
    }
}
