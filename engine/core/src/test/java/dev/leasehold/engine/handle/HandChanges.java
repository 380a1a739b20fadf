package dev.leasehold.engine.handle;

import dev.leasehold.engine.store.LeaseChange;
import dev.leasehold.engine.store.LeaseChanges;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A stream of changes that a test fills. It never waits. */
final class HandChanges implements LeaseChanges {

    private final Deque<LeaseChange> pending = new ArrayDeque<>();
    private final Deque<RuntimeException> failures = new ArrayDeque<>();
    private int opened;
    private boolean open;

    /** Begins to watch anew. */
    HandChanges open() {
        opened++;
        open = true;
        return this;
    }

    int opened() {
        return opened;
    }

    boolean isOpen() {
        return open;
    }

    void tell(LeaseChange change) {
        pending.add(change);
    }

    void fail(RuntimeException failure) {
        failures.add(failure);
    }

    @Override
    public List<LeaseChange> await() {
        RuntimeException failure = failures.poll();
        if (failure != null) {
            throw failure;
        }
        List<LeaseChange> news = new ArrayList<>(pending);
        pending.clear();
        return news;
    }

    @Override
    public void close() {
        open = false;
    }
}
