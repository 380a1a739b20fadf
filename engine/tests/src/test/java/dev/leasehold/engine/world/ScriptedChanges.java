package dev.leasehold.engine.world;

import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseChanges;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A stream of changes that a test fills. It never waits. What happens before it has begun is not told, as with a real one. */
public final class ScriptedChanges implements LeaseChanges {

    private final Deque<LeaseChange> pending = new ArrayDeque<>();
    private final Deque<RuntimeException> failures = new ArrayDeque<>();
    private @Nullable RuntimeException always;
    private @Nullable RuntimeException alwaysOnceBegun;
    private Runnable whileOpening = () -> {};
    private int opened;
    private boolean open;
    private boolean observing;
    private boolean begun;

    /** Begins to watch anew. */
    ScriptedChanges open(boolean observing) {
        opened++;
        open = true;
        this.observing = observing;
        return this;
    }

    /** Whether the last one that was opened reports what only observers have to know. */
    public boolean isForObservers() {
        return observing;
    }

    public int opened() {
        return opened;
    }

    public boolean isOpen() {
        return open;
    }

    public void tell(LeaseChange change) {
        if (begun) {
            pending.add(change);
        }
    }

    /** Something happens just before the stream begins. */
    public void whileOpening(Runnable action) {
        whileOpening = action;
    }

    public void fail(RuntimeException failure) {
        failures.add(failure);
    }

    /** Until it is told to fail no more. */
    public void failAlways(RuntimeException failure) {
        always = failure;
    }

    /** The same for all but what begins it. */
    public void failAlwaysOnceBegun(RuntimeException failure) {
        alwaysOnceBegun = failure;
    }

    public void failNoMore() {
        always = null;
        alwaysOnceBegun = null;
    }

    private @Nullable RuntimeException failure() {
        if (!failures.isEmpty()) {
            return failures.poll();
        }
        return begun && alwaysOnceBegun != null ? alwaysOnceBegun : always;
    }

    @Override
    public List<LeaseChange> await() {
        RuntimeException failure = failure();
        if (failure != null) {
            throw failure;
        }
        if (!begun) {
            whileOpening.run();
            begun = true;
            return List.of();
        }
        List<LeaseChange> news = new ArrayList<>(pending);
        pending.clear();
        return news;
    }

    @Override
    public void close() {
        open = false;
        begun = false;
        pending.clear();
    }
}
